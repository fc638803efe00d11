/** What a caller can still spend: by the account's balance and, for an app or a limited key, by its own monthly cap. */
import { affordable, formatUsd } from '../model/money/money.ts'
import { type CapLeft, findLeftOfCap } from '../features/jobs/spending-cap.ts'
import type { Db } from '../store/database.ts'
import type { AgentCall } from './tool.ts'

/** `cap` is null where nothing but the balance limits the caller. */
export type MoneyLeft = { availableMicros: bigint; cap: CapLeft | null }

/** Asks the database only for an app or a limited key. */
export async function moneyLeft(
  db: Db,
  availableMicros: bigint,
  call: Pick<AgentCall, 'connectionId' | 'ownKey'>,
): Promise<MoneyLeft> {
  return { availableMicros, cap: await findLeftOfCap(db, call) }
}

/** The most videos that it pays for. */
export function affordableOf({ availableMicros, cap }: MoneyLeft): number {
  const isCapped = cap !== null && cap.leftMicros < availableMicros
  return affordable(isCapped ? cap.leftMicros : availableMicros)
}

export function presentCap({ cap }: MoneyLeft): { monthlyCapLeftUsd?: string } {
  return cap === null ? {} : { monthlyCapLeftUsd: formatUsd(cap.leftMicros) }
}

export function presentMoney(left: MoneyLeft) {
  return { balanceUsd: formatUsd(left.availableMicros), ...presentCap(left) }
}
