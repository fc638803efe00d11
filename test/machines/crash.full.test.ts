/** Workers that die or fall asleep in the middle of a job: which process goes on, how soon, and at whose cost. */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import type { Json } from '../../tools/conformance/http.ts'
import { views } from '../previews/previewing.ts'
import { channelUrl } from '../repeats/asking-again.ts'
import { holdAfter } from '../support/held-platform.ts'
import { until } from '../support/until.ts'
import { checkBooks, ofJob, openFleet, untilDelivered } from './fleet.ts'

const fleet = await openFleet({ after })
const { database, platform } = fleet
const api = await fleet.start({ ROLES: 'api' })
// Processes that a failed test leaves running would work in the next one.
afterEach(async () => {
  await fleet.killOthers(api)
  platform.clear()
})
const WORKER = { ROLES: 'worker', JOB_VIDEOS: '2', STOP_GRACE: '1' }

test('a worker that is killed is replaced; the job finishes, each video is charged once', async () => {
  holdAfter(platform, 4)
  const victim = await fleet.start(WORKER)
  const who = await fleet.customer(api)
  const job = await who.startsJob({ urls: ['@dailynotes'], maxVideos: 40 })
  await untilDelivered(database, job, 4)
  const heir = await fleet.start(WORKER)
  await victim.ends('SIGKILL')
  platform.clear()
  await until(
    'another attempt',
    async () => (await ofJob<number>(database, job['id'], 'attempt')) === 2,
  )
  const ended = await who.waitsFor(job)
  assert.deepEqual(
    [ended['state'], ended['progress'].processed - ended['progress'].counts.truncated],
    ['finished', 40],
  )
  assert.equal(await ofJob(database, job['id'], 'lost_attempts'), 0, 'the lost one had got on')
  const rows = await who.readsRows(job)
  const delivered = rows.filter(({ status }) => status === 'success')
  assert.equal(
    new Set(delivered.map(({ videoId }) => videoId)).size,
    ended['billing'].chargedTranscripts,
  )
  const { rows: charges } = await database.pool.query(
    `select count(*)::int as n from ledger_entry where job_id = $1 and kind = 'charge'`,
    [job['id']],
  )
  assert.equal(charges[0]?.n, 1)
  // Only videos that were in flight are asked for again.
  const asked = platform.log
    .recent(2000)
    .filter(({ kind }) => kind === 'timedtext')
    .map(({ videoId }) => videoId)
  assert.ok(
    asked.length <= delivered.length + 2,
    `${asked.length} texts were asked for, ${delivered.length} delivered`,
  )
  await checkBooks(database)
  await heir.ends('SIGTERM')
})

for (const isCutOff of [false, true]) {
  const how = isCutOff ? ', its connections cut meanwhile,' : ''
  test(`a worker that slept through its replacement${how} wakes up and changes nothing`, async () => {
    holdAfter(platform, 4) // the heir, too, has work until the test has looked
    const sleeper = await fleet.start(WORKER)
    const who = await fleet.customer(api)
    const job = await who.startsJob({ urls: ['@dailynotes'], maxVideos: 60 })
    await untilDelivered(database, job, 4)
    sleeper.child.kill('SIGSTOP')
    const heir = await fleet.start(WORKER)
    await until(
      'another attempt',
      async () => (await ofJob<number>(database, job['id'], 'attempt')) === 2,
    )
    if (isCutOff) await cutAllConnections()
    sleeper.child.kill('SIGCONT')
    await until('it knows', () =>
      sleeper.lines.some(({ msg }) => msg.startsWith('another attempt has taken over')),
    )
    assert.equal(
      await ofJob(database, job['id'], 'state'),
      'running',
      'the heir is at work, undisturbed',
    )
    platform.clear()
    const ended = await who.waitsFor(job)
    assert.deepEqual(
      [ended['state'], ended['progress'].processed - ended['progress'].counts.truncated],
      ['finished', 60],
    )
    assert.equal(await ofJob(database, job['id'], 'attempt'), 2)
    const told = (one: typeof heir): number =>
      one.lines.filter(({ msg, jobId }) => msg === 'job ended' && jobId === job['id']).length
    await until('the heir tells of the end', () => told(heir) === 1)
    assert.equal(told(sleeper), 0)
    await checkBooks(database)
    assert.deepEqual(await Promise.all([sleeper.ends('SIGTERM'), heir.ends('SIGTERM')]), [0, 0])
  })
}

/** Cuts all connections, as a server does that lost its clients, or an operator. */
async function cutAllConnections(): Promise<void> {
  await database.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
}

test('a job outlives any number of workers that get it on before they die', async () => {
  const who = await fleet.customer(api)
  const job = await who.startsJob({ urls: ['@dailynotes'], maxVideos: 40 })
  for (let death = 1; death <= 2; death += 1) {
    holdAfter(platform, 1)
    const worker = await fleet.start({ ...WORKER, JOB_ATTEMPTS: '1' })
    await until(`attempt ${death} gets on`, async () => {
      const { rows } = await database.pool.query(
        // Between its claim and its beginning an attempt shows the progress of the one before, and the job as lost.
        'select attempt, has_progress and not is_lost as "hasProgress" from job where id = $1',
        [job['id']],
      )
      return rows[0]?.attempt === death && rows[0]?.hasProgress === true
    })
    await worker.ends('SIGKILL')
  }
  platform.clear()
  const last = await fleet.start({ ...WORKER, JOB_ATTEMPTS: '1' })
  const ended = await who.waitsFor(job)
  assert.equal(ended['state'], 'finished', ended['error'])
  assert.equal(await ofJob(database, job['id'], 'attempt'), 3)
  await checkBooks(database)
  await last.ends('SIGTERM')
})

test('a job whose workers die before they get it on is interrupted and settled', async () => {
  const who = await fleet.customer(api)
  const env = { ...WORKER, JOB_ATTEMPTS: '1' }
  platform.apply({ faults: [{ do: 'hang', on: ['browse'] }] })
  const first = await fleet.start(env)
  const job = await who.startsJob({ urls: ['@dailynotes'], maxVideos: 60 })
  await until('it has begun', async () => (await ofJob(database, job['id'], 'attempt')) === 1)
  await first.ends('SIGKILL')
  const second = await fleet.start(env)
  const ended = await who.waitsFor(job)
  assert.equal(ended['state'], 'interrupted')
  assert.match(ended['error'], /was lost once/)
  assert.equal(ended['billing'].chargedTranscripts, 0)
  await checkBooks(database)
  await second.ends('SIGTERM')
})

test('a preview whose worker is killed goes on with another: no page is asked for twice, and nothing is counted twice', async () => {
  const body = { urls: [channelUrl(platform.world.channel('medium'))] }
  const asked = (): number => platform.log.counts().byKind['browse'] ?? 0
  const [doomed, who] = [await fleet.start(WORKER), await fleet.customer(api)]
  platform.log.reset()
  platform.apply({ faults: [{ do: 'hang', on: 'browse', after: 1, per: 'all' }] })
  const { body: begun } = await who.asks('POST', '/previews', { body })
  await until('the second page hangs', () => asked() === 2)
  await doomed.ends('SIGKILL')
  platform.clear()
  const heir = await fleet.start(WORKER)
  let ended: Json = begun
  await until('the preview is there', async () => {
    ended = await who.gets(`/previews/${begun['id']}?wait=30`)
    return ended['state'] !== 'listing'
  })
  assert.deepEqual([ended['state'], ended['wouldTake']], ['ready', 500])
  assert.equal(asked(), 4, 'three pages, and the one that hung')

  const unharmed = await views(await fleet.customer(api), body)
  assert.deepEqual(countsOf(ended), countsOf(unharmed))
  assert.equal(ended['costExpected'], unharmed['costExpected'])
  const again = await who.asks('POST', '/previews', { body })
  assert.equal(again.body['id'], begun['id'], 'the same request is the same preview')
  await heir.ends('SIGTERM')
})

/**
 * Returns the sources without dates, which come from the list's own words, such as "two days ago", when it was read.
 */
function countsOf({ sources }: Json): unknown {
  return sources.map((source: Json) => ({ ...source, newestAt: null, oldestAt: null }))
}
