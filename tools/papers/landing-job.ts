/** The job on the first page: the beginning of one of its texts, and its outcome in figures. */
import type { Json } from '../conformance/http.ts'
import type KEPT from '../../src/api/landing/example-job.json'
import { paragraphsOf } from '../../src/model/transcripts/readable-text.ts'
import type { Segment } from '../../src/model/transcripts/transcript.ts'

export type LandingJob = typeof KEPT

export const LANDING_FILE = 'src/api/landing/example-job.json'
export const LANDING_ORDER = { urls: ['@smallworkshop'] }

/** The row whose text begins on the first page, and how much of it is shown. */
const SHOWN = { index: 2, charactersMax: 420 }

/** Returns what the first page tells of a job. Throws where the row to be shown has no text. */
export function landingJobOf({ job, rows }: { job: Json; rows: Json[] }): LandingJob {
  const others = new Map<string, number>()
  for (const { status, label } of rows)
    if (status !== 'success') others.set(label, (others.get(label) ?? 0) + 1)
  const shown = rows.find(({ index }) => index === SHOWN.index)
  if (shown?.['status'] !== 'success') throw new Error(`row ${SHOWN.index} has no text`)
  let characters = 0
  const segments = (shown['segments'] as Segment[]).filter(
    ({ text }) => (characters += text.length) <= SHOWN.charactersMax,
  )
  return {
    name: shown['channelName'],
    processed: job['progress'].processed,
    delivered: job['progress'].delivered,
    others: [...others].map(([label, videos]) => ({ label, videos })),
    transcript: { title: shown['title'], paragraphs: paragraphsOf(segments) },
  }
}
