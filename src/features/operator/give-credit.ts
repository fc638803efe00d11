/** An operator's grant of money: the entry and the act in one commit. */
import { randomUUID } from 'node:crypto'
import { available } from '../../model/money/ledger.ts'
import { formatUsd } from '../../model/money/money.ts'
import { addCredit } from '../money/top-up.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { Db } from '../../store/database.ts'
import { insertAct } from '../../store/operator-acts.ts'

/** `availableMicros` after it. */
export type Credit = { reference: string; availableMicros: bigint }

export function giveCredit(
  db: Db,
  grant: { accountId: string; micros: bigint; actor: string; reason: string },
): Promise<Credit> {
  const { accountId, micros, actor, reason } = grant
  const reference = `grant:${randomUUID()}`
  return transact(db, async (tx) => {
    const balance = await addCredit(tx, { accountId, micros, reference, reason })
    const detail = `${formatUsd(micros)} USD`
    await insertAct(tx, { act: 'add_credit', accountId, jobId: null, actor, reason, detail })
    return { reference, availableMicros: available(balance) }
  })
}
