/** Whether an account is mailed when a job is final: a receiver like a webhook, told at most once of each job. */
import { randomUUID } from 'node:crypto'
import type { Db } from '../../store/database.ts'
import { deleteJobMail, insertJobMail } from '../../store/webhooks.ts'
import { JOB_EVENT_TYPES } from '../../model/webhooks/webhook.ts'

/** Safe to repeat. Mails that are due when it is switched off are not sent. */
export async function changeJobMail(
  db: Db,
  { accountId, isOn }: { accountId: string; isOn: boolean },
): Promise<void> {
  if (!isOn) return deleteJobMail(db, accountId)
  const id = `whk_${randomUUID().replaceAll('-', '')}`
  await insertJobMail(db, { id, accountId, events: [...JOB_EVENT_TYPES] })
}
