/** Failed requests as a sentence. */
import { ApiError, ScriptoriumError } from '../../../clients/typescript/src/errors.ts'
import { ORDER_FIELDS } from '../order-fields.ts'

export { ApiError, ScriptoriumError } from '../../../clients/typescript/src/errors.ts'

/** Sentences for refusals that the API words for programs, with names of fields, by their code. */
const SENTENCES: Record<string, string> = {
  job_in_progress: 'A job with the same lines is still running.',
  idempotency_conflict: 'This order was sent before with other lines. Start it once more.',
}

/** Fields of requests as a page calls them: the API's sentences about a field begin with its name. */
const FIELDS: Record<string, { subject: string }> = {
  ...ORDER_FIELDS,
  url: { subject: 'The address' },
  q: { subject: 'The search' },
  events: { subject: 'The list of events' },
  monthlyCap: { subject: 'The monthly limit' },
  everyHours: { subject: 'The number of hours' },
  backlog: { subject: 'The number of earlier videos' },
  name: { subject: 'The name' },
  note: { subject: 'The note' },
}

/** Whether there is nothing at an address, at least for this account. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

/** Returns the sentence of a refusal without the name of a field that only programs know. */
export function forPeople(message: string): string {
  const [first = ''] = message.split(' ', 1)
  const words = Object.hasOwn(FIELDS, first) ? FIELDS[first] : undefined
  return words === undefined ? message : words.subject + message.slice(first.length)
}

/** Returns a sentence for any thrown value. */
export function sentenceOf(error: unknown): string {
  const ours = error instanceof ScriptoriumError ? SENTENCES[error.code] : undefined
  if (ours !== undefined) return ours
  if (error instanceof ScriptoriumError) return forPeople(error.message)
  return error instanceof Error ? error.message : 'Something went wrong; try again.'
}
