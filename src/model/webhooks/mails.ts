/** The mails about webhooks: that a job is final, and that a webhook was disabled. */
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
  return {
    to,
    subject: `Your job has ${job.state === 'interrupted' ? 'been interrupted' : wordOf(job.state)}: ${success} of ${job.processed} videos delivered`,
    lines: [
      `The job “${title.slice(0, LINE_CHARS_SHOWN)}” is ${job.state}.`,
      `${success} of ${job.processed} videos were delivered.`,
      ...(job.error === null ? [] : [job.error]),
      'Read the transcripts here; on the account page you can switch these mails off.',
    ],
    link: `${publicUrl}/jobs/${job.id}`,
  }
}

function wordOf(state: JobState): string {
  return state === 'cancelled' ? 'been cancelled' : state
}

const REASONS: Record<Exclude<DisabledBecause, 'asked'>, string> = {
  gone: 'Its receiver answered 410, which says that nothing more is to be sent there.',
  failing: 'For five days no delivery succeeded.',
  secret_lost:
    'Its secret cannot be opened any more, since the database was restored. Rotate the secret, give the new one to the receiver and switch the webhook on.',
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
    subject: 'A webhook of your Scriptorium account was disabled',
    lines: [
      `Nothing is sent to ${ask.url.slice(0, LINE_CHARS_SHOWN)} any more.`,
      REASONS[ask.disabledBecause],
      'The page of the webhook shows what was sent and answered. Once it is switched on again, what waits is sent, and “Replay” sends what was missed:',
    ],
    link: `${ask.publicUrl}/webhooks/${ask.webhookId}`,
  }
}
