/** Failed requests as a sentence. */
import { ScriptoriumError } from '../../../clients/typescript/src/errors.ts'

export { ApiError, ScriptoriumError } from '../../../clients/typescript/src/errors.ts'

/** Sentences for refusals that the API words for programs, with names of fields, by their code. */
const SENTENCES: Record<string, string> = {
  job_in_progress: 'A job with the same lines is still running.',
  idempotency_conflict: 'This order was sent before with other lines. Start it once more.',
}

/** Returns a sentence for any thrown value. */
export function sentenceOf(error: unknown): string {
  const ours = error instanceof ScriptoriumError ? SENTENCES[error.code] : undefined
  if (ours !== undefined) return ours
  if (error instanceof ScriptoriumError) return error.message
  return error instanceof Error ? error.message : 'Something went wrong; try again.'
}
