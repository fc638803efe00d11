/** What went wrong with a request, as a sentence. */
import { ScriptoriumError } from '../../../clients/typescript/src/errors.ts'

export { ApiError } from '../../../clients/typescript/src/errors.ts'

/** Refusals that the API words for programs, with the names of its fields, by their code. */
const SENTENCES: Record<string, string> = {
  job_in_progress: 'A job with the same lines is still running.',
  idempotency_conflict: 'This order was sent before with other lines. Start it once more.',
}

/** A sentence for whatever was thrown. */
export function sentenceOf(error: unknown): string {
  const ours = error instanceof ScriptoriumError ? SENTENCES[error.code] : undefined
  if (ours !== undefined) return ours
  if (error instanceof ScriptoriumError) return error.message
  return error instanceof Error ? error.message : 'Something went wrong; try again.'
}
