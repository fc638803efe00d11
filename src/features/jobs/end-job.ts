/** Settles a job: charge, release and final state. Called by every verb that ends a job. */
import { settle } from '../../model/money/ledger.ts'
import type { Tx } from '../../store/database.ts'
import { addFreeCalls } from '../../store/free-calls.ts'
import { setFinal } from '../../store/final-state.ts'
import type { JobRecord } from '../../store/jobs.ts'
import type { LockedBalance } from '../../store/ledger.ts'
import { signal } from '../../store/signals.ts'
import { countDelivered } from '../../store/video-rows.ts'
import { isLastOpen, withoutOne } from '../../model/jobs/admission.ts'
import type { FinalState } from '../../model/jobs/job.ts'
import { sendEnded } from './send-ended.ts'
import { STATUSES_OF_REFUSALS } from '../../model/jobs/video-row.ts'

/**
 * Balance and job are locked by the caller, in this order; the job is not final yet. `delivered`: its rows with a
 * transcript, as they are under the lock; they are counted where nobody knows. Returns the balance and the job as the
 * settlement left them.
 */
export async function endJob(
  tx: Tx,
  { balance, job, ...known }: { balance: LockedBalance; job: JobRecord; delivered?: number | null },
  end: { state: FinalState; error: string | null },
): Promise<{ after: LockedBalance; job: JobRecord }> {
  const delivered = known.delivered ?? (await countDelivered(tx, job.id))
  const { chargedMicros, entries } = settle(job.reservedMicros, delivered)

  // An attempt without a transcript is unpaid work: it counts towards the account's daily allowance.
  const refused = STATUSES_OF_REFUSALS.reduce((sum, status) => sum + job.counts[status], 0)
  if (refused > 0) await addFreeCalls(tx, job.accountId, { listing: 0, refused })
  const { accountId, id: jobId } = job
  const finishedAt = balance.now
  const { after, told } = await setFinal(
    tx,
    { accountId, jobId, isLast: isLastOpen(balance.openJobs) },
    { ...end, chargedMicros, finishedAt },
    {
      before: { ...balance, openJobs: withoutOne(balance.openJobs) },
      entries: entries.map((entry) => ({
        entry,
        posting: { reference: `${entry.kind}:${jobId}`, jobId, reason: null },
      })),
    },
  )
  const ended = { ...job, ...end, chargedMicros, finishedAt, isHeld: false }
  sendEnded(tx, ended)
  signal(tx, 'scriptorium_job', job.id)
  if (told > 0) signal(tx, 'scriptorium_delivery', '')
  return { after, job: ended }
}
