/** A video whose captions kill or stall the worker that reads them: it is left out, and the job goes on. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, afterEach, test } from 'node:test'
import { uploadsOf } from '../repeats/asking-again.ts'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { takeBackSilent } from '../../src/features/jobs/attempt.ts'
import { listHeld } from '../../src/store/job-queue.ts'
import { temporaryFolder } from '../support/embedded-process.ts'
import { checkBooks, ofJob, openFleet } from './fleet.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { until, within } from '../support/until.ts'

const PRELOAD = path.join(import.meta.dirname, 'poison-process.ts')
const WORD = 'nightshade'
const VIDEOS = 8
const WORKER = { ROLES: 'worker', STOP_GRACE: '1' }
const OPEN = ['queued', 'running', 'cancelling']
/** Patience in milliseconds; each lost attempt of a stalled process is noticed after ten seconds. */
const PATIENCE_MS = 300_000

const fleet = await openFleet({ after })
const { database, platform } = fleet
const api = await fleet.start({ ROLES: 'api' })
afterEach(() => fleet.killOthers(api))

const { world } = platform
const ids = uploadsOf(world, world.channel('small'))
  .filter(({ status }) => status === 'success')
  .slice(0, VIDEOS)
  .map(({ videoId }) => videoId)
const culprit = ids[3] ?? ''
const CAPTIONS = {
  head: `{"wireMagic":"pb3","events":[{"tStartMs":1,"dDurationMs":9,"segs":[{"utf8":"${WORD}`,
  tail: '"}]}]}',
}

/** Four lost attempts at most: one that marks nothing, one that finds the video in passing, and two that convict it. */
const CASES = [
  { how: 'kill the process', act: 'kill', bytes: 1_000, workers: 1, attemptsMax: 5 },
  {
    how: 'kill the process while a thread reads them',
    act: 'kill_with_thread',
    bytes: 600_000,
    workers: 1,
    attemptsMax: 4, // long captions are marked by the first attempt, too
  },
  {
    how: 'stall the event loop for longer than the heartbeat',
    act: 'stall',
    bytes: 1_000,
    workers: 2,
    attemptsMax: 5,
  },
]

for (const { how, act, bytes, workers, attemptsMax } of CASES) {
  test(`captions that ${how} cost their own video alone`, async (t) => {
    const folder = temporaryFolder(t)
    platform.apply({
      faults: [{ do: 'made_up', on: 'timedtext', video: culprit, bytes, pump: 'a ', ...CAPTIONS }],
    })
    const [who, neighbour] = [await fleet.customer(api), await fleet.customer(api)]
    const jobs: [Customer, Json][] = [
      [who, await who.startsJob({ urls: ids })],
      [neighbour, await neighbour.startsJob({ urls: ids.filter((id) => id !== culprit) })],
    ]
    await workUntilFinal(
      jobs.map(([, job]) => job),
      { POISON_WORD: WORD, POISON_ACT: act, POISON_FOLDER: folder },
      workers,
      // A stalled worker wakes up when another has the job, and finds that out.
      async () =>
        fs.writeFileSync(path.join(folder, 'attempt'), String(await attemptOf(jobs[0]?.[1]))),
    )

    const [job] = jobs.map(([, each]) => each)
    const rows = await who.readsRows(job ?? {})
    const spoilt = rows.filter(({ status }) => status !== 'success')
    assert.deepEqual(
      spoilt.map(({ videoId, status }) => [videoId, status]),
      [[culprit, 'failed']],
    )
    assert.match(
      spoilt[0]?.['errorMessage'] ?? '',
      /stopped unexpectedly while it read this video.*same URLs again/,
    )
    const attempts = await attemptOf(job)
    assert.ok(attempts <= attemptsMax, `${attempts} attempts`)
    assert.ok(
      (await neighbour.readsRows(jobs[1]?.[1] ?? {})).every(({ status }) => status === 'success'),
      'no other job is blamed',
    )
    assert.equal(
      await ofJob(database, job?.['id'], 'charged_micros::int'),
      (ids.length - 1) * 8_000,
    )
    await checkBooks(database)
  })
}

test('a worker that reads endless captions stops in time, and its job suspects nothing', async () => {
  const bytes = 14 * 1024 * 1024
  platform.apply({
    faults: [
      {
        do: 'made_up',
        on: 'timedtext',
        video: culprit,
        bytes,
        head: '<timedtext><body>',
        pump: '<p t="1">a</p>',
      },
    ],
  })
  const who = await fleet.customer(api)
  const worker = await fleet.start({ ROLES: 'worker', STOP_GRACE: '0' })
  const job = await who.startsJob({ urls: culprit })
  await until('the captions are being read', async () => (await suspects(job)) > 0)
  assert.equal(await within('the stop', worker.ends('SIGTERM')), 0)
  assert.equal(await suspects(job), 0)
  assert.equal(await ofJob(database, job['id'], 'lost_attempts'), 0)
  // Its video is the one that the next test poisons, which would be read in the same process.
  assert.equal((await who.asks('POST', `/jobs/${job['id']}/cancel`)).status, 202)
  assert.equal(await ofJob(database, job['id'], 'state'), 'cancelled')
})

async function suspects(job: Json): Promise<number> {
  const { rows } = await database.pool.query(
    'select count(suspect_attempt)::int as n from video_row where job_id = $1',
    [job['id']],
  )
  return rows[0]?.n ?? 0
}

async function attemptOf(job: Json | undefined): Promise<number> {
  return ofJob<number>(database, job?.['id'], 'attempt')
}

test('a job that may lose two attempts leaves out a video that kills each worker', async (t) => {
  const folder = temporaryFolder(t)
  const poison = { do: 'made_up', on: 'timedtext', bytes: 1_000, pump: 'a ' } as const
  platform.apply({ faults: [{ ...poison, video: culprit, ...CAPTIONS }] })
  const who = await fleet.customer(api)
  const job = await who.startsJob({ urls: ids })
  const env = { POISON_WORD: WORD, POISON_ACT: 'kill', POISON_FOLDER: folder, JOB_ATTEMPTS: '2' }
  await workUntilFinal([job], env, 1)
  const rows = await who.readsRows(job)
  const spoilt = rows.filter(({ status }) => status !== 'success')
  assert.deepEqual(
    spoilt.map(({ videoId }) => videoId),
    [culprit],
  )
  await checkBooks(database)
})

/** Keeps that many workers alive, as a supervisor does, until every job has ended; `look` is called each time. */
async function workUntilFinal(
  jobs: Json[],
  env: Record<string, string>,
  workers: number,
  look: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const running: ServiceProcess[] = []
  const statesOf = (): Promise<string[]> =>
    Promise.all(jobs.map((job) => ofJob<string>(database, job['id'], 'state')))
  await until(
    'every job has ended',
    async () => {
      while (running.filter((one) => one.isAlive()).length < workers) {
        const isLost = running.length > 0 && workers === 1
        running.push(await fleet.start({ ...WORKER, ...env }, { preload: PRELOAD }))
        // Nobody waits for what the new process finds out after ten seconds.
        if (isLost) await takeBackSilent(database.db, await listHeld(database.db))
      }
      await look()
      return (await statesOf()).every((state) => !OPEN.includes(state))
    },
    PATIENCE_MS,
  )
  assert.deepEqual(
    await statesOf(),
    jobs.map(() => 'finished'),
  )
}
