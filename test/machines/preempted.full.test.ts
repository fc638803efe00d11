/** Machines that are taken away while they read a video: the job goes on with all of its videos, and blames none. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import path from 'node:path'
import { after, test } from 'node:test'
import { takeBackSilent } from '../../src/features/jobs/attempt.ts'
import { listHeld } from '../../src/store/job-queue.ts'
import { within } from '../support/until.ts'
import { checkBooks, ofJob, openFleet } from './fleet.ts'

const PRELOAD = path.join(import.meta.dirname, 'poison-process.ts')
const WORD = 'nightshade'
const VIDEOS = 30
const KILLS = 4
const WORKER = {
  ROLES: 'worker',
  JOB_VIDEOS: '2',
  JOB_ATTEMPTS: '2',
  POISON_WORD: WORD,
  POISON_ACT: 'kill',
}

const fleet = await openFleet({ after })
const { database, platform } = fleet
const api = await fleet.start({ ROLES: 'api' })

test(`a worker that is killed ${KILLS} times in the middle of a video, each time after progress, costs no video`, async () => {
  const who = await fleet.customer(api)
  const job = await who.startsJob({ urls: ['@dailynotes'], maxVideos: VIDEOS })
  for (let kill = 1; kill <= KILLS; kill += 1) {
    platform.apply({ faults: [{ do: 'hold', on: ['browse', 'player'] }] })
    // Listed now, since the new worker may hold the job as soon as it runs.
    const held = await listHeld(database.db)
    const worker = await fleet.start(WORKER, { preload: PRELOAD })
    // Three texts come as they are; reading any later one ends the process.
    const head = `{"wireMagic":"pb3","events":[{"tStartMs":1,"dDurationMs":9,"segs":[{"utf8":"${WORD}`
    const poison = { do: 'made_up', bytes: 1_000, head, pump: ' a', tail: '"}]}]}' } as const
    platform.apply({ faults: [{ ...poison, on: 'timedtext', after: 3, per: 'all' }] })
    await takeBackSilent(database.db, held)
    if (worker.isAlive()) await within('the kill', once(worker.child, 'exit'))

    assert.equal(await ofJob(database, job['id'], 'attempt'), kill)
    assert.equal(await ofJob(database, job['id'], 'has_progress'), true)
    // A first attempt marks no short captions; later ones mark what they read, since the one before was lost.
    const { rows } = await database.pool.query(
      'select suspect_attempt as since from video_row where suspect_attempt is not null and status is null',
    )
    assert.deepEqual(rows, kill === 1 ? [] : [{ since: kill }])
  }
  platform.clear()
  const held = await listHeld(database.db)
  const last = await fleet.start(WORKER)
  await takeBackSilent(database.db, held)
  const ended = await who.waitsFor(job)
  assert.equal(ended['state'], 'finished', ended['error'])
  const rows = await who.readsRows(job)
  const lost = rows.filter(({ status }) => status === 'failed')
  assert.deepEqual(lost, [])
  const { counts, processed } = ended['progress']
  assert.equal(processed - counts.truncated, VIDEOS)
  await checkBooks(database)
  await last.ends('SIGTERM')
})
