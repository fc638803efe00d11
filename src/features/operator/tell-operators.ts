/** Mails to operators: an alert once a day, and each change of the canary's verdict. */
import { SWEEP_ROWS } from '../../kit/loop.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { EmailWords } from '../../model/mail/email.ts'
import type { CanaryResult } from '../../model/operator/canary.ts'
import { mailOfCanary } from '../../model/operator/mails.ts'
import { claimCanary, endCanary, releaseCanary } from '../../store/canary.ts'
import type { Db, Tx } from '../../store/database.ts'
import { sweepTable } from '../../store/erasure.ts'
import { listOperatorAddresses, markOperatorsTold } from '../../store/operator-mails.ts'
import type { Outbox } from '../mail/outbox.ts'

type Deps = { db: Db; outbox: Outbox }

const TOLD_KEPT_SECONDS = 7 * 24 * 3600

export async function hasOperators(db: Db): Promise<boolean> {
  return (await listOperatorAddresses(db)).length > 0
}

/**
 * Mails all operators about the cause, unless any process did so on this day (UTC); does nothing where there is no
 * operator, so that the next one is told.
 */
export async function tellOfCause(
  { db, outbox }: Deps,
  { cause, now, mail }: { cause: string; now: Date; mail: EmailWords },
): Promise<void> {
  await transact(db, async (tx) => {
    const addresses = await listOperatorAddresses(tx)
    const day = now.toISOString().slice(0, 10)
    if (addresses.length === 0 || !(await markOperatorsTold(tx, { cause, day }))) return
    await postAll(tx, outbox, addresses, mail)
  })
}

export async function sweepTold(db: Db): Promise<void> {
  await sweepTable(db, 'operator_mail', { minSeconds: TOLD_KEPT_SECONDS, rowsMax: SWEEP_ROWS })
}

async function postAll(
  tx: Tx,
  outbox: Outbox,
  addresses: readonly string[],
  mail: EmailWords,
): Promise<void> {
  for (const to of addresses) await outbox.post(tx, { to, ...mail })
}

// The canary's runs.

/** How long a run may take: the platform's own deadlines end most of it sooner, unless customers go first for long. */
export const CANARY_RUN_MS = 600_000
/** How long a run belongs to a process that may be gone: longer than it may take and be recorded. */
const CANARY_LEASE_SECONDS = CANARY_RUN_MS / 1000 + 60

/** Claims the run that is due every `hours`; null where none is, or another process has it. */
export function claimCanaryRun(db: Db, hours: number): Promise<bigint | null> {
  return claimCanary(db, { everySeconds: hours * 3600, leaseSeconds: CANARY_LEASE_SECONDS })
}

/** Gives a run back that ended without a result: the next process that looks makes it. */
export function giveUpCanaryRun(db: Db, run: bigint): Promise<void> {
  return releaseCanary(db, run)
}

/**
 * Records the result of a run, and mails all operators where the verdict changed; before the first run it counts as
 * healthy. Returns false where the run was no longer this process's.
 */
export async function recordCanaryRun(
  { db, outbox, publicUrl }: Deps & { publicUrl: string },
  run: bigint,
  result: CanaryResult,
): Promise<boolean> {
  return transact(db, async (tx) => {
    const known = await endCanary(tx, { run, ...result })
    if (known === 'lost') return false
    const before = known ?? 'healthy'
    if (before === result.verdict) return true
    const mail = mailOfCanary(result, { before, publicUrl })
    await postAll(tx, outbox, await listOperatorAddresses(tx), mail)
    return true
  })
}
