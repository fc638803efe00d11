/** The mails about webhooks: that a job is final, that a batch of jobs has ended, and that a webhook was disabled. */
import { counted } from '../../kit/text/counted.ts'
import type { JobState } from '../jobs/job.ts'
import { type Email, mailLine, type MailLine } from '../mail/email.ts'
import type { DisabledBecause } from './webhook.ts'

type EndedJob = {
  id: string
  state: JobState
  error: string | null
  processed: number
  counts: { success: number }
}

export function mailOfJob(ask: {
  to: string
  job: EndedJob
  /** The job's name. */
  title: string
  publicUrl: string
}): Email {
  const { to, job, title, publicUrl } = ask
  const { success } = job.counts
  const videos = counted(job.processed, 'video')
  return {
    to,
    subject: mailLine`Your job has ${wordOf(job.state)}: ${success} of ${videos} delivered`,
    lines: [
      mailLine`The job “${title}” has ${wordOf(job.state)}.`,
      mailLine`${success} of ${videos} ${success === 1 ? 'was' : 'were'} delivered.`,
      ...(job.error === null ? [] : [mailLine`${job.error}`]),
      mailLine`Read the transcripts here. You can turn these emails off on the account page.`,
    ],
    link: `${publicUrl}/jobs/${job.id}`,
  }
}

/** A batch sends one mail at its end, and its jobs none. */
export function mailOfBatch(ask: {
  to: string
  batch: { id: string; state: 'finished' | 'stopped'; notice: string | null }
  /** Videos delivered by all of its jobs. */
  delivered: number
  /** The batch's name. */
  title: string
  publicUrl: string
}): Email {
  const { to, batch, delivered, title, publicUrl } = ask
  const hasEnded = batch.state === 'finished' ? 'has finished' : 'has stopped'
  const count = counted(delivered, 'transcript')
  return {
    to,
    subject: mailLine`Your batch ${hasEnded}: ${count} delivered`,
    lines: [
      mailLine`The batch “${title}” ${hasEnded}.`,
      mailLine`${count} ${delivered === 1 ? 'was' : 'were'} delivered.`,
      ...(batch.notice === null ? [] : [mailLine`${batch.notice}`]),
      batch.state === 'finished'
        ? mailLine`Read the transcripts here. You can turn these emails off on the account page.`
        : mailLine`Continue it here. You can turn these emails off on the account page.`,
    ],
    link: `${publicUrl}/batches/${batch.id}`,
  }
}

function wordOf(state: JobState): string {
  return state === 'cancelled' || state === 'interrupted' ? `been ${state}` : state
}

const REASONS: Record<Exclude<DisabledBecause, 'asked'>, MailLine> = {
  gone: mailLine`It answered 410 (Gone), which asks us to stop.`,
  failing: mailLine`No delivery has succeeded for five days.`,
  secret_lost: mailLine`Its secret was lost when the database was restored. Create a new secret, set it on your server and switch the webhook on.`,
}

export function mailOfDisabled(ask: {
  email: string
  url: string
  webhookId: string
  disabledBecause: Exclude<DisabledBecause, 'asked'>
  publicUrl: string
}): Email {
  return {
    to: ask.email,
    subject: mailLine`A webhook of your Scriptorium account was switched off`,
    lines: [
      mailLine`We have stopped sending events to ${ask.url}.`,
      REASONS[ask.disabledBecause],
      mailLine`The webhook’s page lists its deliveries. Switch it on there to send what is waiting; “Replay” sends what it missed:`,
    ],
    link: `${ask.publicUrl}/webhooks/${ask.webhookId}`,
  }
}
