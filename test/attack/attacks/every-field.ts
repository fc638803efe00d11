/**
 * Attacks on every field of every route: both come from the schemas with which the service is built, so that a new
 * route is attacked by itself. No answer may be a fault of ours, and no connection may go without one.
 */
import assert from 'node:assert/strict'
import { exchange, type Reply } from '../../../tools/conformance/http.ts'
import { fillBuckets, liftLimits } from '../../support/rate-limits.ts'
import type { Attack, Target } from '../attack.ts'
import { type Caller, operator } from '../callers.ts'
import { type OddRequest, hostileRequestsOf, type KnownIds } from '../hostile-requests-of.ts'
import { mcpRequests } from '../mcp-requests.ts'
import { routesOf } from '../routes-of.ts'
import { OF_PAYMENTS } from './stripe-stories.ts'

export const EVERY_FIELD: readonly Attack[] = [
  {
    name: 'hostile values in every field of every route, by nobody, a key and an operator',
    class: 'unstorable text',
    isInGate: true,
    settings: OF_PAYMENTS,
    deadlineMs: 600_000,
    run: attackEveryField,
  },
]

/** A stranger sends one in so many of the requests to a guarded route. */
const STRANGERS_SHARE = 7

async function attackEveryField(target: Target): Promise<string> {
  const routes = await routesOf(target, OF_PAYMENTS)
  assert.ok(routes.length > 100, `${routes.length} routes were seen`)
  const { callers, ids } = await callersOf(target)
  const faults = new Map<string, string>()
  let sent = 0
  const send = async (route: string, request: OddRequest, caller: Caller): Promise<void> => {
    sent += 1
    const fault = await faultOf(target, request, caller)
    if (fault !== null && !faults.has(route)) faults.set(route, fault)
  }
  for (const route of routes) {
    const name = `${route.method} ${route.url}`
    const requests = [...hostileRequestsOf(route, ids)]
    for (const caller of callers.filter((one) => mayCall(one.name, route.url))) {
      // Behind a key or a session a stranger is refused at once, whatever is sent.
      const isStranger = caller.name === 'nobody' && /^\/(?:api|mcp|account)\b/.test(route.url)
      const some = requests.filter((_one, at) => !isStranger || at % STRANGERS_SHARE === 0)
      for (const request of some) await send(name, request, caller)
    }
  }
  const [, key] = callers
  assert.ok(key !== undefined)
  for await (const request of mcpRequests(target, key.headers)) await send('tools', request, key)
  assert.equal(
    faults.size,
    0,
    `faults at ${faults.size} routes\n${[...faults.values()].join('\n')}`,
  )
  return `${sent} requests to ${routes.length} routes were answered`
}

/** Whether a caller's rights say anything to a route: the key's to the API, the session's to the account. */
function mayCall(name: string, url: string): boolean {
  if (name === 'nobody') return !url.startsWith('/account/operator/')
  return name === 'a key' ? /^\/(?:api|mcp)\b/.test(url) : url.startsWith('/account')
}

async function callersOf(target: Target): Promise<{ callers: Caller[]; ids: KnownIds }> {
  const { customer, origin } = target
  const { pool } = target.fleet.database
  const buyer = await customer('10')
  await liftLimits(pool, buyer.accountId)
  const { job } = await buyer.orders({ urls: 'jNQXAC9IVRw' })
  const { accountId: other } = await customer('10')
  const headers = { authorization: `Bearer ${buyer.apiKey}` }
  return {
    callers: [
      { name: 'nobody', headers: { origin }, renew: async () => false },
      { name: 'a key', headers, renew: async () => false },
      await operator(target),
    ],
    ids: {
      '/api/v1/jobs/': String(job['id']),
      '/account/operator/jobs/': String(job['id']),
      '/account/operator/accounts/': other,
    },
  }
}

/** A fault of ours in an answer of the tools, which HTTP calls a success. */
const FAULT_INSIDE = /internal_error/
const hasFaultInside = (path: string, text: string): boolean =>
  path === '/mcp' && FAULT_INSIDE.test(text)

/**
 * Sends a request; returns what is wrong with its answer, null where nothing is. Limits are lifted, and rights
 * renewed, so that what lies behind them is reached.
 */
async function faultOf(
  { address, fleet }: Target,
  { method, path, headers, body }: OddRequest,
  caller: Caller,
): Promise<string | null> {
  // The length is known beforehand: where `Expect` is among them, headers are sent at once.
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
  const send = (): Promise<Reply> =>
    exchange({
      method,
      url: address,
      path,
      headers: { ...caller.headers, ...headers, ...length },
      body,
    })
  const cut = (text: string): string => text.slice(0, 300)
  const where = `${method} ${cut(path)} by ${caller.name} ${cut(JSON.stringify(headers))} ${cut(String(body))}`
  try {
    let reply = await send()
    if (reply.status === 429) await fillBuckets(fleet.database.pool)
    if (reply.status === 429 || (reply.status === 401 && (await caller.renew())))
      reply = await send()
    const text = reply.bytes.toString()
    return reply.status < 500 && !hasFaultInside(path, text)
      ? null
      : `${where}: ${reply.status} ${cut(text)}`
  } catch (error) {
    return `${where}: ${(error as Error).message}`
  }
}
