/**
 * The drift watch at work: the platform's stand-in changes, and the real client names the change and goes another way.
 */
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import type { FaultRule } from '../../emulator/faults.ts'
import { type Emulator, startEmulator } from '../../emulator/server.ts'
import { type DriftWatch, openDriftWatch } from '../../src/platform/drift/drift-watch.ts'
import type { Platform } from '../../src/platform/platform.ts'
import { openPlatform } from '../../src/platform/youtube/open-platform.ts'
import { readRoutes } from '../../src/platform/egress/route.ts'
import type { RequestReport } from '../../src/platform/youtube/session.ts'
import { localBudget, NEVER } from './near-platform.ts'

const NAMED_WITHIN = 200

type Stage = {
  platform: Platform
  watch: DriftWatch
  requests: RequestReport[]
  ids: string[]
}

/** Opens three routes with short rests, and videos of several channels that have captions. */
function open(t: TestContext, emulator: Emulator): Stage {
  emulator.clear()
  const requests: RequestReport[] = []
  const watch = openDriftWatch()
  const routes = readRoutes(
    emulator.exits.map((exit, at) => `${exit}#name=exit${at + 1}&ratePerMinute=60000`).join(' '),
  ).map((route) => ({ ...route, restMs: { first: 20, longest: 40 } }))
  const platform = openPlatform({
    origin: emulator.origin,
    routes,
    budget: localBudget(),
    clients: null,
    now: () => new Date(),
    watch,
    limits: { patienceMs: 500, retryPauseMs: 0, requestMs: 60_000 },
    onRequest: (report) => requests.push(report),
  })
  t.after(() => platform.close())
  return { platform, watch, requests, ids: videosOf(emulator) }
}

/** Returns a few videos of each channel, in turn. */
function videosOf({ world }: Emulator): string[] {
  const lists = world.channels.map((channel) => world.uploads(channel, null))
  const ids: string[] = []
  for (let at = 0; ids.length < NAMED_WITHIN && at < 40; at += 1)
    for (const list of lists) {
      const video = at < list.length ? list.at(at) : null
      if (video?.state === 'ok' && video.tracks.length > 0) ids.push(video.videoId)
    }
  return ids
}

/** Fetches videos, two at a time as on a real route, until a line says so; returns how many it took. */
async function videosUntil(
  { platform, watch, ids }: Stage,
  line: RegExp,
  videosMax = NAMED_WITHIN,
): Promise<number> {
  for (let at = 0; at < videosMax; at += 2) {
    if (watch.lines().some((one) => line.test(one))) return at
    const two = ids.slice(at, at + 2)
    const ask = { language: 'original', wantsDate: true }
    await Promise.all(two.map((videoId) => platform.fetchVideo({ ...ask, videoId }, NEVER)))
  }
  assert.fail(`after ${videosMax} videos: ${JSON.stringify(watch.lines())}`)
}

type Case = { name: string; faults: FaultRule[]; line: RegExp; first?: string }

const visionos = (fault: FaultRule['do']): FaultRule[] => [
  { do: fault, on: 'player', client: 'VISIONOS' },
]

const CASES: Case[] = [
  {
    name: 'a client lists no captions',
    faults: visionos('hide_captions'),
    line: /^VISIONOS, since \d\d:\d\d UTC: no captions are listed for videos that others deliver \(.*; ANDROID is asked first now\.$/,
    first: 'ANDROID',
  },
  {
    name: 'a client is told that it is too old',
    faults: visionos('outdated'),
    line: /^VISIONOS, since [\d:]{5} UTC: our version is no longer accepted.*; ANDROID is asked first now/,
    first: 'ANDROID',
  },
  {
    name: 'a client is refused as too old',
    faults: visionos('retired'),
    line: /^VISIONOS: our version is no longer accepted.*; ANDROID is asked first now/,
    first: 'ANDROID',
  },
  {
    name: 'a client is to reload its page',
    faults: visionos('page_reload'),
    line: /^VISIONOS, since [\d:]{5} UTC: we are told to reload the page .*; ANDROID is asked first now/,
    first: 'ANDROID',
  },
  {
    name: 'a client is answered in another form',
    faults: visionos('missing_keys'),
    line: /^VISIONOS, since [\d:]{5} UTC: we get answers in a form that we do not know .*; ANDROID is asked first now/,
    first: 'ANDROID',
  },
  {
    name: 'one route is blocked',
    faults: [{ do: 'too_many', on: 'player', identity: '127.0.0.2' }],
    line: /^Route exit1, since [\d:]{5} UTC: we are told that we are asking too often /,
  },
  {
    name: 'the words of all captions come empty',
    faults: [{ do: 'empty', on: 'timedtext' }],
    line: /^On all clients and routes, since [\d:]{5} UTC: captions are listed but come empty/,
  },
  {
    name: 'dates come in another form',
    faults: [{ do: 'missing_keys', on: 'player', client: 'WEB' }],
    line: /asked for dates, since [\d:]{5} UTC: we get answers in a form that we do not know/,
  },
]

test('what changes on the platform is named within 200 videos, and the order of clients follows', async (t) => {
  const emulator = await startEmulator({ exits: 3 })
  t.after(() => emulator.close())
  for (const { name, faults, line, first } of CASES)
    await t.test(name, async (t) => {
      const stage = open(t, emulator)
      emulator.apply({ faults })
      const videos = await videosUntil(stage, line)
      t.diagnostic(`${videos} videos: ${stage.watch.lines().join(' ')}`)
      if (first === undefined) return
      stage.requests.length = 0
      await stage.platform.fetchVideo(
        { videoId: stage.ids[0] ?? '', language: 'original', wantsDate: false },
        NEVER,
      )
      assert.deepEqual(
        stage.requests.map(({ call, client }) => `${call} ${client}`),
        [`player ${first}`, `timedtext ${first}`],
        'the client that fails is not asked at all',
      )
    })

  await t.test('nothing is named while nothing changes', async (t) => {
    const stage = open(t, emulator)
    await assert.rejects(videosUntil(stage, /./, 40), /after 40 videos: \[\]/)
  })
})
