/** Usual answers of the platform: kept in the database, added up by all workers, learnt by a new one. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import test from 'node:test'
import { recordShares } from '../../src/features/operator/service.ts'
import type { Visit } from '../../src/model/platform/visit.ts'
import { readHourlyCounts } from '../../src/store/verdict-shares.ts'
import { type DriftWatch, openDriftWatch } from '../../src/platform/drift/drift-watch.ts'
import { testDatabase } from '../support/database.ts'
import { testService } from '../support/service.ts'

function noteVideos(watch: DriftWatch, count: number, verdict: string, from = 0): void {
  for (let n = from; n < from + count; n += 1) {
    const isGood = verdict === 'delivered'
    const visit: Visit = {
      question: 'captions',
      route: 'direct',
      epoch: 1,
      subject: `video ${n}`,
      channel: `channel ${n}`,
      accountId: 'account',
      readings: [{ client: 'VISIONOS', verdict, blame: 'video' }],
      delivered: isGood ? 'VISIONOS' : null,
      atMs: n,
    }
    watch.note(visit)
  }
}

test('a new process knows what all of them saw, and names what rose against it', async (t) => {
  const { db, pool } = await testDatabase(t)
  const [one, other, later] = [openDriftWatch(), openDriftWatch(), openDriftWatch()]
  for (const watch of [one, other]) {
    noteVideos(watch, 190, 'delivered')
    noteVideos(watch, 10, 'no_captions', 200)
    await recordShares(db, watch)
    await recordShares(db, watch) // a second call adds nothing
  }
  const { rows } = await pool.query(
    "select verdict, answers::int from verdict_share where part = 'captions videos' order by verdict",
  )
  assert.deepEqual(rows, [
    { verdict: '', answers: 400 },
    { verdict: 'no_captions', answers: 20 },
  ])
  await recordShares(db, later)
  noteVideos(later, 30, 'no_captions', 1_000)
  assert.match(later.lines().join(), /since [\d:]{5} UTC: no captions are listed \(.*usually 6 %/)
})

test('the console has the last 24 hours, hour by hour, and older ones go', async (t) => {
  const { db, pool } = await testDatabase(t)
  const watch = openDriftWatch()
  noteVideos(watch, 10, 'delivered')
  await recordShares(db, watch)
  const age = (hours: number): Promise<unknown> =>
    pool.query('update verdict_hour set hour = hour - make_interval(hours => $1)', [hours])
  await age(20)
  noteVideos(watch, 6, 'no_captions', 100)
  await recordShares(db, watch)
  await age(3)
  const before = await readHourlyCounts(db)
  noteVideos(watch, 2, 'no_captions', 200)
  await recordShares(db, watch)
  const counts = await readHourlyCounts(db)
  const of = (verdict: string) =>
    counts.find((one) => one.part === 'captions videos' && one.verdict === verdict)
  const hours = (filled: Record<number, number>): number[] =>
    Array.from({ length: 24 }, (_, at) => filled[at] ?? 0)
  assert.deepEqual([of('')?.answers, of('')?.hours], [18, hours({ 0: 10, 20: 6, 23: 2 })])
  const missing = of('no_captions')
  assert.deepEqual([missing?.answers, missing?.hours], [8, hours({ 20: 6, 23: 2 })])
  assert.ok(before.every((one) => one.hours.length === 24))

  await age(1)
  await recordShares(db, watch)
  const left = await pool.query('select distinct hour from verdict_hour')
  assert.equal(left.rowCount, 2)
})

test('what could not be kept is kept the next time', async (t) => {
  const { db, pool } = await testDatabase(t)
  const watch = openDriftWatch()
  noteVideos(watch, 5, 'delivered')
  await pool.query('alter table verdict_share rename to elsewhere')
  await assert.rejects(recordShares(db, watch))
  await pool.query('alter table elsewhere rename to verdict_share')
  await recordShares(db, watch)
  const { rows } = await pool.query(
    "select answers::int from verdict_share where part = 'captions all' and verdict = ''",
  )
  assert.deepEqual(rows, [{ answers: 5 }])
})

test('what earlier versions counted of videos stays what is usual', async (t) => {
  const { pool } = await testDatabase(t)
  await pool.query(`insert into verdict_share values
    (current_date, 'captions all', '', 10), (current_date, 'captions all', '(content)', 8),
    (current_date, 'captions all', 'no_captions', 2), (current_date, 'captions all', 'withheld', 1),
    (current_date, 'captions route exit1', '(content)', 1)`)
  await pool.query(fs.readFileSync('src/store/migrations/0059-what-videos-have.sql', 'utf8'))
  const { rows } = await pool.query(
    'select part, verdict, answers::int from verdict_share order by part, verdict',
  )
  assert.deepEqual(rows, [
    { part: 'captions all', verdict: '', answers: 10 },
    { part: 'captions all', verdict: 'withheld', answers: 1 },
    { part: 'captions videos', verdict: '', answers: 8 },
    { part: 'captions videos', verdict: 'no_captions', answers: 2 },
  ])
})

test('/readyz?verbose says what changed to those who may read the metrics', async (t) => {
  const { service, address } = await testService(t, { env: { METRICS_TOKEN: 'a token' } })
  const { watch } = service.context
  noteVideos(watch, 300, 'delivered')
  noteVideos(watch, 30, 'no_captions', 1_000)
  const ask = (headers: Record<string, string>): Promise<Response> =>
    fetch(`${address}/readyz?verbose`, { headers })
  assert.equal((await ask({})).status, 401, 'a line names routes')
  const verbose = (await (await ask({ authorization: 'Bearer a token' })).json()) as {
    drifts: string[]
  }
  assert.match(
    verbose.drifts.join(),
    /^On all clients and routes, since [\d:]{5} UTC: no captions are listed \(/,
  )
  const plain = (await (await fetch(`${address}/readyz`)).json()) as object
  assert.deepEqual(plain, { ready: true, missing: [] })
  const metrics = await fetch(`${address}/metrics`, {
    headers: { authorization: 'Bearer a token' },
  })
  assert.match(
    await metrics.text(),
    /scriptorium_platform_drift\{question="captions",client="",route="",verdict="no_captions"\} 1/,
  )
})
