/**
 * GET /jobs/{id}/events as a customer reads it: which events come, from where on, to which callers, and when it ends.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { followWithEventSource, openEvents, type Told, videosOf } from '../support/event-streams.ts'
import { testService } from '../support/service.ts'
import { recordStatements } from '../support/statements.ts'

const { platform, address, customer, service } = await testService({ after })
const who = await customer()
const { job: finished } = await who.orders({ urls: ['@smallworkshop'], maxVideos: 3 })

/** Returns each event in short: `job running`, `video 3`, `end 24`. */
const names = (told: Told[]): string[] =>
  told.map(({ event, id, data }) => `${event} ${event === 'job' ? data['state'] : id}`)

test('a running job is told as it goes on: each row once, in order of completion, then its end', async () => {
  platform.apply({ faults: [{ do: 'hold', on: 'timedtext' }] })
  const log = recordStatements()
  const job = await who.startsJob({ urls: ['@smallworkshop'], maxVideos: 8 })
  const events = await openEvents(who, job)
  platform.clear()
  assert.deepEqual(
    [events.status, events.headers.get('content-type'), events.headers.get('x-accel-buffering')],
    [200, 'text/event-stream', 'no'],
  )
  const told = await events.rest()
  log.stop()
  assert.equal(told[0]?.event, 'job')
  assert.equal(told.at(-1)?.event, 'end')
  const rows = told.filter(({ event }) => event === 'video')
  assert.deepEqual(
    rows.map(({ id }) => id),
    rows.map((_, at) => String(at + 1)),
  )
  const { videos } = await who.gets(`/jobs/${job['id']}/results?view=rows&limit=200`)
  assert.ok(videos.length > 10)
  const byIndex = videosOf(told).sort((a, b) => a['index'] - b['index'])
  assert.deepEqual(byIndex, videos)
  const jobs = told.filter(({ event }) => event === 'job')
  assert.deepEqual(jobs.at(-1)?.data, await who.gets(`/jobs/${job['id']}`))
  assert.deepEqual(told.at(-1)?.data, { id: job['id'], state: 'finished' })
  const most = log.countOf('find-watched-jobs') + 1 // the job at first, and after each reading
  assert.ok(jobs.length <= most, `${jobs.length} job events, of ${most} at most`)
})

test('a client that connects again by itself stops after the end: it is answered 204', async () => {
  const following = followWithEventSource(who, finished, () => address)
  await following.closed
  const { processed } = finished['progress']
  assert.deepEqual(names(following.told).slice(-2), [`video ${processed}`, `end ${processed}`])
  assert.equal(videosOf(following.told).length, processed)
  assert.deepEqual(
    following.connections.map(({ status, lastEventId }) => [status, lastEventId]),
    [
      [200, null],
      [204, String(processed)],
    ],
  )
})

test('Last-Event-ID goes on behind the row it names; what is no id of the job is refused', async () => {
  const { processed } = finished['progress']
  const from = async (id: string): Promise<string[]> =>
    names(await (await openEvents(who, finished, id)).rest())
  const all = [
    'job finished',
    ...Array.from({ length: processed }, (_, at) => `video ${at + 1}`),
    `end ${processed}`,
  ]
  assert.deepEqual(await from(''), all)
  assert.deepEqual(await from('0'), all)
  assert.deepEqual(await from('2'), ['job finished', ...all.slice(3)])
  for (const wrong of ['x', '-1', '1.5', '1e3', '9'.repeat(30), String(processed + 1)]) {
    const { status, body, headers } = await openEvents(who, finished, wrong)
    assert.deepEqual([status, body['error']?.code], [400, 'invalid_request'], wrong)
    assert.equal(headers.get('x-invalid-field'), 'Last-Event-ID')
  }
  const { status } = await openEvents(who, finished, String(processed))
  assert.equal(status, 204)
})

test('who may not read the job is answered as everywhere; HEAD opens no stream', async () => {
  const other = await customer()
  const foreign = await openEvents(other, finished)
  const missing = await openEvents(other, { id: 'none' })
  assert.deepEqual([foreign.status, foreign.body], [404, missing.body])
  const head = await who.asks('HEAD', `/jobs/${finished['id']}/events`)
  assert.deepEqual([head.status, head.bytes.length], [200, 0])
  assert.equal(head.headers.get('content-type'), 'text/event-stream')
  const { values } = await service.context.metrics.eventStreams.get()
  assert.equal(values[0]?.value, 0)
})

test('a cancelled job ends its stream with what it delivered and was charged', async () => {
  platform.apply({ faults: [{ do: 'hold', on: 'timedtext', per: 'all', after: 3 }] })
  const job = await who.startsJob({ urls: ['@dailynotes'], maxVideos: 200 })
  const events = await openEvents(who, job)
  while ((await events.next())?.event !== 'video') continue
  await who.asks('POST', `/jobs/${job['id']}/cancel`)
  const told = await events.rest()
  platform.clear()
  assert.deepEqual(told.at(-1)?.data, { id: job['id'], state: 'cancelled' })
  const { billing, progress } = told.findLast(({ event }) => event === 'job')?.data ?? {}
  assert.deepEqual([billing.settled, billing.chargedTranscripts], [true, progress.delivered])
  assert.equal(videosOf(told).length + 1, progress.processed)
  assert.ok(progress.processed < 200, 'it was cancelled before its end')
})
