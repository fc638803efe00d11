/** Calls of hand-written SQL for the money page and keys with a cap. */
import type { ChargedJob } from '../../src/model/money/spending.ts'
import type { Db, Tx } from '../../src/store/database.ts'
import * as keySpending from '../../src/store/spending.ts'
import { lockLivingBalance } from '../../src/store/ledger.ts'
import {
  countRefusedEvents,
  listPayments,
  listRefusedEvents,
  setEventOutcome,
} from '../../src/store/payments.ts'
import * as spending from '../../src/store/spending.ts'

const accountId = 'account'
const all = { accountId, month: null, spender: null }
const chosen = { accountId, month: '2026-11', spender: 'website' }
const behind: ChargedJob = {
  id: 'job',
  state: 'finished',
  firstLine: null,
  lines: 0,
  givenName: null,
  transcripts: 0,
  chargedMicros: 0n,
  chargedAt: new Date(0),
  spenderId: 'website',
  spenderName: null,
}

export const MONEY_CALLS: ((given: { db: Db; tx: Tx }) => Promise<unknown>)[] = [
  ({ db }) => spending.listChargedJobs(db, all, { limit: 1, offset: 1 }),
  ({ db }) => spending.listChargedJobs(db, chosen, { limit: 1, behind, onlyPaid: true }),
  ({ db }) => spending.sumChargedJobs(db, chosen),
  ({ db }) => spending.listSpendingDays(db, chosen),
  ({ db }) => spending.listDaysOf(db, [accountId], 30),
  ({ db }) => spending.listSpendingMonths(db, accountId),
  ({ db }) => spending.listSpenders(db, accountId),
  ({ db }) => spending.listUsage(db, accountId),
  ({ db }) => listPayments(db, accountId),
  ({ db }) => countRefusedEvents(db, 24),
  ({ db }) => listRefusedEvents(db, 10),
  ({ tx }) => setEventOutcome(tx, 'event', { outcome: 'noted', note: 'n' }),
  ({ tx }) => lockLivingBalance(tx, accountId),
  ({ db }) => keySpending.listKeySpendings(db, accountId),
  ({ tx }) => keySpending.readKeySpending(tx, 'key'),
]
