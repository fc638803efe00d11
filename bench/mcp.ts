/**
 * What the protocol of agents costs: `get_balance` at POST /mcp, in both eras, beside GET /balance, as CPU time
 * of the service's process for each call. Short rounds take turns, and the median of the ratios of neighbouring
 * rounds counts, so that what else the machine does meets all alike.
 */
import { Pool } from 'undici'
import type { BenchOptions } from './bench.ts'
import { type MeasuredService, onStage, type Stage } from './stage/stage.ts'
import { median, table, verdict } from './table.ts'

export type McpResult = {
  ways: Record<Way, { cpuMs: number; p50Ms: number; perSecond: number; overRest: number }>
  calls: number
}

type Way = keyof typeof WAYS
type Asked = {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
}
type Round = { cpuMs: number; p50Ms: number; perSecond: number }

const GOAL_OVER_REST = 3
const CONNECTIONS = 4
const SIZES = {
  smoke: { rounds: 1, calls: 40, warmUp: 0 },
  usual: { rounds: 15, calls: 500, warmUp: 2_000 },
}
const MODERN = '2026-07-28'
const JSON_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

export const WAYS = {
  rest: { method: 'GET', path: '/api/v1/balance', headers: {} },
  earlier: callOf({ headers: { 'mcp-protocol-version': '2025-11-25' } }),
  modern: callOf({
    headers: {
      'mcp-protocol-version': MODERN,
      'mcp-method': 'tools/call',
      'mcp-name': 'get_balance',
    },
    meta: {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  }),
} satisfies Record<string, Asked>
const NAMES = Object.keys(WAYS) as Way[]
const TITLES: Record<Way, string> = {
  rest: 'GET /balance',
  earlier: 'get_balance, 2025-11-25',
  modern: `get_balance, ${MODERN}`,
}

function callOf({ headers, meta }: { headers: Record<string, string>; meta?: object }): Asked {
  const params = { name: 'get_balance', arguments: {}, ...(meta && { _meta: meta }) }
  return {
    method: 'POST',
    path: '/mcp',
    headers: { ...JSON_HEADERS, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  }
}

/** Prints a table and returns its numbers. */
export async function run({ smoke }: BenchOptions): Promise<McpResult> {
  const result = await onStage(smoke, (stage) => measure(stage, SIZES[smoke ? 'smoke' : 'usual']))
  print(result)
  return result
}

async function measure(
  stage: Stage,
  { rounds, calls, warmUp }: (typeof SIZES)['usual'],
): Promise<McpResult> {
  const service = await stage.service({ ROLES: 'api' })
  const { apiKey } = await stage.client(service)
  const all = new Map<Way, Round[]>(NAMES.map((name) => [name, []]))
  for (const name of NAMES) await load({ service, apiKey, asked: WAYS[name], calls: warmUp })
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? NAMES : NAMES.toReversed())
      all.get(name)?.push(await load({ service, apiKey, asked: WAYS[name], calls }))
  }
  const rest = all.get('rest') ?? []
  const ways = NAMES.map((name) => {
    const measured = all.get(name) ?? []
    const of = (pick: (one: Round) => number): number => median(measured.map(pick))
    const ratios = measured.map(({ cpuMs }, at) => cpuMs / (rest[at]?.cpuMs ?? Number.NaN))
    return [
      name,
      {
        cpuMs: of((one) => one.cpuMs),
        p50Ms: of((one) => one.p50Ms),
        perSecond: of((one) => one.perSecond),
        overRest: median(ratios),
      },
    ]
  })
  return { ways: Object.fromEntries(ways) as McpResult['ways'], calls: rounds * calls }
}

type Load = { service: MeasuredService; apiKey: string; asked: Asked; calls: number }

async function load({ service, apiKey, asked, calls }: Load): Promise<Round> {
  const pool = new Pool(service.address, { connections: CONNECTIONS })
  const headers = { ...asked.headers, authorization: `Bearer ${apiKey}` }
  const tookMs: number[] = []
  let next = 0
  const work = async (): Promise<void> => {
    for (let at = next++; at < calls; at = next++) {
      const startedAt = performance.now()
      const { statusCode, body } = await pool.request({ ...asked, headers })
      const said = await body.text()
      if (statusCode !== 200 || !said.includes('balance'))
        throw new Error(`${asked.path} answered ${statusCode}: ${said}`)
      tookMs.push(performance.now() - startedAt)
    }
  }
  const [startedAt, before] = [performance.now(), await service.usage()]
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  const [endedAt, after] = [performance.now(), await service.usage()]
  await pool.close()
  return {
    cpuMs: (after.cpuMs - before.cpuMs) / calls,
    p50Ms: median(tookMs),
    perSecond: (calls / (endedAt - startedAt)) * 1000,
  }
}

function print({ ways, calls }: McpResult): void {
  const rows = NAMES.map((name) => {
    const { cpuMs, p50Ms, perSecond, overRest } = ways[name]
    const goal = name === 'rest' ? '' : verdict(overRest <= GOAL_OVER_REST)
    const cells = [cpuMs.toFixed(3), p50Ms.toFixed(2), perSecond.toFixed(0), overRest.toFixed(2)]
    return [TITLES[name], ...cells, goal]
  })
  console.log(`${calls} calls each, ${CONNECTIONS} at a time`)
  const head = [
    '',
    'CPU ms a call',
    'median ms',
    'a second',
    'CPU of REST',
    `goal ${GOAL_OVER_REST}`,
  ]
  console.log(table([head, ...rows]))
}
