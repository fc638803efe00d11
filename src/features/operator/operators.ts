/** Operators: their role, which only the command gives and takes, and the second factor that they show. */
import { Secret, TOTP } from 'otpauth'
import { transact } from '../../kit/postgres/database.ts'
import type { Db } from '../../store/database.ts'
import {
  deleteOperator,
  findOperator,
  hasProof,
  insertAct,
  insertOperator,
  keepProof,
  setFactor,
  takeStep,
} from '../../store/operators.ts'
import type { SecretBox } from '../mail/secret-box.ts'

export { listOperators } from '../../store/operators.ts'

type Word = { accountId: string; actor: string; reason: string | null }

/**
 * Grants the role; the second factor is set up at the operator's first visit. Returns false where the account has the
 * role already.
 */
export function grantOperator(db: Db, word: Word): Promise<boolean> {
  return transact(db, async (tx) => {
    if (!(await insertOperator(tx, word.accountId))) return false
    await insertAct(tx, { act: 'grant_operator', jobId: null, ...word })
    return true
  })
}

/**
 * Revokes the role at once, also for sessions that are open; the second factor is forgotten. Returns false where the
 * account has no such role.
 */
export function revokeOperator(db: Db, word: Word): Promise<boolean> {
  return transact(db, async (tx) => {
    if (!(await deleteOperator(tx, word.accountId))) return false
    await insertAct(tx, { act: 'revoke_operator', jobId: null, ...word })
    return true
  })
}

export async function readIsOperator(db: Db, accountId: string): Promise<boolean> {
  return (await findOperator(db, accountId)) !== null
}

// The second factor of operators: codes of an authenticator app (TOTP, RFC 6238). It is asked for once in a
// session, however that began: with a password, a passkey or a provider.

/** Seconds of a code's period; codes of the one before and the one after are accepted, too. */
const CODE_PERIOD_SECONDS = 30
/** How long a session that showed the second factor may use the console. */
const FACTOR_SECONDS = 12 * 3_600

const SECRET_BYTES = 20
const STEPS_AROUND = 1

type Session = { sessionId: string; accountId: string }
/** Null for an account that is no operator. */
export type Clearance = { isEnrolled: boolean; isProven: boolean } | null

export async function readClearance(db: Db, { sessionId, accountId }: Session): Promise<Clearance> {
  const operator = await findOperator(db, accountId)
  if (operator === null) return null
  const isEnrolled = operator.enrolledAt !== null
  const proof = { sessionId, accountId, seconds: FACTOR_SECONDS }
  return { isEnrolled, isProven: isEnrolled && (await hasProof(db, proof)) }
}

/**
 * Returns the secret with which an authenticator app is set up; it counts once a code of it is proven. Null where one
 * was proven already.
 */
export async function createFactor(
  db: Db,
  box: SecretBox,
  { accountId, email }: { accountId: string; email: string },
): Promise<{ secret: string; uri: string } | null> {
  const secret = new Secret({ size: SECRET_BYTES }).base32
  const sealed = box.seal(secret, boundTo(accountId))
  if (!(await transact(db, (tx) => setFactor(tx, { accountId, secret: sealed })))) return null
  return { secret, uri: codesOf(secret, email).toString() }
}

/** Returns false where the code is wrong, too old, or was used before. */
export async function proveFactor(
  db: Db,
  box: SecretBox,
  { code, now, ...session }: Session & { code: string; now: Date },
): Promise<boolean> {
  const operator = await findOperator(db, session.accountId)
  const { accountId } = session
  const sealed = operator?.secret ?? null
  const secret = sealed === null ? null : box.open(sealed, boundTo(accountId))
  if (operator === null || sealed === null || secret === null) return false
  const timestamp = now.getTime()
  const codes = codesOf(secret, accountId)
  const delta = codes.validate({ token: code, timestamp, window: STEPS_AROUND })
  if (delta === null) return false
  const step = codes.counter({ timestamp }) + delta
  return transact(db, async (tx) => {
    if (!(await takeStep(tx, { accountId, secret: sealed, step }))) return false
    await keepProof(tx, session)
    const act = operator.enrolledAt === null ? 'enrol_factor' : 'prove_factor'
    await insertAct(tx, { act, accountId, jobId: null, actor: accountId, reason: null })
    return true
  })
}

function codesOf(secret: string, label: string): TOTP {
  const key = Secret.fromBase32(secret)
  return new TOTP({ issuer: 'Scriptorium', label, secret: key, period: CODE_PERIOD_SECONDS })
}

/** Returns what a secret is sealed for, so that another row's secret cannot be put in its place. */
function boundTo(accountId: string): string {
  return `operator:${accountId}`
}
