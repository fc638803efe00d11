/** The refusal of a search that took too long. */
import { Problem } from '../../kit/problem.ts'

const RETRY_SECONDS = 1

export function tooSlow(): Problem {
  return new Problem('server_busy', {
    message: 'This search took too long; try again, or look for longer or for fewer words.',
    headers: { 'Retry-After': String(RETRY_SECONDS) },
  })
}
