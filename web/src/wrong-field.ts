/** Which field of the form for a new job was refused, with a sentence for the reader. */
import { ApiError } from './api/problem.ts'
import { ORDER_FIELDS } from './order-fields.ts'

/** Returns null where a refusal is about no field of the form, or nothing was refused. */
export function wrongField(problem: unknown): { field: string; sentence: string } | null {
  if (!(problem instanceof ApiError) || problem.field === null) return null
  const { field } = problem
  const advice = ORDER_FIELDS[field]?.advice
  if (advice === undefined) return null
  // A line that is no address is quoted by the API, which knows the reason.
  return { field, sentence: problem.code === 'invalid_url' ? problem.message : advice }
}
