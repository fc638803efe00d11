/** Starts the preview that a body asks for, whichever interface it came by. The body's schema was checked before. */
import { allowanceTerms } from '../model/jobs/allowance.ts'
import { noticesOfAllowance } from '../features/jobs/notices.ts'
import { readJobRequest } from '../model/jobs/job-request.ts'
import { startPreview } from '../features/previews/previews.ts'
import { Problem } from '../kit/problem.ts'
import type { ApiContext } from './api-context.ts'
import type { JobBody } from './contract.ts'

export type PreviewContext = Pick<ApiContext, 'db' | 'pool' | 'config' | 'metrics'>

/** Returns the preview's id. Throws the Problem that refuses it. */
export async function askPreview(
  { db, pool, config, metrics }: PreviewContext,
  { accountId, body }: { accountId: string; body: JobBody },
): Promise<string> {
  const read = readJobRequest(body)
  const terms = allowanceTerms(config)
  const ofAllowance = await noticesOfAllowance(db, { accountId, request: read, terms })
  const request = { ...read, notices: [...read.notices, ...ofAllowance] }
  const deps = { db, pool, perHour: config.PREVIEWS_PER_HOUR }
  try {
    const { preview, isNew } = await startPreview(deps, { accountId, request })
    metrics.previewsAsked.inc({ answer: isNew ? 'started' : 'known' })
    return preview.id
  } catch (error) {
    const isLimited = error instanceof Problem && error.code === 'rate_limited'
    if (isLimited) metrics.previewsAsked.inc({ answer: 'limited' })
    throw error
  }
}
