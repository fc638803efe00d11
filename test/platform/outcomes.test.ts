/** Counts of requests: a block is counted as the block it is, and raises no route's rate. */
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import type { ActionKind, FaultRule } from '../../emulator/faults.ts'
import type { RouteBudget } from '../../src/model/platform/route-budget.ts'
import { LIST_CLIENTS, localBudget, type Near, nearPlatform } from './near-platform.ts'

const HASTY = { patienceMs: 50, requestMs: 60_000, retryPauseMs: 1 }

/**
 * Returns a budget that counts the answers by which a route's rate would have risen; each request takes its own permit.
 */
function countingBudget(): { budget: RouteBudget; raised: () => number } {
  const inner = localBudget()
  let raised = 0
  const budget: RouteBudget = {
    ...inner,
    async take(terms, told) {
      raised += told.answered
      const lease = await inner.take(terms, told)
      return lease.kind === 'leased' ? { ...lease, permits: 1 } : lease
    },
  }
  return { budget, raised: () => raised }
}

async function begin(t: TestContext) {
  const { budget, raised } = countingBudget()
  const near = await nearPlatform(t, {}, { budget, limits: HASTY })
  return { near, raised }
}

/** Returns each outcome that was reported for a call. */
function outcomesOf({ requests }: Near, call: string): string[] {
  return [
    ...new Set(requests.filter((one) => one.call === call).map(({ outcome }) => outcome)),
  ].sort()
}

const PLAYER_BLOCKS: [ActionKind, string][] = [
  ['bot_check', 'bot_check'],
  ['captcha', 'captcha'],
  ['try_again_later', 'session_limit'],
  ['page_reload', 'reload'],
  ['outdated', 'retired'],
  ['unknown_status', 'unknown'],
  ['missing_keys', 'unreadable'],
  ['too_many', 'rate_limited'],
]

test('a refusal in a good reply is counted as the obstacle it is, never as ok', async (t) => {
  for (const [fault, outcome] of PLAYER_BLOCKS) {
    const { near } = await begin(t)
    near.emulator.apply({ faults: [{ do: fault, on: 'player' }] })
    await near.fetch(near.emulator.world.special('asr').videoId)
    assert.deepEqual(outcomesOf(near, 'player'), [outcome], fault)
  }
})

test('captions that come empty or as a page are counted so, and those that come as ok', async (t) => {
  const faults: [ActionKind, string][] = [
    ['empty', 'withheld'],
    ['html', 'unreadable'],
    ['sorry_redirect', 'block_page'],
  ]
  for (const [fault, outcome] of faults) {
    const { near } = await begin(t)
    const { videoId } = near.emulator.world.special('asr')
    await near.fetch(videoId)
    assert.deepEqual(outcomesOf(near, 'timedtext'), ['ok'])
    near.requests.length = 0
    near.emulator.apply({ faults: [{ do: fault, on: 'timedtext' }] })
    await near.fetch(videoId)
    assert.deepEqual(outcomesOf(near, 'timedtext'), [outcome], fault)
  }
})

test('a date that is refused to robots is counted as a bot check', async (t) => {
  const { near } = await begin(t)
  near.emulator.apply({ faults: [{ do: 'bot_check', on: 'player', client: LIST_CLIENTS }] })
  await near.fetch(near.emulator.world.special('asr').videoId, 'original', true)
  assert.deepEqual(outcomesOf(near, 'date'), ['bot_check'])
})

test('only answers raise the rate of a route: blocked requests do not', async (t) => {
  const keys = ['both', 'asr', 'manual', 'regions', 'dubs', 'many', 'arabic', 'hindi', 'russian']
  for (const fault of ['bot_check', 'captcha', 'page_reload', 'decoy'] as const) {
    const { near, raised } = await begin(t)
    const faults: FaultRule[] = [{ do: fault, on: 'player' }]
    near.emulator.apply({ faults })
    for (const key of keys) await near.fetch(near.emulator.world.special(key).videoId)
    near.emulator.clear()
    const answered = near.requests.filter(({ outcome }) => outcome === 'ok').length
    assert.ok(near.requests.length - answered >= 1, `${fault}: nothing was blocked`)
    assert.ok(raised() <= answered, `${fault}: ${raised()} of ${answered} answers`)
  }
})
