/** The table `operator_act`: what an operator did, to which account or job, when and why. */
import { sql } from 'kysely'
import type { Db, Tx } from './database.ts'

/** Checks concern the whole service, so they have no account. */
export type CheckName = 'verify_ledger' | 'run_doctor'
export type ActName =
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
  | CheckName

export type Act = {
  act: ActName
  /** The account concerned; null for a check, and only for one. */
  accountId: string | null
  /** The cancelled job; null for every act but `cancel_job`. */
  jobId: string | null
  /** The operator, as they or their machine named them; for an act at the website, the id of their account. */
  actor: string
  reason: string | null
  /** The result of the act, or the amount that was added; null where the act says all. */
  detail: string | null
}

export async function insertAct(
  tx: Tx | Db,
  { act, accountId, jobId, actor, reason, detail = null }: Omit<Act, 'detail'> & Partial<Act>,
): Promise<void> {
  await tx
    .insertInto('operator_act')
    .values({ act, account_id: accountId, job_id: jobId, actor, reason, detail })
    .execute()
}

/**
 * Returns what was done to the account and its jobs, or to one job, newest first. `actor` is an e-mail address where
 * the operator has an account.
 */
export async function listActs(
  db: Db,
  { accountId, jobId = null, limit }: { accountId: string; jobId?: string | null; limit: number },
): Promise<(Act & { doneAt: Date })[]> {
  return db
    .selectFrom('operator_act as o')
    .leftJoin('account as w', 'w.id', 'o.actor')
    .select([
      'o.act',
      'o.account_id as accountId',
      'o.job_id as jobId',
      (eb) => eb.fn.coalesce('w.email', 'o.actor').as('actor'),
      'o.reason',
      'o.detail',
      'o.done_at as doneAt',
    ])
    .where('o.account_id', '=', accountId)
    .$if(jobId !== null, (acts) => acts.where('o.job_id', '=', jobId))
    .orderBy('o.id', 'desc')
    .limit(limit)
    .execute()
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
  const { rows } = await sql<LoggedAct>`
    select ${LOGGED} where (${before}::bigint is null or o.id < ${before}::bigint) order by o.id desc limit ${limit}
  `.execute(db)
  return rows
}

export async function findLatestCheck(db: Db, act: CheckName): Promise<LoggedAct | null> {
  const { rows } = await sql<LoggedAct>`
    select ${LOGGED} where o.act = ${act} and o.account_id is null order by o.id desc limit 1
  `.execute(db)
  return rows[0] ?? null
}
