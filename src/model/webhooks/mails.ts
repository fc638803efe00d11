/** The mails about webhooks: that a job is final, that a batch of jobs has ended, and that a webhook was disabled. */
import type { JobState } from '../jobs/job.ts'
import type { DisabledBecause } from './webhook.ts'

type Mailed = { to: string; subject: string; lines: string[]; link: string | null }

type EndedJob = {
  id: string
  state: JobState
  error: string | null
  processed: number
  counts: { success: number }
}

const LINE_CHARS_SHOWN = 120

export function mailOfJob(ask: {
  to: string
  job: EndedJob
  /** What the job is called. */
  title: string
  publicUrl: string
}): Mailed {
  const { to, job, title, publicUrl } = ask
  const { success } = job.counts
  const videos = job.processed === 1 ? '1 video' : `${job.processed} videos`
  return {
    to,
    subject: `Your job has ${wordOf(job.state)}: ${success} of ${videos} delivered`,
    lines: [
      `The job “${title.slice(0, LINE_CHARS_SHOWN)}” has ${wordOf(job.state)}.`,
      `${success} of ${videos} ${success === 1 ? 'was' : 'were'} delivered.`,
      ...(job.error === null ? [] : [job.error]),
      'Read the transcripts here. You can turn these emails off on the account page.',
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
  /** What the batch is called. */
  title: string
  publicUrl: string
}): Mailed {
  const { to, batch, delivered, title, publicUrl } = ask
  const hasEnded = batch.state === 'finished' ? 'has finished' : 'has stopped'
  const count = delivered === 1 ? '1 transcript' : `${delivered} transcripts`
  return {
    to,
    subject: `Your batch ${hasEnded}: ${count} delivered`,
    lines: [
      `The batch “${title.slice(0, LINE_CHARS_SHOWN)}” ${hasEnded}.`,
      `${count} ${delivered === 1 ? 'was' : 'were'} delivered.`,
      ...(batch.notice === null ? [] : [batch.notice]),
      batch.state === 'finished'
        ? 'Read the transcripts here. You can turn these emails off on the account page.'
        : 'Continue it here. You can turn these emails off on the account page.',
    ],
    link: `${publicUrl}/batches/${batch.id}`,
  }
}

function wordOf(state: JobState): string {
  return state === 'cancelled' || state === 'interrupted' ? `been ${state}` : state
}

const REASONS: Record<Exclude<DisabledBecause, 'asked'>, string> = {
  gone: 'It answered 410 (Gone), which asks us to stop.',
  failing: 'No delivery has succeeded for five days.',
  secret_lost:
    'Its secret was lost when the database was restored. Create a new secret, set it on your server and switch the webhook on.',
}

export function mailOfDisabled(ask: {
  email: string
  url: string
  webhookId: string
  disabledBecause: Exclude<DisabledBecause, 'asked'>
  publicUrl: string
}): Mailed {
  return {
    to: ask.email,
    subject: 'A webhook of your Scriptorium account was switched off',
    lines: [
      `We have stopped sending events to ${ask.url.slice(0, LINE_CHARS_SHOWN)}.`,
      REASONS[ask.disabledBecause],
      'The webhook’s page lists its deliveries. Switch it on there to send what is waiting; “Replay” sends what it missed:',
    ],
    link: `${ask.publicUrl}/webhooks/${ask.webhookId}`,
  }
}
