/** A language that one app does not list is missing only where another one bears that out, and none lists it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FaultRule } from '../../emulator/faults.ts'
import { type Near, nearPlatform } from './near-platform.ts'

const OTHERS = ['ANDROID', 'IOS']
const ALL = ['VISIONOS', ...OTHERS]
const HASTY = { limits: { patienceMs: 500, requestMs: 60_000, retryPauseMs: 1 } }
const DOUBTED = 'language_not_available, doubted'

const down = (client: string[]): FaultRule => ({ do: 'server_error', on: 'player', client })
const wordless: FaultRule = { do: 'forbidden', on: 'timedtext', client: OTHERS }
const limited: FaultRule = { do: 'too_many', on: 'player', client: OTHERS, retryAfterS: 60 }

/** The fault, the video and what becomes of it, how many apps are asked, and whether the route rests afterwards. */
const CASES: [FaultRule, string, string, number, boolean][] = [
  [down([]), 'no-original', 'language_not_available', 2, false],
  [down(OTHERS), 'no-original', DOUBTED, 3, false],
  [down([]), 'hidden-original', 'fetched', 2, false],
  [down(['VISIONOS']), 'hidden-original', 'fetched', 2, false],
  [down(OTHERS), 'hidden-original', DOUBTED, 3, false],
  [wordless, 'hidden-original', 'blocked', 3, false],
  [limited, 'no-original', DOUBTED, 3, true],
]

async function asks({ fetch, emulator }: Near, key: string): Promise<string> {
  const answer = await fetch(emulator.world.special(key).videoId)
  if (answer.kind === 'obstructed') return answer.obstacle.kind
  if (answer.kind === 'fetched') return answer.kind
  return answer.refusal.reason + (answer.refusal.isDoubted === true ? ', doubted' : '')
}

test('a language that one app alone does not list is asked of the next one, or missing with a doubt', async (t) => {
  for (const [fault, key, expected, asked, isRouteBlamed] of CASES) {
    const near = await nearPlatform(t, {}, HASTY)
    near.emulator.apply({ faults: [fault] })
    const about = `${key} ${JSON.stringify(fault)}`
    assert.equal(await asks(near, key), expected, about)
    const players = near.requests.filter(({ call }) => call === 'player')
    const apps = new Set(players.map(({ client }) => client))
    assert.deepEqual([...apps], ALL.slice(0, asked), about)
    assert.equal(await asks(near, 'both'), isRouteBlamed ? 'blocked' : 'fetched', about)
  }
})
