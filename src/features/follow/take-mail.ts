/** Takes the next mail about a subscription out of the outbox. */
import type { Db } from '../../store/database.ts'
import { takeMail } from '../../store/subscription-mails.ts'
import { type FollowMail, mailOfSubscription } from '../../model/follow/mails.ts'

/** It counts as sent from now on: at most once each. Null where none is due. */
export async function takeSubscriptionMail(db: Db, publicUrl: string): Promise<FollowMail | null> {
  const due = await takeMail(db)
  return due === null ? null : mailOfSubscription({ ...due, publicUrl })
}
