/** The table `operator_mail`: of which causes the operators were mailed, each once a day (UTC). */
import { type Db, query, type Tx } from './database.ts'

/** Returns the addresses of all operators but suspended ones. */
export async function listOperatorAddresses(db: Db): Promise<string[]> {
  const rows = await query<{ email: string }>`
    select a.email from operator o join account a on a.id = o.account_id
    where a.suspended_at is null and a.deleted_at is null order by o.granted_at
  `.rows(db)
  return rows.map(({ email }) => email)
}

/** Marks the operators as told of a cause on a day such as `2026-11-22`. Returns false where they were told already. */
export async function markOperatorsTold(
  tx: Tx,
  { cause, day }: { cause: string; day: string },
): Promise<boolean> {
  return query`
    insert into operator_mail (cause, day) values (${cause}, ${day}::date) on conflict (cause, day) do nothing
  `.anyRow(tx)
}
