/** Authenticates a request, by a bearer key or as a page of the website, and takes the token that it costs. */
import type pg from 'pg'
import type { Balance } from '../../model/money/ledger.ts'
import type { JobRecord } from '../../store/jobs.ts'
import {
  type AuthenticatedKey,
  type MeteredRequest,
  authenticateKey,
  authenticateForBalance,
  authenticateForJob,
  meterSite,
} from '../../store/authentication.ts'
import { hashSecret, looksLikeKey } from '../../model/accounts/api-key.ts'

/** The scheme's case does not matter (RFC 9110); a key in a query string is never looked at. */
const BEARER = /^bearer +([\w-]+) *$/i

/** What a request will need besides; it is read in the same round trip. */
export type ReadAlong = { kind: 'nothing' } | { kind: 'balance' } | { kind: 'job'; jobId: string }

/**
 * A live key; `balance` and `job` are there where they were read along; `job` is null where the account has no such
 * job.
 */
export type Authenticated = AuthenticatedKey & { balance?: Balance; job?: JobRecord | null }

/** Returns the key and what was read along, or null where the header is missing or names no live key. */
export async function authenticate(
  pool: pg.Pool,
  authorization: string | undefined,
  read: ReadAlong,
): Promise<Authenticated | null> {
  const secret = BEARER.exec(authorization ?? '')?.[1]
  if (secret === undefined || !looksLikeKey(secret)) return null
  const hash = hashSecret(secret)
  switch (read.kind) {
    case 'nothing':
      return authenticateKey(pool, hash)
    case 'balance':
      return authenticateForBalance(pool, hash)
    case 'job':
      return authenticateForJob(pool, hash, read.jobId)
    default:
      return read satisfies never
  }
}

/** Meters a page of the website that a signed-in visitor of the account asked for. */
export function meterPages(pool: pg.Pool, accountId: string): Promise<MeteredRequest> {
  return meterSite(pool, accountId)
}
