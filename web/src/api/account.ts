/** The account API: what the website needs beyond the public one, behind the session cookie. */
import type { components } from './account-schema.d.ts'
import { problemOf } from './problem.ts'

type Answers = components['schemas']
export type Visit = Answers['Visit']
export type Bearer = Answers['Bearer']
export type ApiKey = Answers['ApiKey']
export type ApiKeys = Answers['ApiKeys']
export type NewKey = Answers['NewKey']
export type Funds = Answers['Funds']
export type StatementEntry = Answers['StatementEntry']
export type Statement = Answers['Statement']
export type Recognition = Answers['Recognition']
export type SignInMethods = Answers['SignInMethods']
export type TopUpOffer = Answers['TopUpOffer']
export type Checkout = Answers['Checkout']
/** What opens an account besides its password. */
export type Access = Answers['Access']
export type AfterReset = Answers['AfterReset']
export type Verified = Answers['Verified']

/** A request under /account; throws ApiProblem for a refusal. */
export async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`/account${path}`, {
    method,
    credentials: 'same-origin',
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  })
  const answer: unknown = await response.json().catch(() => null)
  if (!response.ok) throw problemOf(response, answer)
  return answer as T
}

/** Where a file of a job is downloaded by a plain link. */
export function fileLink(jobId: string, file: string): string {
  return `/account/files/${jobId}/${file}`
}
