/** The first attempt's start data, and the rows it takes without reading them, match the database. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { takeUpJob } from '../../src/features/jobs/attempt.ts'
import { recordRows } from '../../src/features/jobs/record-rows.ts'
import { planPage } from '../../src/features/jobs/plan-rows.ts'
import { newPlan } from '../../src/model/jobs/selection.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import type { Tx } from '../../src/store/database.ts'
import { beginFirst } from '../../src/store/job-queue.ts'
import { addFreeCalls } from '../../src/store/free-calls.ts'
import { listSources } from '../../src/store/job-sources.ts'
import { findJob } from '../../src/store/jobs.ts'
import { recordPage } from '../../src/store/planned-page.ts'
import { listPlanned, type NewRow } from '../../src/store/video-rows.ts'
import { openPlanned } from '../../src/worker/fetch-rows.ts'
import { claimOpen } from '../support/claims.ts'
import { testDatabase } from '../support/database.ts'
import { endJob, openAccount, orderJob, recordingOf, videoLine } from '../support/money-fixtures.ts'

const { db } = await testDatabase({ after })
const budget = { lostMax: 3, timeLimitMs: 60_000 }

const row = (index: number, title: string | null): NewRow => ({
  kind: 'planned',
  index,
  source: 1,
  videoId: videoLine(index),
  title,
  url: 'https://videos.example/',
  channelName: title === null ? null : 'Café "Δ"',
  publishedAt: title === null ? null : '2024-02-29',
})
const free: NewRow = {
  kind: 'finished',
  index: 3,
  source: 1,
  content: {
    videoId: videoLine(3),
    title: null,
    url: null,
    channelName: null,
    publishedAt: null,
    status: 'skipped',
    label: 'Skipped',
    errorMessage: null,
    languageCode: null,
    trackKind: null,
  },
}

test('a first attempt knows its sources, what was refused today and whether the set is new; a later one asks', async () => {
  const accountId = await openAccount(db, 80_000n)
  const order = { accountId, line: videoLine(1), maxVideos: 3 }
  const { job } = await orderJob(db, order)
  await addFreeCalls(db, accountId, { listing: 2, refused: 5 })
  const attempt = await claimOpen(db, { accountId, jobId: job.id })
  const begun = await takeUpJob(db, attempt, budget)
  assert.ok(begun?.start)
  const { start } = begun
  assert.deepEqual(start, {
    sources: await listSources(db, job.id),
    refusedToday: 5,
    isNewSet: true,
  })
  assert.deepEqual(begun.job, await findJob(db, { accountId, jobId: job.id }))

  const planned = openPlanned(db, begun)
  const pages = [[row(1, null), row(2, 'Zwölf "Minuten"'), free], [row(4, 'late')]]
  for (const [at, rows] of pages.entries()) {
    const isPlanned = at === 1
    const plan = { ...newPlan(), nextIndex: 5, slotsTaken: 3, discovered: 4 }
    assert.ok(await planPage(db, attempt, { rows, plan, sources: [], isNamed: true, isPlanned }))
    planned.add(rows, isPlanned)
  }
  const all = await listPlanned(db, job, { afterIndex: 0, limit: 10 })
  assert.equal(all.length, 3)
  const first = await planned.next({ afterIndex: 0, limit: 2 })
  assert.deepEqual([...first, ...(await planned.next({ afterIndex: 2, limit: 2 }))], all)

  const later = await claimOpen(db, { accountId, jobId: job.id })
  const again = await takeUpJob(db, later, budget)
  assert.ok(again !== null)
  assert.equal(again.start, null)
  const ofAgain = openPlanned(db, again)
  ofAgain.add(pages[1] ?? [], true)
  assert.deepEqual(await ofAgain.next({ afterIndex: 0, limit: 10 }), all)

  const delivered = {
    ...recordingOf({ index: 1, isDelivered: true }),
    history: { kind: 'delivered', jobId: job.id },
  } as const
  await recordRows(db, later, [delivered], null)
  await endJob(db, later, 'finish')
  const { job: next } = await orderJob(db, order)
  const other = await takeUpJob(db, await claimOpen(db, { accountId, jobId: next.id }), budget)
  assert.equal(other?.start?.isNewSet, false)
})

test('neither beginning nor planning waits for the disk; planning a job while it is started does', async () => {
  const accountId = await openAccount(db, 80_000n)
  const { job } = await orderJob(db, { accountId, line: videoLine(9), maxVideos: 3 })
  const page = { rows: [row(1, null)], plan: newPlan(), sources: [], isPlanned: false }
  /** Returns how the work's commit would be made: the setting of synchronous_commit. */
  const commitOf = (work: (tx: Tx) => Promise<unknown>): Promise<string> =>
    transact(db, async (tx) => {
      await sql`set local synchronous_commit = on`.execute(tx)
      assert.ok((await work(tx)) !== null)
      const { rows } = await sql<{
        is: string
      }>`select current_setting('synchronous_commit') as is`.execute(tx)
      return rows[0]?.is ?? ''
    })
  const start = { jobId: job.id, attempt: 0, state: 'queued' } as const
  const own = { jobId: job.id, attempt: 1, state: 'running' } as const
  assert.equal(await commitOf((tx) => recordPage(tx, start, { ...page, rows: [] })), 'on')
  await claimOpen(db, { accountId, jobId: job.id })
  assert.equal(await commitOf((tx) => beginFirst(tx, job.id)), 'off')
  assert.equal(await commitOf((tx) => recordPage(tx, own, page)), 'off')
})
