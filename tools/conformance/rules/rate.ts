/** Rules of the rate limit (specification 8, decision 35). */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Reply } from '../http.ts'
import type { Kit } from '../kit.ts'
import { type Rule, rule } from '../rule.ts'

const BURST = 60
const PATIENCE_MS = 60_000
const impatient = (kit: Kit, path = '/balance', method = 'GET'): Promise<Reply> =>
  kit.ask(method, path, { isPatient: false })

/** Returns the tokens that came since, at one a second, however slow the deployment and the way to it are. */
function tokensSince(startedAt: number): number {
  return Math.ceil((performance.now() - startedAt) / 1000)
}

/**
 * Asks until refused. Returns the answers admitted on the way, the refusal, and since when there may be tokens again.
 */
async function exhaust(kit: Kit): Promise<{ admitted: Reply[]; refusal: Reply; spentAt: number }> {
  const admitted: Reply[] = []
  for (;;) {
    const spentAt = performance.now()
    const replies = await Promise.all(Array.from({ length: 10 }, () => impatient(kit)))
    admitted.push(...replies.filter(({ status }) => status === 200))
    const refusal = replies.find(({ status }) => status === 429)
    if (refusal !== undefined) return { admitted, refusal, spentAt }
    assert.ok(admitted.length < 10 * BURST, 'nothing was refused')
  }
}

export const rateRules: Rule[] = [
  rule('X-RateLimit-Limit is 60 and Remaining counts down', async (kit) => {
    const replies = [await impatient(kit), await impatient(kit)].filter(
      ({ status }) => status === 200,
    )
    for (const { headers } of replies) {
      assert.equal(headers.get('x-ratelimit-limit'), '60')
      assert.match(String(headers.get('x-ratelimit-remaining')), /^\d+$/)
      assert.ok(Number(headers.get('x-ratelimit-remaining')) < BURST)
    }
  }),
  rule(
    'Over the limit the answer is 429 rate_limited with Remaining 0 and Retry-After of at least 1',
    async (kit) => {
      const { refusal } = await exhaust(kit)
      assert.deepEqual([refusal.status, refusal.body['error'].code], [429, 'rate_limited'])
      assert.equal(refusal.headers.get('x-ratelimit-remaining'), '0')
      assert.match(refusal.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    },
  ),
  rule('At most 60 and one more per second are admitted, and a 429 costs nothing', async (kit) => {
    const { spentAt } = await exhaust(kit)
    let admitted = 0
    while (admitted < 3) {
      assert.ok(performance.now() - spentAt < PATIENCE_MS, 'refusals take the tokens that come')
      admitted += (await impatient(kit)).status === 200 ? 1 : 0
      await sleep(50)
    }
    const tokens = tokensSince(spentAt)
    assert.ok(admitted <= tokens, `${admitted} were admitted in ${tokens} s`)
  }),
  rule('After Retry-After seconds there is a token again', async (kit) => {
    const { refusal } = await exhaust(kit)
    await sleep(Number(refusal.headers.get('retry-after')) * 1000)
    assert.equal((await impatient(kit)).status, 200)
  }),
  rule('429 comes before 404, 405, 415, 413 and malformed JSON', async (kit) => {
    const { spentAt } = await exhaust(kit)
    const statuses = await Promise.all(
      [
        impatient(kit, '/nothing'),
        impatient(kit, '/jobs', 'DELETE'),
        kit.ask('POST', '/jobs', {
          isPatient: false,
          body: 'x'.repeat(70_000),
          headers: { 'Content-Type': 'text/plain' },
        }),
        kit.ask('POST', '/jobs', { isPatient: false, body: '{' }),
      ].map(async (asked) => (await asked).status),
    )
    const others = statuses.filter((status) => status !== 429)
    assert.ok(others.length <= tokensSince(spentAt), String(statuses))
  }),
  rule('Every authenticated request costs one token, refusals too', async (kit) => {
    const startedAt = performance.now()
    const before = Number((await kit.ask('GET', '/balance')).headers.get('x-ratelimit-remaining'))
    if (before < 10) return
    const paths = ['/nothing', '/jobs/none', '/jobs?limit=0', `/jobs/${randomUUID()}/files/zip`]
    let last = before
    for (const path of paths)
      last = Number((await impatient(kit, path)).headers.get('x-ratelimit-remaining'))
    assert.ok(last <= before - paths.length + tokensSince(startedAt), `${before} -> ${last}`)
  }),
  rule(
    'One key does not spend the tokens of another',
    async (kit) => {
      await exhaust(kit)
      const reply = await kit.ask('GET', '/balance', {
        key: kit.options.secondKey,
        isPatient: false,
      })
      assert.equal(reply.status, 200)
    },
    'secondKey',
  ),
]
