/**
 * The public API, called like any client does: with a bearer key. The key lives fifteen minutes and
 * in memory only; it is got from the session, and got anew when it is not accepted any more.
 */
import createClient from 'openapi-fetch'
import { ask, type Bearer } from './account.ts'
import { problemOf } from './problem.ts'
import type { components, operations, paths } from './schema.d.ts'

export type Job = operations['getJob']['responses'][200]['content']['application/json']
export type Results = operations['getResults']['responses'][200]['content']['application/json']
export type Video = Results['videos'][number]
export type Segment = NonNullable<Video['segments']>[number]
export type JobBody = operations['createJob']['requestBody']['content']['application/json']
export type { components }

/** A bearer is renewed this long before it ends. */
const RENEWAL_MARGIN_MS = 60_000

type HeldBearer = { text: string; untilMs: number }
let bearer: Promise<HeldBearer> | null = null

async function issue(): Promise<HeldBearer> {
  const issued = await ask<Bearer>('POST', '/bearer')
  return {
    text: issued.bearer,
    untilMs: performance.now() + issued.lifetimeSeconds * 1000 - RENEWAL_MARGIN_MS,
  }
}

/** One request for a bearer at a time; a failed one is forgotten. */
async function currentBearer(refused?: string): Promise<string> {
  const held = bearer === null ? null : await bearer.catch(() => null)
  if (held === null || held.text === refused || performance.now() > held.untilMs) {
    bearer = issue()
    bearer.catch(() => (bearer = null))
  }
  return (await (bearer ?? issue())).text
}

/** After signing out nothing may be asked with the old bearer. */
export function forgetBearer(): void {
  bearer = null
}

/** Calls with a bearer; a refused bearer is replaced once. */
export async function callWithBearer(request: Request): Promise<Response> {
  const again = request.clone()
  const first = await currentBearer()
  request.headers.set('Authorization', `Bearer ${first}`)
  const response = await fetch(request)
  if (response.status !== 401) return response
  again.headers.set('Authorization', `Bearer ${await currentBearer(first)}`)
  return fetch(again)
}

export const api = createClient<paths>({ baseUrl: '/api/v1', fetch: callWithBearer })

/** The data of an answer; throws ApiProblem for a refusal. */
export async function answered<T>(
  pending: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await pending
  if (data === undefined || error !== undefined) throw problemOf(response, error)
  return data
}

/** The segments of one delivered video. */
export async function readSegments(jobId: string, index: number): Promise<Segment[]> {
  const address = new URL(`/api/v1/jobs/${jobId}/files/${index}.json`, location.origin)
  const response = await callWithBearer(new Request(address))
  const body: unknown = await response.json().catch(() => null)
  if (!response.ok) throw problemOf(response, body)
  return body as Segment[]
}
