/** The drift watch over simulated days: quiet ones raise no alarm, and each change is named within 200 videos. */
import assert from 'node:assert/strict'
import test from 'node:test'
import type { VerdictBlame } from '../../src/model/platform/visit.ts'
import { assertQuiet, HABITS, QUIET_VIDEOS } from './drift-quiet.ts'
import { type DriftedAnswer, driftWorld, type DriftWorld } from './drift-world.ts'

const NAMED_WITHIN = 200
const SEEDS = [1, 2, 3]
const said = (verdict: string, blame: VerdictBlame) => ({ verdict, blame })
const ofClient =
  (verdict: string, blame: VerdictBlame, name = 'VISIONOS'): DriftedAnswer =>
  ({ client }) =>
    client === name ? said(verdict, blame) : null
const captions =
  (change: DriftedAnswer): DriftedAnswer =>
  (asked, random) =>
    asked.question === 'captions' ? change(asked, random) : null

type Case = { name: string; change: DriftedAnswer; line: RegExp }

const DRIFTS: Case[] = [
  {
    name: 'a client lists no captions',
    change: ofClient('no_captions', 'video'),
    line: /^VISIONOS, since 1\d:\d\d UTC: no captions are listed for videos that others deliver \(.*; ANDROID is asked first now\.$/,
  },
  {
    name: 'a client calls videos gone',
    change: ofClient('not_available', 'video'),
    line: /^VISIONOS, since [\d:]{5} UTC: “not available” is said of videos that others deliver .*ANDROID is asked first now/,
  },
  {
    name: 'the captions of a client come empty',
    change: ofClient('withheld', 'client'),
    line: /^VISIONOS, since [\d:]{5} UTC: captions are listed but come empty .*ANDROID is asked first now/,
  },
  {
    name: 'a client is too old, said in words',
    change: ofClient('retired', 'client'),
    line: /^VISIONOS, since [\d:]{5} UTC: our version is no longer accepted .*ANDROID is asked first now/,
  },
  {
    name: 'a client is answered in words nobody knows',
    change: ofClient('unknown', 'nobody'),
    line: /^VISIONOS, since [\d:]{5} UTC: we get answers that we do not know .*ANDROID is asked first now/,
  },
  {
    name: 'half of the replies of a client have another form',
    change: (asked, random) =>
      asked.client === 'VISIONOS' && random() < 0.5 ? said('unreadable', 'nobody') : null,
    line: /^VISIONOS, since [\d:]{5} UTC: we get answers in a form that we do not know/,
  },
  {
    name: 'a client on one route only',
    change: ({ client, route }) =>
      client === 'VISIONOS' && route === 'exit1' ? said('unreadable', 'nobody') : null,
    line: /^VISIONOS, since [\d:]{5} UTC: we get answers in a form/,
  },
  {
    name: 'one route is asked whether it is a robot',
    change: captions(({ route }) => (route === 'exit2' ? said('bot_check', 'route') : null)),
    line: /^Route exit2, since [\d:]{5} UTC: we are asked to prove that we are not a robot /,
  },
  {
    name: 'a third of the answers on one route do not come in time',
    change: captions(({ route }, random) =>
      route === 'exit3' && random() < 0.33 ? said('timed_out', 'once') : null,
    ),
    line: /^VISIONOS, since [\d:]{5} UTC: no answer comes in time/,
  },
  {
    name: 'all routes are told that we ask too often',
    change: captions(() => said('rate_limited', 'route')),
    line: /^On all clients and routes, since [\d:]{5} UTC: we are told that we are asking too often/,
  },
  {
    name: 'nobody lists captions any more',
    change: captions(() => said('no_captions', 'video')),
    line: /^On all clients and routes, since [\d:]{5} UTC: no captions are listed/,
  },
  {
    name: 'the words of all captions come empty',
    change: captions(() => said('withheld', 'client')),
    line: /^On all clients and routes, since [\d:]{5} UTC: captions are listed but come empty/,
  },
  {
    name: 'no dates are given',
    change: ({ question }) => (question === 'date' ? said('undated', 'video') : null),
    line: /^On all clients and routes, asked for dates, since [\d:]{5} UTC: no publish dates are given/,
  },
  {
    name: 'lists come empty',
    change: ({ question }) => (question === 'list' ? said('no_videos', 'video') : null),
    line: /^On all clients and routes, asked for lists, since [\d:]{5} UTC: lists come without videos/,
  },
]

/** Returns a world with a past to compare with. */
function afterQuietDays(seed: number): DriftWorld {
  const world = driftWorld({ seed })
  world.fetch(1_500)
  return world
}

for (const { name, change, line } of DRIFTS) {
  test(`named within ${NAMED_WITHIN} videos: ${name}`, (t) => {
    let most = 0
    for (const seed of SEEDS) {
      const world = afterQuietDays(seed)
      assert.deepEqual(world.lines(), [], 'nothing before')
      const before = world.videos
      world.fetch(NAMED_WITHIN, {
        change,
        until: () => world.lines().some((one) => line.test(one)),
      })
      most = Math.max(most, world.videos - before)
      assert.ok(
        world.lines().some((one) => line.test(one)),
        `seed ${seed}: ${JSON.stringify(world.lines())}`,
      )
    }
    t.diagnostic(`${most} videos at most`)
  })
}

test(`no false alarm in ${QUIET_VIDEOS} quiet videos, whatever the habits of the day`, () => {
  for (const [at, habit] of HABITS.entries()) assertQuiet({ seed: at + 1, ...habit })
})

test('a drift that is over is no longer named', () => {
  for (const { name, change } of DRIFTS.slice(0, 6)) {
    const world = afterQuietDays(7)
    world.fetch(NAMED_WITHIN, { change })
    assert.notDeepEqual(world.lines(), [], name)
    world.fetch(600)
    assert.deepEqual(world.lines(), [], name)
    assert.equal(world.first(), 'VISIONOS', `${name}: the order is as before`)
  }
})
