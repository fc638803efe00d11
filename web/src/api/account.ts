/** The account API: what the website needs beyond the public one, behind the session cookie. */
import { problemOf } from './problem.ts'

export type Visit = {
  /** Null while nobody is signed in. */
  email: string | null
  accountId: string | null
  /** Absolute base address of the public API. */
  apiBase: string
  signUp: 'open' | 'closed'
  sendsMail: boolean
  oidcName: string | null
}

export type ApiKey = {
  id: string
  name: string
  prefix: string
  createdAt: string
  lastUsedAt: string | null
  revokedAt: string | null
}

export type NewKey = { keyId: string; apiKey: string; prefix: string }

export type Funds = {
  available: string
  held: string
  pricePerTranscript: string
  affordableTranscripts: number
}

export type StatementEntry = {
  number: number
  at: string
  kind: 'top_up' | 'adjust' | 'reserve' | 'charge' | 'release'
  /** Of what can be spent, in USD. */
  change: string
  /** Only of a charge: what was taken of the reserve. */
  charged: string | null
  /** What could be spent after it, and what was reserved. */
  balance: string
  reserved: string
  jobId: string | null
  reason: string | null
}

export type Statement = {
  total: number
  offset: number
  limit: number
  nextOffset: number | null
  entries: StatementEntry[]
}

export type Recognition = {
  lineCount: number
  linesMax: number
  lines: { line: string; kind: 'video' | 'playlist' | 'channel' | null; about: string }[]
}

export type SignInMethods = {
  hasPassword: boolean
  providers: string[]
  passkeys: { id: string; name: string | null; createdAt: string | null; isSynced: boolean }[]
  sessions: number
}

/** Amounts in USD; none where only the operator adds credit. */
export type TopUpOffer = { amounts: string[] }

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
