/** The platform client against recorded replies of the real platform, where these are present. */
import assert from 'node:assert/strict'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { openPlatform } from '../../src/platform/youtube/open-platform.ts'
import type { VideoAnswer } from '../../src/platform/platform.ts'
import type { RequestReport } from '../../src/platform/youtube/session.ts'
import { serveRecording } from '../../emulator/replay/serving.ts'
import { RECORDED, startReplay } from '../support/replay.ts'
import { listSource, localBudget, NEVER, readAll } from '../platform/near-platform.ts'
import { segmentsOf } from '../support/segments-of.ts'

const skip = RECORDED === null ? 'RECORDED_REPLIES names no folder with recorded replies' : false

/** Serves the recordings by the emulator. */
async function startOwnReplay(t: TestContext): Promise<{ origin: string }> {
  const folder = path.join(RECORDED ?? '', 'recordings')
  const served = await serveRecording({ folder, onUnrecorded: () => {} })
  t.after(() => served.close())
  return served
}

/** Tests with the recordings as the program that is kept with them serves them, and as the emulator does. */
function testRecorded(name: string, run: (near: Replayed) => Promise<void>): void {
  test(name, { skip }, async (t) => run(await replayed(t, startReplay)))
  test(`${name}, by the emulator`, { skip }, async (t) => run(await replayed(t, startOwnReplay)))
}

type Replayed = Awaited<ReturnType<typeof replayed>>

async function replayed(t: TestContext, start: typeof startOwnReplay) {
  const { origin } = await start(t)
  const requests: RequestReport[] = []
  const platform = openPlatform({
    origin,
    routes: [],
    budget: localBudget(),
    clients: null,
    now: () => new Date(),
    onRequest: (report) => requests.push(report),
  })
  t.after(() => platform.close())
  return { platform, requests }
}

/** Returns one line about what a recorded video comes out as. */
function inOneLine(answer: VideoAnswer): string {
  switch (answer.kind) {
    case 'fetched': {
      const { languageCode, trackKind } = answer.transcript
      return `${languageCode} ${trackKind}${answer.isFallback ? ' fallback' : ''}, ${answer.facts.channelName}, ${answer.facts.publishedAt}`
    }
    case 'refused':
      return `${answer.refusal.reason}, ${answer.facts.channelName}`
    case 'obstructed':
      return `${answer.obstacle.kind}: ${answer.obstacle.text}`
    default:
      return answer satisfies never
  }
}

const VIDEOS: [string, string, string][] = [
  // each line: the recorded video, the wish, the outcome
  ['Kn56bMZ9OE8', 'original', 'en manual, Tom Scott, 2023-03-20T09:02:04-07:00'], // its asr track is Japanese
  ['Kn56bMZ9OE8', 'en-GB', 'en-GB manual, Tom Scott, 2023-03-20T09:02:04-07:00'],
  ['Kn56bMZ9OE8', 'ja', 'ja asr, Tom Scott, 2023-03-20T09:02:04-07:00'],
  ['Kn56bMZ9OE8', 'fr', 'en manual fallback, Tom Scott, 2023-03-20T09:02:04-07:00'],
  [
    'M4gD1WSo5mA',
    'original',
    'en manual, The Berkman Klein Center for Internet & Society, 2015-01-27T21:14:36-08:00',
  ],
  ['it3OtbTxQk0', 'original', 'en asr, GoogleDoodles, 2023-01-13T13:53:57-08:00'], // not available on VISIONOS
  ['udsB8KnIJTg', 'original', 'de asr, Hooked, 2017-09-22T05:15:21-07:00'], // unlisted
  ['X4VbdwhkE10', 'original', 'live_now, Lofi Girl'],
  ['ayI2iBwGdxw', 'original', 'members_only, Eurogamer'],
  ['8VajtrESJzA', 'original', 'private, null'],
  ['don-t-exist', 'original', 'not_found, null'],
]

testRecorded(
  'recorded videos come out with the right track, verdict and date',
  async ({ platform }) => {
    for (const [videoId, language, expected] of VIDEOS) {
      const answer = await platform.fetchVideo({ videoId, language, wantsDate: true }, NEVER)
      assert.equal(inOneLine(answer), expected, videoId)
      if (answer.kind === 'fetched') {
        const words = segmentsOf(answer.transcript)
          .map(({ text }) => text)
          .join(' ')
          .split(' ')
        assert.equal(words.length, 120)
        assert.ok(words.some((word) => word.endsWith(`-${answer.transcript.languageCode}`)))
      }
    }
  },
)

testRecorded(
  'the long recorded playlist comes out whole: 398 distinct videos, four pages of them',
  async ({ platform, requests }) => {
    const { videos, end } = await readAll(
      platform,
      listSource('PLWwAypAcFRgKAIIFqBr9oy-ZYZnixa_Fj'),
    )
    assert.equal(end.kind, 'page')
    assert.equal(videos.length, 398)
    assert.equal(new Set(videos.map(({ videoId }) => videoId)).size, 398)
    assert.deepEqual([videos[0]?.videoId, videos[100]?.videoId], ['8SbUC-UaAxE', 'Qzw6A2WC5Qo'])
    assert.ok(
      videos.every(
        ({ title, channelName, publishedText }) => title && channelName && publishedText,
      ),
    )
    const pages = requests.filter(({ call }) => call === 'browse').length
    // Four pages, and with the last token, whose reply was not recorded, two requests of one client and one of the
    // other, since the header counts more.
    assert.equal(pages, 4 + 2 + 1)
  },
)

const CHANNELS: [string, number, string, string][] = [
  ['https://www.youtube.com/user/creativecommons/videos', 60, 'BD-LB23rRBE', 'Creative Commons'],
  [
    'https://www.youtube.com/channel/UCh8gHdtzO2tXd593_bjErWg/shorts',
    96,
    'l-X5WbDSH2o',
    'Doobydobap',
  ],
]

testRecorded(
  'recorded channel tabs come out in order, over their continuation',
  async ({ platform }) => {
    for (const [line, count, first, channelName] of CHANNELS) {
      const { videos, end } = await readAll(platform, listSource(line))
      assert.equal(end.kind, 'page', line)
      assert.equal(new Set(videos.map(({ videoId }) => videoId)).size, count, line)
      assert.equal(videos.length, count)
      assert.equal(videos[0]?.videoId, first)
      assert.ok(videos.every((video) => video.channelName === channelName && video.title))
    }
  },
)

testRecorded(
  'recorded missing channels and playlists are missing in the platform’s words',
  async ({ platform }) => {
    const cases: [string, RegExp][] = [
      ['UCoaO4U_p7G7AwalqSbGCZOA', /violated our Community Guidelines/],
      ['@nonExistingHandleThatWillNeverExist15464', /no channel/],
      ['PL11111111111111111111111111111111', /does not exist/],
    ]
    for (const [line, text] of cases) {
      const { end } = await readAll(platform, listSource(line))
      assert.ok(end.kind === 'missing' && text.test(end.text), `${line}: ${JSON.stringify(end)}`)
    }
  },
)

testRecorded(
  'recorded handles and old names lead to their channels',
  async ({ platform, requests }) => {
    for (const line of [
      '@TheDailyShow',
      'youtube.com/thedailyshow',
      '@Gronkh',
      'youtube.com/gronkh',
    ]) {
      await platform.listPage({ source: listSource(line), cursor: null }, NEVER)
    }
    const resolved = requests.filter(({ call }) => call === 'resolve_url')
    assert.deepEqual(
      resolved.map(({ outcome }) => outcome),
      ['ok', 'ok', 'ok', 'ok'],
    )
  },
)
