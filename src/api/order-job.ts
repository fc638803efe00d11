/** Starts the job that a body asks for, whichever interface it came by. The body's schema was checked before. */
import { allowanceTerms } from '../model/jobs/allowance.ts'
import { readJobRequest } from '../model/jobs/job-request.ts'
import type { Idempotency } from '../model/jobs/idempotency.ts'
import { type StartedJob, startJob } from '../features/jobs/start-job.ts'
import { findReusable } from '../features/previews/previews.ts'
import type { OwnKey } from '../store/authentication.ts'
import type { ApiContext } from './api-context.ts'
import type { JobBody } from './contract.ts'

export type Order = {
  accountId: string
  /** The app that orders, against whose own limit the job counts; null where none does. */
  connectionId: string | null
  /** The owner's key that orders, against whose own limit the job counts; null where none does. */
  ownKey: OwnKey | null
  body: JobBody
  idempotency: Idempotency | null
  /** The preview whose listed pages the job may read; null for none. */
  previewId: string | null
}

/** Starts the job. Throws the Problem that refuses it. */
export async function orderJob(
  { db, config }: Pick<ApiContext, 'db' | 'config'>,
  { accountId, connectionId, ownKey, body, idempotency, previewId }: Order,
): Promise<StartedJob> {
  const read = readJobRequest(body)
  const terms = allowanceTerms(config)
  const { urlSetHash } = read
  const { isPreviewed, notices } = await findReusable(db, { accountId, previewId, urlSetHash })
  const request = { ...read, notices: [...read.notices, ...notices] }
  return startJob(
    { db, maxActiveJobs: config.MAX_ACTIVE_JOBS },
    { accountId, connectionId, ownKey, request, idempotency, isPreviewed, terms },
  )
}
