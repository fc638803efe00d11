/** The service with jobs that its own verbs recorded, without worker and platform, for tests of downloads. */
import assert from 'node:assert/strict'
import type { FastifyInstance } from 'fastify'
import { request } from 'undici'
import { NO_DETAILS } from '../../src/model/library/video-details.ts'
import { createAccount } from '../../src/features/accounts/account.ts'
import { issueKey } from '../../src/features/accounts/keys.ts'
import { buildApp } from '../../src/app.ts'
import { addCredit } from '../../src/features/money/balance.ts'
import type { Context } from '../../src/context.ts'
import { openContext } from '../../src/open-context.ts'
import type { Attempt } from '../../src/model/jobs/attempt.ts'
import { finishJob } from '../../src/features/jobs/attempt.ts'
import { recordRows } from '../../src/features/jobs/record-rows.ts'
import { readOrder } from '../../src/model/jobs/read-order.ts'
import { planPage } from '../../src/features/jobs/plan-rows.ts'
import { newPlan } from '../../src/model/jobs/selection.ts'
import { startJob } from '../../src/features/jobs/start-job.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import type { RowContent } from '../../src/store/video-rows.ts'
import type { Format } from '../../src/model/files/catalogue.ts'
import { storeTranscript } from '../../src/model/files/transcript-forms.ts'
import type { Segment } from '../../src/model/transcripts/transcript.ts'
import { testConfig } from '../support/settings.ts'
import { testDatabase, type TestScope } from '../support/database.ts'
import { liftLimits } from '../support/rate-limits.ts'
import { claimAndBegin } from '../support/claims.ts'

export type Downloaded = { status: number; headers: Record<string, string>; body: Buffer }
export type FileService = {
  ctx: Context
  app: FastifyInstance
  url: string
  customer(): Promise<FileCustomer>
}

/** A video of a recorded job; without segments it has no captions. */
export type Recorded = { title: string | null; segments: Segment[] | null }

export type FileCustomer = {
  accountId: string
  key: string
  /** Makes a job with these videos planned and recorded at indexes 1, 2, 3 …; `isFinal` ends it. */
  recordsJob(
    videos: Recorded[],
    options: { formats: Format[]; isFinal: boolean },
  ): Promise<RecordedJob>
  downloads(
    path: string,
    headers?: Record<string, string>,
    method?: 'GET' | 'HEAD',
  ): Promise<Downloaded>
}

export type RecordedJob = {
  id: string
  /** Records one more video while the job runs. */
  records(index: number, video: Recorded): Promise<void>
  finishes(): Promise<void>
}

/** Rows planned beyond the recorded ones, so that a running job can go on. */
const SPARE_ROWS = 3
const CREDIT_MICROS = 100_000_000n

export async function startFileService(
  scope: TestScope,
  env: Record<string, string> = {},
): Promise<FileService> {
  const database = await testDatabase(scope)
  const config = testConfig({
    DATABASE_URL: database.url,
    ROLES: 'api',
    ...env,
  })
  const ctx = await openContext(config)
  const app = await buildApp(ctx, 'http://files.example')
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  const url = typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : ''
  scope.after(async () => {
    await app.close()
    await ctx.close()
    await database.drop()
  })
  return { ctx, app, url, customer: () => newCustomer(ctx, url) }
}

let people = 0

export async function newCustomer(ctx: Context, url: string): Promise<FileCustomer> {
  const { accountId, apiKey } = await transact(ctx.db, async (tx) => {
    const id = await createAccount(tx, { email: `customer${++people}@example.org` })
    await addCredit(tx, {
      accountId: id,
      micros: CREDIT_MICROS,
      reference: `grant:${id}`,
      reason: null,
    })
    return { accountId: id, apiKey: (await issueKey(tx, { accountId: id, name: 'test' })).apiKey }
  })
  await liftLimits(ctx.pool, accountId)
  return {
    accountId,
    key: apiKey,
    recordsJob: (videos, options) => recordJob(ctx, accountId, videos, options),
    downloads: async (path, headers = {}, method = 'GET') => {
      const given = { authorization: `Bearer ${apiKey}`, ...headers }
      const answer = await request(`${url}/api/v1/jobs/${path}`, { method, headers: given })
      const body = Buffer.from(await answer.body.arrayBuffer())
      return { status: answer.statusCode, headers: answer.headers as Record<string, string>, body }
    },
  }
}

async function recordJob(
  ctx: Context,
  accountId: string,
  videos: Recorded[],
  { formats, isFinal }: { formats: Format[]; isFinal: boolean },
): Promise<RecordedJob> {
  const { db } = ctx
  const urls = [
    'https://www.youtube.com/@files',
    `https://www.youtube.com/playlist?list=PL${'0'.repeat(30)}${people++}`,
  ]
  const { job } = await startJob(
    { db, maxActiveJobs: 1_000 },
    {
      accountId,
      order: readOrder({ urls, formats }),
      idempotency: null,
      startedBy: null,
      connectionId: null,
      ownKey: null,
    },
  )
  const budget = { lostMax: 5, timeLimitMs: 3_600_000 }
  const begun = await claimAndBegin(db, { jobId: job.id, accountId }, budget)
  if (begun === null) throw new Error('the job has nothing to do')
  const { attempt } = begun

  const count = videos.length + (isFinal ? 0 : SPARE_ROWS)
  const rows = Array.from({ length: count }, (_, at) => ({
    kind: 'planned' as const,
    ...plannedRow(at + 1),
  }))
  const plan = { ...newPlan(), nextIndex: count + 1, slotsTaken: count, discovered: count }
  await planPage(db, attempt, { rows, plan, sources: [], isPlanned: true })
  const records = (index: number, video: Recorded) =>
    recordVideo(ctx, attempt, { index, video, formats })
  const finishes = async () => {
    await finishJob(db, attempt, { event: 'finish', error: null })
  }

  for (const [at, video] of videos.entries()) await records(at + 1, video)
  if (isFinal) await finishes()
  return { id: job.id, records, finishes }
}

function plannedRow(index: number) {
  const videoId = `video${String(index).padStart(6, '0')}`
  const url = `https://www.youtube.com/watch?v=${videoId}`
  return { index, source: 0, videoId, url, title: null, channelName: null, publishedAt: null }
}

async function recordVideo(
  { db }: Context,
  attempt: Attempt,
  { index, video, formats }: { index: number; video: Recorded; formats: Format[] },
): Promise<void> {
  const { videoId, url } = plannedRow(index)
  const { title, segments } = video
  const known = {
    videoId,
    url,
    title,
    channelName: 'A channel',
    publishedAt: '2026-01-02T03:04:05Z',
  }
  const content: RowContent =
    segments === null
      ? {
          ...known,
          status: 'no_captions',
          label: 'No captions',
          errorMessage: 'None.',
          languageCode: null,
          trackKind: null,
        }
      : {
          ...known,
          status: 'success',
          label: 'Delivered',
          errorMessage: null,
          languageCode: 'en',
          trackKind: 'manual',
        }
  const transcript =
    segments === null
      ? null
      : await storeTranscript(
          { languageCode: 'en', trackKind: 'manual', segments, source: null },
          formats,
        )
  const row = { index, content, transcript, history: null, details: NO_DETAILS }
  const recorded = await recordRows(db, attempt, [row], null)
  if (!recorded.has(index)) throw new Error(`row ${index} was not recorded`)
}

/** Returns the names in a ZIP's central directory. */
export function namesIn(zip: Buffer): string[] {
  const end = zip.length - 22
  assert.equal(zip.readUInt32LE(end), 0x06054b50)
  const names: string[] = []
  for (let at = zip.readUInt32LE(end + 16); at < end;) {
    const length = zip.readUInt16LE(at + 28)
    names.push(zip.toString('utf8', at + 46, at + 46 + length))
    at += 46 + length + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return names
}
