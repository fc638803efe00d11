/**
 * A month of a channel that publishes fifty videos: captions late for some, one for members and one for them first, a
 * premiere, a deletion, and a balance that runs out on the way. Two workers look at the channel.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Json } from '../../tools/conformance/http.ts'
import { asr } from '../../emulator/track-sets.ts'
import type { VideoFacts } from '../../emulator/model.ts'
import { addCredit } from '../../src/features/money/balance.ts'
import { verifyLedger } from '../../src/features/money/verify-ledger.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { startMailBox } from '../account/mail-box.ts'
import { testService } from '../support/service.ts'
import { movableClock, passHours, untilQuiet } from './time.ts'

const HOUR = 3_600_000
const STEP_HOURS = 6
const EVERY_HOURS = (30 * 24) / 50
const CREDIT_AFTER_HOURS = 18 * 24

const CAPTIONED: VideoFacts = { state: 'ok', tracks: [asr('en')] }

/** Change of an upload after this many hours; uploads without one have captions at once. */
type Fate = { first: VideoFacts; afterHours: number; afterwards: VideoFacts }
const late = (afterHours: number): Fate => ({
  first: { tracks: [] },
  afterHours,
  afterwards: { tracks: [asr('en')] },
})
const FATES: Record<number, Fate> = {
  3: late(6),
  11: late(18),
  19: late(36),
  27: late(60),
  35: late(102), // after more than three days: given up
  36: { first: { tracks: [] }, afterHours: Infinity, afterwards: {} },
  8: { first: { state: 'members_level' }, afterHours: 20 * 24, afterwards: CAPTIONED },
  30: { first: { state: 'members_join' }, afterHours: Infinity, afterwards: {} },
  15: { first: { state: 'upcoming_premiere', tracks: [] }, afterHours: 96, afterwards: CAPTIONED },
  41: {
    first: { tracks: [] },
    afterHours: 12,
    afterwards: { state: 'removed_by_uploader', isListed: false },
  },
}
/** Uploads that are never delivered; the last one for members is still awaited at the end. */
const LOST = [30, 35, 36, 41]

test('a month of uploads ends with exactly the right transcripts, charges and mails', async () => {
  const clock = movableClock()
  const mailBox = await startMailBox({ after })
  const at = await testService({ after }, { env: mailBox.env, emulator: { now: clock.now } })
  await at.another()
  const { world } = at.platform
  const customer = await at.customer('0.16') // twenty transcripts
  const channel = world.channel('small')
  const made = await customer.asks('POST', '/subscriptions', {
    body: { url: channel.handle, monthlyCap: '10' },
  })
  assert.equal(made.status, 201)
  await untilQuiet(at)

  const ids: string[] = []
  const pending: { hour: number; videoId: string; facts: VideoFacts }[] = []
  for (let hour = 0; hour < (30 + 6) * 24; hour += STEP_HOURS) {
    for (; ids.length < 50 && ids.length * EVERY_HOURS <= hour;) {
      const { first = CAPTIONED, afterHours = Infinity, afterwards = {} } = FATES[ids.length] ?? {}
      const { videoId } = world.publish(channel, { publishedMs: clock.now(), ...first })
      ids.push(videoId)
      pending.push({ hour: hour + afterHours, videoId, facts: afterwards })
    }
    for (const { videoId, facts } of pending.filter((one) => one.hour === hour))
      world.revise(videoId, facts)
    if (hour === CREDIT_AFTER_HOURS) {
      const { accountId } = customer
      const credit = { accountId, micros: 5_000_000n, reference: 'test:month', reason: null }
      await transact(at.database.db, (tx) => addCredit(tx, credit))
    }
    await passHours(at, clock, STEP_HOURS * HOUR)
    await untilQuiet(at)
  }

  const jobs: Json[] = []
  for (let offset: number | null = 0; offset !== null;) {
    const page: Json = await customer.gets(`/jobs?limit=50&offset=${offset}`)
    jobs.push(...page['jobs'])
    offset = page['nextOffset']
  }
  const delivered: string[] = []
  for (const { id } of jobs.toReversed()) {
    const { videos } = await customer.gets(`/jobs/${id}/results?view=rows&limit=200`)
    for (const video of videos) if (video.status === 'success') delivered.push(video.videoId)
  }
  const expected = ids.filter((_, number) => !LOST.includes(number))
  assert.deepEqual(delivered.toSorted(), expected.toSorted())
  const punctual = expected.filter((id) => FATES[ids.indexOf(id)] === undefined)
  assert.deepEqual(
    delivered.filter((id) => punctual.includes(id)),
    punctual,
    'in order of age',
  )

  const balance = await customer.gets('/balance')
  assert.equal(balance['balanceMicros'], 160_000 + 5_000_000 - 46 * 8_000)
  assert.ok(jobs.every(({ state }) => state === 'finished'))
  assert.deepEqual(
    mailBox.mails.map(({ subject }) => subject),
    ['Your balance is empty: new videos are waiting'],
  )
  const { state, notice } = await customer.gets(`/subscriptions/${made.body['id']}`)
  assert.deepEqual([state, notice], ['active', null])
  const { rows } = await at.database.pool.query('select video_id from subscription_video')
  assert.deepEqual(rows, [{ video_id: ids[30] }], 'nothing else waits any more')
  const inVain = jobs.filter(({ progress }) => progress.delivered === 0)
  const firstInVain = ids.filter((_, number) => FATES[number] !== undefined)
  assert.ok(
    inVain.length <= firstInVain.length,
    'no job but the first one of a video brings nothing',
  )
  assert.equal((await verifyLedger(at.database.db)).differences, 0)
})
