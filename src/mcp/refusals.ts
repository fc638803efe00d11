/**
 * Refusals as agents read them: the API's codes, in words of tools. An agent has neither headers nor addresses, so a
 * sentence names the arguments and tools that help instead.
 */
import { Problem, type ProblemCode, PROBLEMS } from '../kit/problem.ts'
import { JOB_RUNS, NOTHING_FOUND } from './next-steps.ts'
import type { RefusedAnswer } from './tool.ts'

/** Sentences in place of the API's own, where those speak of its requests. */
const SENTENCES: Partial<Record<ProblemCode, string>> = {
  unauthorized:
    'This key is no longer valid. Its owner can make another one on the account page of the website.',
  not_found: NOTHING_FOUND,
  idempotency_conflict:
    'This idempotencyKey was used with other arguments. Repeat that call unchanged, or choose a new key.',
  job_in_progress: JOB_RUNS,
  rate_limited: 'Too many calls; wait Retry-After seconds.',
}
/** How the API's sentences name the header that says when to try again. */
const WAIT = /the number of seconds in Retry-After|Retry-After seconds/

/** Returns the Problem as a tool tells it. */
export function inWordsOfTools(problem: Problem): Problem {
  const { code, status, jobId, headers } = problem
  const isUsual = problem.message === PROBLEMS[code].sentence
  const said = (isUsual ? SENTENCES[code] : undefined) ?? problem.message
  const seconds = headers['Retry-After']
  const message = said.replace(WAIT, seconds === undefined ? 'some seconds' : `${seconds} seconds`)
  return new Problem(code, { message, status, headers, ...(jobId === null ? {} : { jobId }) })
}

/** Returns a refusal that the model reads: the Error, how long to wait, and what helps. */
export function refusalAnswer(problem: Problem, more: string[] = []): RefusedAnswer {
  const retryAfter = problem.headers['Retry-After']
  const wait = retryAfter === undefined ? [] : [`Retry after ${retryAfter} seconds.`]
  const texts = [JSON.stringify(inWordsOfTools(problem).toJSON()), ...wait, ...more]
  return { content: texts.map((text) => ({ type: 'text', text })), isError: true }
}
