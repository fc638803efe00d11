/**
 * The whole service on replies recorded from the real platform. RECORDED_REPLIES names the folder
 * that holds them and the program that serves them (`replay.mjs`); without it these tests are skipped.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { RECORDED, startReplay } from '../support/replay.ts'
import { testService } from '../support/service.ts'

const SKIP = RECORDED === null ? 'RECORDED_REPLIES names no folder with recorded replies' : false

type Expected = [
  videoId: string,
  status: string,
  title: string | null,
  channel: string | null,
  day: string | null,
  language: string | null,
  kind: string | null,
]

/** Values read off the recordings by eye: player replies of VISIONOS and ANDROID, dates of WEB. */
const EXPECTED: Expected[] = [
  [
    'M4gD1WSo5mA',
    'success',
    'William Fisher, CopyrightX: Lecture 3.2, The Subject Matter of Copyright: Drama and choreography',
    'The Berkman Klein Center for Internet & Society',
    '2015-01-27',
    'en',
    'manual',
  ],
  [
    'Kn56bMZ9OE8',
    'success',
    'This bus transforms into a train',
    'Tom Scott',
    '2023-03-20',
    'en',
    'manual',
  ],
  [
    'udsB8KnIJTg',
    'success',
    'Praise the Casual: Ein Neuling trifft Dark Souls - Folge 5',
    'Hooked',
    '2017-09-22',
    'de',
    'asr',
  ],
  [
    'it3OtbTxQk0',
    'success',
    'Introduction to Doodle for Google 2023',
    'GoogleDoodles',
    '2023-01-13',
    'en',
    'asr',
  ],
  [
    'X4VbdwhkE10',
    'no_captions',
    'lofi hip hop radio 📚 beats to relax/study to',
    'Lofi Girl',
    '2026-06-03',
    null,
    null,
  ],
  ['8VajtrESJzA', 'private', null, null, null, null, null],
  [
    'ayI2iBwGdxw',
    'unavailable',
    'Behind the Scenes at EGX 2019 - Exclusive Members Video!',
    'Eurogamer',
    null,
    null,
    null,
  ],
  ['don-t-exist', 'unavailable', null, null, null, null, null],
]

test(
  'a job over recorded videos of every fate tells the truth of each and charges what it delivered',
  { skip: SKIP },
  async () => {
    const replay = await startReplay({ after })
    const { customer } = await testService({ after }, { env: { PLATFORM_ORIGIN: replay.origin } })
    const buyer = await customer('1')
    const { job, rows } = await buyer.orders({ urls: EXPECTED.map(([videoId]) => videoId) })

    assert.equal(job.state, 'finished')
    const seen = rows.map((row) => [
      row.videoId,
      row.status,
      row.title,
      row.channelName,
      row.publishedAt?.slice(0, 10) ?? null,
      row.languageCode,
      row.trackKind,
    ])
    assert.deepEqual(seen, EXPECTED)
    assert.deepEqual(
      rows.map((row) => row.text !== null && row.segments.length > 0),
      EXPECTED.map(([, status]) => status === 'success'),
    )
    assert.match(rows[6]?.errorMessage, /members/)
    assert.equal(job.billing.charged, '0.032')
    assert.equal(await buyer.balance(), '0.968')
  },
)

test(
  'captions asked for in a language that is published come in it, else in the original one',
  { skip: SKIP },
  async () => {
    const replay = await startReplay({ after })
    const { customer } = await testService({ after }, { env: { PLATFORM_ORIGIN: replay.origin } })
    const { rows } = await (
      await customer('1')
    ).orders({ urls: ['udsB8KnIJTg', 'Kn56bMZ9OE8'], language: 'en' })
    const [german, english] = rows
    assert.deepEqual([german?.languageCode, german?.trackKind], ['de', 'asr'])
    assert.match(german?.label, /in de, the original language/)
    assert.deepEqual([english?.languageCode, english?.label], ['en', 'Delivered'])
  },
)
