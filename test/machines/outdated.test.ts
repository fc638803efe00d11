/** Attempts that another one replaced: they write nothing, at whatever point they resume. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { finishJob } from '../../src/features/jobs/attempt.ts'
import { recordRows } from '../../src/features/jobs/record-rows.ts'
import { newPlan } from '../../src/model/jobs/selection.ts'
import { planPage } from '../../src/features/jobs/plan-rows.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { runJob } from '../../src/worker/run-job.ts'
import { openSharedLists } from '../../src/worker/shared-lists.ts'
import { testWorkerContext } from '../support/worker-context.ts'
import { openStop } from '../../src/worker/stop.ts'
import { openPlace } from '../../src/worker/held-jobs.ts'
import { NO_DETAILS } from '../../src/model/library/video-details.ts'
import { claimOpen, claimAndBegin } from '../support/claims.ts'
import { testService } from '../support/service.ts'
import { checkBooks, ofJob } from './fleet.ts'

const { database, customer } = await testService(
  { after },
  { env: { ROLES: 'api', DATABASE_POOL: '5' } },
)
const { pool, db } = database

/** Gives the job to another attempt, though the lost one never handed it back. */
async function lose(job: Json): Promise<void> {
  await pool.query('update job set attempt = attempt + 1, is_held = true where id = $1', [
    job['id'],
  ])
}

test('an outdated attempt writes nothing: no row, no plan, no end', async () => {
  const who = await customer()
  const job = await who.startsJob({ urls: ['@dailynotes'], maxVideos: 20 })
  const budget = { lostMax: 5, timeLimitMs: 60_000 }
  const begin = () => claimAndBegin(db, { jobId: job['id'], accountId: who.accountId }, budget)
  const [paused, present] = [await begin(), await begin()]
  assert.ok(paused !== null && present !== null)
  const video = {
    videoId: 'aaaaaaaaaaa',
    title: null,
    channelName: null,
    publishedAt: null,
    url: null,
  }
  const page = {
    rows: [{ kind: 'planned' as const, index: 1, source: 1, ...video, url: '' }],
    plan: newPlan(),
    sources: [],
    isPlanned: false,
  }
  const outcome = {
    index: 1,
    content: {
      ...video,
      status: 'no_captions' as const,
      label: 'x',
      errorMessage: null,
      languageCode: null,
      trackKind: null,
    },
    transcript: null,
    history: null,
    details: NO_DETAILS,
  }
  const rows = async () =>
    (await pool.query(`select index, status from video_row where job_id = $1`, [job['id']])).rows

  assert.equal(await planPage(db, paused.attempt, page), false)
  assert.deepEqual(await rows(), [])
  assert.equal(await planPage(db, present.attempt, page), true)
  assert.deepEqual([...(await recordRows(db, paused.attempt, [outcome as never], null))], [])
  assert.equal(await finishJob(db, paused.attempt, { event: 'finish', error: null }), null)
  assert.deepEqual(
    [await rows(), await ofJob(database, job['id'], 'state')],
    [[{ index: 1, status: null }], 'running'],
  )
  assert.deepEqual(
    [...(await recordRows(db, present.attempt, [outcome as never], null)).keys()],
    [1],
  )
  assert.deepEqual(
    [...(await recordRows(db, present.attempt, [outcome as never], null)).keys()],
    [],
    'a row is recorded once',
  )
  assert.equal(
    (await finishJob(db, present.attempt, { event: 'finish', error: null }))?.state,
    'finished',
  )
  await checkBooks(database)
})

test('a run that comes back from a lost database and finds another attempt says so, and changes nothing', async () => {
  const who = await customer()
  const job = await who.startsJob({ urls: ['@dailynotes'], maxVideos: 5 })
  const lines: { msg: string }[] = []
  const listed: string[] = []
  const nothing = (): never => {
    throw new Error('not asked')
  }
  const questions = {
    fetchVideo: nothing,
    askOffer: nothing,
    fetchPublishedAt: nothing,
    findChannel: async () => ({ kind: 'found' as const, channelId: `UC${'x'.repeat(22)}` }),
    async listPage() {
      listed.push('a page')
      await lose(job)
      throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' })
    },
  }
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
  await runJob({
    ctx: testWorkerContext(db, { platform: { onBehalfOf: () => questions }, log }),
    attempt: await claimOpen(db, { jobId: job['id'], accountId: who.accountId }),
    lists: openSharedLists(),
    place: openPlace(() => 0),
    stop: openStop(),
    draining: new AbortController().signal,
  })
  assert.deepEqual(listed, ['a page'])
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    ['another attempt has taken over the job; this one changed nothing since then'],
  )
  assert.equal(await ofJob(database, job['id'], 'processed'), 0)

  const budget = { lostMax: 5, timeLimitMs: 60_000 }
  const other = await claimAndBegin(db, { jobId: job['id'], accountId: who.accountId }, budget)
  assert.ok(other !== null)
  assert.equal(
    (await finishJob(db, other.attempt, { event: 'finish', error: null }))?.state,
    'finished',
  )
})
