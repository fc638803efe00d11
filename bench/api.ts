/**
 * What our layers cost: GET /jobs/{id} and GET /balance against a bare Fastify route that sends the same
 * statement and the same bytes, beside one without a database.
 * The server runs in a process of its own; short rounds alternate, and the median of the shares of
 * neighbouring rounds counts, so that what else the machine does meets all alike.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fastify } from 'fastify'
import { Pool } from 'undici'
import { createAccount } from '../src/features/accounts/account.ts'
import { hashSecret } from '../src/model/accounts/tokens.ts'
import { issueKey } from '../src/features/accounts/keys.ts'
import { buildApp } from '../src/app.ts'
import { addCredit } from '../src/features/money/balance.ts'
import { readConfig } from '../src/config/config.ts'
import { openContext } from '../src/open-context.ts'
import { transact } from '../src/kit/postgres/database.ts'
import { openDatabase } from '../src/store/database.ts'
import { run as runStatement } from '../src/kit/postgres/statement.ts'
import { AUTHENTICATE_FOR_BALANCE, AUTHENTICATE_FOR_JOB } from '../src/store/authentication.ts'
import { testDatabase, type TestDatabase } from '../test/support/database.ts'
import type { BenchOptions } from './bench.ts'
import { median, percent, table, verdict } from './table.ts'

type Caller = { apiKey: string; jobId: string; jobBytes: string; balanceBytes: string }
type Hello = { ours: string; bare: string }
type Route = 'balance' | 'job'
type Round = { perSecond: number; p50Ms: number; p99Ms: number }

export type ApiResult = {
  keys: number
  routes: Record<Route, { ours: Round; bare: Round; withoutDatabase: Round; shareOfBare: number }>
}

const NAMES = ['ours', 'bare', 'withoutDatabase'] as const
const KEYS = 100
const CONNECTIONS = 16
const SHARE_GOAL = 0.6
const SIZES = {
  smoke: { rounds: 1, requests: 300 },
  usual: { rounds: 12, requests: 1_500 },
}

/** Prints a table and returns its numbers. */
export async function run({ smoke }: BenchOptions): Promise<ApiResult> {
  const ends: (() => Promise<void>)[] = []
  try {
    return await measure(SIZES[smoke ? 'smoke' : 'usual'], (end) => ends.push(end))
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

async function measure(
  size: (typeof SIZES)['usual'],
  after: (end: () => Promise<void>) => void,
): Promise<ApiResult> {
  const database = await testDatabase({ after })
  const callers = await addCallers(database)
  const child = fork(import.meta.filename, ['serve', database.url], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  after(async () => {
    child.disconnect()
    await once(child, 'exit')
  })
  const [hello] = (await once(child, 'message')) as [Hello]
  for (const caller of callers) {
    caller.jobBytes = await read(hello.ours, `/api/v1/jobs/${caller.jobId}`, caller)
    caller.balanceBytes = await read(hello.ours, '/api/v1/balance', caller)
  }
  child.send(callers)
  await once(child, 'message')

  const result: ApiResult = { keys: KEYS, routes: {} as ApiResult['routes'] }
  for (const route of ['job', 'balance'] as const)
    result.routes[route] = await compare(route, { hello, callers, size })
  print(result)
  return result
}

type Stage = { hello: Hello; callers: Caller[]; size: (typeof SIZES)['usual'] }

async function compare(
  route: Route,
  { hello, callers, size }: Stage,
): Promise<ApiResult['routes'][Route]> {
  const targets = {
    ours: {
      origin: hello.ours,
      path: ({ jobId }: Caller) => (route === 'job' ? `/api/v1/jobs/${jobId}` : '/api/v1/balance'),
    },
    bare: { origin: hello.bare, path: ({ jobId }: Caller) => `/${route}/${jobId}` },
    withoutDatabase: {
      origin: hello.bare,
      path: ({ jobId }: Caller) => `/${route}-bytes/${jobId}`,
    },
  }
  const rounds = { ours: [] as Round[], bare: [] as Round[], withoutDatabase: [] as Round[] }
  for (let round = 0; round < size.rounds; round++) {
    for (const name of round % 2 === 0 ? NAMES : NAMES.toReversed()) {
      rounds[name].push(
        await load(targets[name].origin, callers, targets[name].path, size.requests),
      )
    }
  }
  const best = (all: Round[]): Round => ({
    perSecond: Math.max(...all.map(({ perSecond }) => perSecond)),
    p50Ms: Math.min(...all.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(all.map(({ p99Ms }) => p99Ms)),
  })
  const shares = rounds.ours.map(
    ({ perSecond }, at) => perSecond / (rounds.bare[at]?.perSecond ?? Number.NaN),
  )
  return {
    ours: best(rounds.ours),
    bare: best(rounds.bare),
    withoutDatabase: best(rounds.withoutDatabase),
    shareOfBare: median(shares),
  }
}

async function load(
  origin: string,
  callers: Caller[],
  path: (caller: Caller) => string,
  requests: number,
): Promise<Round> {
  const pool = new Pool(origin, { connections: CONNECTIONS })
  const tookMs: number[] = []
  let next = 0
  const work = async (): Promise<void> => {
    for (let at = next++; at < requests; at = next++) {
      const caller = callers[at % callers.length] as Caller
      const startedAt = performance.now()
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path: path(caller),
        headers: { authorization: `Bearer ${caller.apiKey}` },
      })
      await body.dump()
      if (statusCode !== 200) throw new Error(`${path(caller)} answered ${statusCode}`)
      tookMs.push(performance.now() - startedAt)
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  const seconds = (performance.now() - startedAt) / 1000
  await pool.close()
  tookMs.sort((a, b) => a - b)
  const at = (share: number): number => tookMs[Math.floor(tookMs.length * share)] ?? Number.NaN
  return { perSecond: requests / seconds, p50Ms: at(0.5), p99Ms: at(0.99) }
}

async function read(origin: string, path: string, { apiKey }: Caller): Promise<string> {
  const answer = await fetch(origin + path, { headers: { authorization: `Bearer ${apiKey}` } })
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
  return answer.text()
}

/** Returns accounts that each have credit, a key whose bucket never runs empty, and a finished job. */
async function addCallers({ db, pool }: TestDatabase): Promise<Caller[]> {
  const callers: Caller[] = []
  for (let at = 0; at < KEYS; at++) {
    const jobId = `bench-${at}`
    const { accountId, apiKey } = await transact(db, async (tx) => {
      const id = await createAccount(tx, { email: `bench-${at}@example.org` })
      await addCredit(tx, {
        accountId: id,
        micros: 10_000_000n,
        reference: `grant:${id}`,
        reason: null,
      })
      return {
        accountId: id,
        apiKey: (await issueKey(tx, { accountId: id, name: 'bench' })).apiKey,
      }
    })
    await pool.query(JOB, [jobId, accountId])
    callers.push({ apiKey, jobId, jobBytes: '', balanceBytes: '' })
  }
  await pool.query('update api_key set bucket_size = 1000000000')
  return callers
}

const JOB = `insert into job (id, account_id, state, created_at, finished_at, urls, url_set_hash, language, formats, max_videos,
    requested_max_videos, notices, reserved_micros, charged_micros, started_at, is_planned, slots_used, discovered, processed, success)
  select $1, $2, 'finished', now(), now(), array['https://www.youtube.com/@bench'], md5(random()::text), 'original',
    array['text', 'srt', 'vtt', 'segments'], 20, 500, '{}', 160000, 160000, now(), true, 20, 20, 20, 20`

/**
 * The child process runs the service, and a bare server that sends the same statements over a pool of the same size.
 */
async function serve(databaseUrl: string): Promise<void> {
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'silent',
    ROLES: 'api',
    PORT: '0',
  })
  const ctx = await openContext(config, new AbortController().signal)
  const app = await buildApp(ctx, 'http://bench.test')
  const { pool, close } = openDatabase({
    url: databaseUrl,
    connectionsMax: config.DATABASE_POOL,
    name: 'bare',
  })
  const bare = fastify()
  const callers = new Map<string, Caller & { hash: Buffer }>()
  const of = (request: { params: unknown }) =>
    callers.get((request.params as { id: string }).id) as Caller & { hash: Buffer }
  bare.get('/job/:id', async (request, reply) => {
    const { hash, jobId, jobBytes } = of(request)
    await runStatement(pool, AUTHENTICATE_FOR_JOB, [hash, jobId])
    return reply.type('application/json; charset=utf-8').send(jobBytes)
  })
  bare.get('/balance/:id', async (request, reply) => {
    const { hash, balanceBytes } = of(request)
    await runStatement(pool, AUTHENTICATE_FOR_BALANCE, [hash])
    return reply.type('application/json; charset=utf-8').send(balanceBytes)
  })
  bare.get('/job-bytes/:id', async (request, reply) =>
    reply.type('application/json; charset=utf-8').send(of(request).jobBytes),
  )
  bare.get('/balance-bytes/:id', async (request, reply) =>
    reply.type('application/json; charset=utf-8').send(of(request).balanceBytes),
  )
  process.on('message', (all: Caller[]) => {
    for (const caller of all)
      callers.set(caller.jobId, { ...caller, hash: hashSecret(caller.apiKey) })
    process.send?.('ready')
  })
  process.once(
    'disconnect',
    () =>
      void Promise.all([app.close(), bare.close()]).then(() => Promise.all([close(), ctx.close()])),
  )
  const listen = { host: '127.0.0.1', port: 0 }
  process.send?.({
    ours: await app.listen(listen),
    bare: await bare.listen(listen),
  } satisfies Hello)
}

function print({ routes }: ApiResult): void {
  const lines = Object.entries(routes).flatMap(
    ([route, { ours, bare, withoutDatabase, shareOfBare }]) => [
      [
        route === 'job' ? 'GET /jobs/{id}' : 'GET /balance',
        'a second',
        'median ms',
        'p99 ms',
        'of bare',
      ],
      ['  ours', ...cells(ours), `${percent(shareOfBare)}, ${verdict(shareOfBare >= SHARE_GOAL)}`],
      ['  bare, same statement', ...cells(bare), ''],
      ['  bare, no database', ...cells(withoutDatabase), ''],
    ],
  )
  console.log(table(lines))
}

function cells({ perSecond, p50Ms, p99Ms }: Round): string[] {
  return [perSecond.toFixed(0), p50Ms.toFixed(2), p99Ms.toFixed(2)]
}

if (process.argv[2] === 'serve') await serve(process.argv[3] ?? '')
