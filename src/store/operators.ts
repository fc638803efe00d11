/**
 * The tables `operator`, `operator_proof` and `operator_act`: accounts with the operator role, their second factor,
 * and what each of them did, when and why.
 */
import { sql } from 'kysely'
import { type Db, query, type Tx } from './database.ts'

type OperatorRow = {
  accountId: string
  grantedAt: Date
  /** The sealed secret of the second factor; null before the operator's first visit. */
  secret: string | null
  enrolledAt: Date | null
}

/** Returns false where the account has the role already. */
export async function insertOperator(tx: Tx, accountId: string): Promise<boolean> {
  return query`insert into operator (account_id) values (${accountId}) on conflict (account_id) do nothing`.anyRow(
    tx,
  )
}

/**
 * Takes the role away, with its second factor and all proofs of it. Returns false where the account has no such role.
 */
export async function deleteOperator(tx: Tx, accountId: string): Promise<boolean> {
  return query`delete from operator where account_id = ${accountId}`.anyRow(tx)
}

export async function findOperator(db: Db, accountId: string): Promise<OperatorRow | null> {
  return query<OperatorRow>`
    select account_id as "accountId", granted_at as "grantedAt", secret, enrolled_at as "enrolledAt"
    from operator where account_id = ${accountId}
  `.firstRow(db)
}

type KnownOperator = {
  accountId: string
  email: string
  grantedAt: Date
  enrolledAt: Date | null
}

export async function listOperators(db: Db): Promise<KnownOperator[]> {
  return query<KnownOperator>`
    select o.account_id as "accountId", a.email, o.granted_at as "grantedAt", o.enrolled_at as "enrolledAt"
    from operator o join account a on a.id = o.account_id order by o.granted_at
  `.rows(db)
}

/** Sets a new secret while none was proven. Returns false where one was, or the account has no such role. */
export async function setFactor(
  tx: Tx,
  { accountId, secret }: { accountId: string; secret: string },
): Promise<boolean> {
  return query`
    update operator set secret = ${secret}, last_step = null where account_id = ${accountId} and enrolled_at is null
  `.anyRow(tx)
}

/**
 * Deletes a second factor that was proven at or after `since`, or never: the next visit sets another one up. Returns
 * false where there is none.
 */
export async function clearFactor(
  tx: Tx,
  { accountId, since }: { accountId: string; since: Date },
): Promise<boolean> {
  return query`
    update operator set secret = null, enrolled_at = null, last_step = null
    where account_id = ${accountId} and (enrolled_at >= ${since} or enrolled_at is null) and secret is not null
  `.anyRow(tx)
}

/**
 * Takes the code of a period once. Returns false where it or a later one was taken before, or where the secret has
 * changed. The first code enrols the operator.
 */
export async function takeStep(
  tx: Tx,
  { accountId, secret, step }: { accountId: string; secret: string; step: number },
): Promise<boolean> {
  return query`
    update operator set last_step = ${step}, enrolled_at = coalesce(enrolled_at, now())
    where account_id = ${accountId} and secret = ${secret} and (last_step is null or last_step < ${step})
  `.anyRow(tx)
}

export async function keepProof(
  tx: Tx,
  { sessionId, accountId }: { sessionId: string; accountId: string },
): Promise<void> {
  await sql`
    insert into operator_proof (session_id, account_id) values (${sessionId}, ${accountId})
    on conflict (session_id) do update set account_id = excluded.account_id, proved_at = now()
  `.execute(tx)
}

/** Whether the session showed the account's second factor within the last `seconds`. */
export async function hasProof(
  db: Db,
  { sessionId, accountId, seconds }: { sessionId: string; accountId: string; seconds: number },
): Promise<boolean> {
  return query`
    select from operator_proof where session_id = ${sessionId} and account_id = ${accountId}
      and proved_at > now() - make_interval(secs => ${seconds})
  `.anyRow(db)
}

/** Checks concern the whole service, so they have no account; so does the acceptance of what a failover lost. */
export type CheckName = 'verify_ledger' | 'run_doctor'
type ActName =
  | 'suspend_account'
  | 'resume_account'
  | 'cancel_job'
  | 'delete_account'
  | 'add_credit'
  | 'grant_operator'
  | 'revoke_operator'
  | 'enrol_factor'
  | 'prove_factor'
  | 'clear_factor'
  | 'accept_failover'
  | CheckName

type NewAct = {
  act: ActName
  /** The account concerned; null for what concerns all, and only for that. */
  accountId: string | null
  /** The cancelled job; null for every act but `cancel_job`. */
  jobId: string | null
  /** The operator, as they or their machine named them; for an act at the website, the id of their account. */
  actor: string
  reason: string | null
  /** The result of the act, or the amount that was added; null, or left out, where the act says all. */
  detail?: string | null
}
export type Act = NewAct & { detail: string | null }

export async function insertAct(
  tx: Db,
  { act, accountId, jobId, actor, reason, detail = null }: NewAct,
): Promise<void> {
  await query`
    insert into operator_act (act, account_id, job_id, actor, reason, detail)
    values (${act}, ${accountId}, ${jobId}, ${actor}, ${reason}, ${detail})
  `.rowCount(tx)
}

/**
 * Returns what was done to the account and its jobs, or to one job, newest first. `actor` is an e-mail address where
 * the operator has an account.
 */
export async function listActs(
  db: Db,
  { accountId, jobId = null, limit }: { accountId: string; jobId?: string | null; limit: number },
) {
  return query<Act & { doneAt: Date }>`
    select o.act, o.account_id as "accountId", o.job_id as "jobId", coalesce(w.email, o.actor) as actor, o.reason,
      o.detail, o.done_at as "doneAt"
    from operator_act o left join account w on w.id = o.actor
    where o.account_id = ${accountId} and (${jobId}::text is null or o.job_id = ${jobId})
    order by o.id desc limit ${limit}
  `.rows(db)
}

/** An act with the e-mail addresses of its account and its actor, where those ids are accounts'. */
export type LoggedAct = Act & {
  id: bigint
  doneAt: Date
  email: string | null
  actorEmail: string | null
}

const LOGGED = sql`o.id, o.act, o.account_id as "accountId", o.job_id as "jobId", o.actor, o.reason, o.detail,
  o.done_at as "doneAt", a.email, w.email as "actorEmail"
  from operator_act o left join account a on a.id = o.account_id left join account w on w.id = o.actor`

/** Returns what operators did, newest first: all of it, or what came before the id `before`. */
export async function listAllActs(
  db: Db,
  { before, limit }: { before: bigint | null; limit: number },
): Promise<LoggedAct[]> {
  return query<LoggedAct>`
    select ${LOGGED} where (${before}::bigint is null or o.id < ${before}::bigint) order by o.id desc limit ${limit}
  `.rows(db)
}

export async function findLatestCheck(db: Db, act: CheckName): Promise<LoggedAct | null> {
  return query<LoggedAct>`
    select ${LOGGED} where o.act = ${act} and o.account_id is null order by o.id desc limit 1
  `.firstRow(db)
}
