/** Attacks by what is made and ended in a circle: the rows that stay are counted, whatever a single request costs. */
import assert from 'node:assert/strict'
import { Customer } from '../../../tools/conformance/customer.ts'
import type { Json } from '../../../tools/conformance/http.ts'
import { addCredit } from '../../../src/features/money/balance.ts'
import { LIMITS } from '../../../src/config/config.ts'
import { transact } from '../../../src/kit/postgres/database.ts'
import { JOBS_FOR_NOTHING_MIN } from '../../../src/model/jobs/allowance.ts'
import { liftLimits } from '../../support/rate-limits.ts'
import type { Attack, Target } from '../attack.ts'
import { signUp } from '../member.ts'

const [PREVIEWS, SUBSCRIPTIONS, KEYS] = [5, 20, 100]
/** No worker brings what was stopped to rest. The bounds that an operator sets are small. */
const SETTINGS = {
  ROLES: 'api',
  PREVIEWS_PER_HOUR: String(PREVIEWS),
  SUBSCRIPTIONS_PER_ACCOUNT: String(SUBSCRIPTIONS),
  FREE_CALLS_PER_DAY: '0',
  FREE_CALLS_PER_USD: '0',
}
/** Turns beyond the bound, and further makings after the last one, of which so many are at once. */
const BEYOND = 20
const AT_ONCE = 50
/** Answers that say that the account has enough: of a number, of work at once, of a day or an hour. */
const REFUSALS: ReadonlySet<number> = new Set([400, 429])

type Answer = { status: number; body: Json }
/** Asks by a key of the account, or as a page of the website where the address begins with `/account/`. */
type Ask = (method: string, path: string, body?: object, key?: string) => Promise<Answer>

type Circle = {
  /** The table whose rows of the account are counted, and the most that there may be. */
  table: string
  most: number
  /** The answer that ends the circle; null where each end makes room for the next one. */
  stops: 429 | null
  make(ask: Ask, at: number): Promise<Answer>
  /** Ends what was made; null for what only time ends. */
  end: ((ask: Ask, made: Json) => Promise<Answer>) | null
}

const line = (at: number): string => `none${String(at).padStart(7, '0')}`

const CIRCLES: readonly Circle[] = [
  {
    table: 'batch',
    most: LIMITS.batchesKeptMax,
    stops: 429,
    make: (ask, at) => ask('POST', '/batches', { urls: line(at) }),
    end: (ask, { id }) => ask('PATCH', `/batches/${id}`, { state: 'stopped' }),
  },
  {
    table: 'job',
    most: JOBS_FOR_NOTHING_MIN,
    stops: 429,
    make: (ask, at) => ask('POST', '/jobs', { urls: line(at), maxVideos: 1 }),
    end: (ask, { id }) => ask('POST', `/jobs/${id}/cancel`),
  },
  {
    table: 'preview',
    most: PREVIEWS,
    stops: 429,
    make: (ask, at) => ask('POST', '/previews', { urls: line(at) }),
    end: null,
  },
  {
    table: 'project',
    most: LIMITS.projectsMax,
    stops: null,
    make: (ask, at) => ask('POST', '/projects', { name: `Project ${at}` }),
    end: (ask, { id }) => ask('DELETE', `/projects/${id}`),
  },
  {
    table: 'webhook',
    most: LIMITS.webhooksMax,
    stops: null,
    make: (ask, at) => ask('POST', '/webhooks', { url: `https://hooks.example.org/${at}` }),
    end: (ask, { id }) => ask('DELETE', `/webhooks/${id}`),
  },
  {
    table: 'subscription',
    most: SUBSCRIPTIONS,
    stops: null,
    make: (ask, at) =>
      ask('POST', '/subscriptions', { url: `@nobody${at}isthere`, monthlyCap: '1' }),
    end: (ask, { id }) => ask('DELETE', `/subscriptions/${id}`),
  },
  {
    table: 'api_key',
    most: 2 * KEYS, // live ones, and revoked ones that are listed
    stops: null,
    async make(ask, at) {
      const made = await ask('POST', '/account/keys', { name: `Key ${at}` })
      // A key that was never used leaves nothing.
      if (made.status === 201) await ask('GET', '/balance', undefined, made.body['apiKey'])
      return made
    },
    end: (ask, { keyId }) => ask('DELETE', `/account/keys/${keyId}`),
  },
]

export const CIRCLES_OF_ROWS: readonly Attack[] = CIRCLES.map((circle) => ({
  name: `rows of ${circle.table} beyond their bound, made and ended in a circle and then at once`,
  class: 'free work',
  isInGate: true,
  settings: SETTINGS,
  run: (target) => turns(target, circle),
}))

/** Makes and ends one after another, as fast as it goes, and then makes many at once and ends none. */
async function turns(target: Target, { table, most, stops, make, end }: Circle): Promise<string> {
  const { pool } = target.fleet.database
  const { accountId, ask } = await patientMember(target)
  let [at, stopped]: [number, number | null] = [0, null]
  for (; at < most + BEYOND; at += 1) {
    const { status, body } = await make(ask, at)
    if (REFUSALS.has(status)) stopped = status
    if (stopped !== null) break
    assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
    const ended = await end?.(ask, body)
    assert.ok((ended?.status ?? 200) < 300, JSON.stringify(ended?.body))
  }
  const rows = async (): Promise<number> => {
    const found = await pool.query(`select from ${table} where account_id = $1`, [accountId])
    return found.rows.length
  }
  const left = await rows()
  const made: Answer[] = []
  while (made.length < most - left + BEYOND) {
    const from = at + 1 + made.length
    const lot = Array.from({ length: AT_ONCE }, (_, also) => make(ask, from + also))
    made.push(...(await Promise.all(lot)))
  }
  const refused = made.filter(({ status }) => REFUSALS.has(status))
  const seen = `${at} turns left ${left} rows, ${made.length} more made them ${await rows()} of at most ${most}`
  assert.ok(left <= most && (await rows()) <= most, seen)
  assert.equal(stopped, stops, seen)
  assert.ok(refused.length >= BEYOND, `${refused.length} of ${made.length} were refused: ${seen}`)
  return seen
}

/** A member with money, a session and a key without the limits of a minute. */
async function patientMember(target: Target): Promise<{ accountId: string; ask: Ask }> {
  const { db, pool } = target.fleet.database
  const { accountId, visitor } = await signUp(target)
  const credit = { accountId, micros: 10_000_000n, reference: accountId, reason: null }
  await transact(db, (tx) => addCredit(tx, credit))
  const { apiKey } = (await visitor.asks('POST', '/account/keys', { name: 'mine' })).body
  await liftLimits(pool, accountId)
  const api = new Customer({ address: target.address, accountId, apiKey })
  const ask: Ask = (method, path, body, key = apiKey) =>
    path.startsWith('/account/')
      ? visitor.asks(method, path, body)
      : api.asks(method, path, { body, headers: { Authorization: `Bearer ${key}` } })
  return { accountId, ask }
}
