/** `admin job list|show|cancel`: lists jobs of all accounts, says why one waits, cancels one. */
import { counted } from '../kit/text/counted.ts'
import { sentDates } from '../model/jobs/date-bounds.ts'
import { formatUsd, inDollars } from '../model/money/money.ts'
import { JOB_STATES } from '../model/jobs/job.ts'
import { stopJob } from '../features/jobs/attempt.ts'
import { ConfigError } from '../kit/settings.ts'
import type { Db } from '../store/database.ts'
import {
  type Act,
  findJobs,
  type FoundJob,
  type JobDetails,
  type QueuePosition,
  readJob,
} from '../features/operator/read-jobs.ts'
import { actorOf, readReason } from './account-commands.ts'
import { type Command, leadingTo, pageAnswer, readChoice, readPage } from './command.ts'
import { requireAccount } from './key-commands.ts'

const listJobsCommand: Command = {
  usage: 'job list [--account A] [--state S] [--limit 50] [--offset 0] [--json]',
  about: 'lists the jobs of all accounts or of one, newest first, and says why a queued one waits',
  async run({ db }, input) {
    const named = input.optional('account')
    const accountId = named === null ? null : (await requireAccount(db, named)).id
    const page = readPage(input)
    const state = readChoice(input, 'state', JOB_STATES)
    const { jobs: found, nextOffset } = await findJobs(db, { ...page, accountId, state })
    const jobs = found.map(presentAnyJob)
    const lines = jobs.map((job) =>
      [
        job.jobId,
        job.createdAt.toISOString(),
        job.state.padEnd(11),
        `${job.delivered}/${job.maxVideos}`.padStart(7),
        job.email,
        ...(job.waiting === null ? [] : [job.waiting.sentence]),
      ].join('  '),
    )
    return pageAnswer('jobs', { ...page, items: jobs, lines, nextOffset })
  },
}

const showJobCommand: Command = {
  usage: 'job show J [--json]',
  about: 'shows a job: its request, progress and money, and why it waits',
  async run({ db }, { words: [jobId = ''] }) {
    const { job, sources, acts: done } = await requireJob(db, jobId)
    const present = presentAnyJob(job)
    const acts = done.map(presentAct)
    const value = {
      ...present,
      language: job.language,
      formats: job.formats,
      requestedMaxVideos: job.requestedMaxVideos,
      ...sentDates(job),
      counts: job.counts,
      notices: job.notices,
      attempt: job.attempt,
      lostAttempts: job.lostAttempts,
      isHeld: job.isHeld,
      sources,
      acts,
    }
    const lines = [
      ...Object.entries(value)
        .map(([name, one]) => [name, one instanceof Date ? one.toISOString() : one] as const)
        .filter(([, one]) => one !== null && typeof one !== 'object')
        .map(([name, one]) => `${name}: ${String(one)}`),
      ...(present.waiting === null ? [] : [`waits: ${present.waiting.sentence}`]),
      ...sources.map((source) => `source ${source.line}: ${source.state}, ${source.listed} listed`),
      ...acts.map((act) => `${act.act} by ${act.by} at ${act.at.toISOString()}: ${act.reason}`),
    ]
    return { value, lines }
  },
}

const cancelJobCommand: Command = {
  usage: 'job cancel J --reason R [--by NAME] [--json]',
  about: 'cancels a job at once; charges what it delivered and releases the rest of its reserve',
  async run({ db }, input) {
    const { id: jobId, accountId, state } = (await requireJob(db, input.words[0] ?? '')).job
    const order = { accountId, jobId, actor: actorOf(input), reason: readReason(input) }
    if (!(await stopJob(db, order)))
      throw new ConfigError(`job ${jobId} is already final (${state}); nothing was cancelled`)
    const job = presentAnyJob((await requireJob(db, jobId)).job)
    const charged = inDollars(job.charged ?? '0.000')
    const line = `job ${jobId} is cancelled; ${counted(job.delivered, 'transcript')}, ${charged} charged`
    return { value: job, lines: [line] }
  },
}

async function requireJob(db: Db, jobId: string): Promise<JobDetails> {
  const job = await readJob(db, jobId)
  if (job !== null) return job
  throw leadingTo(`there is no job ${JSON.stringify(jobId)}; see`, ['job', 'list'])
}

/** Presents an operator's act as JSON. */
export function presentAct({ act, jobId, actor, reason, detail, doneAt }: Act & { doneAt: Date }) {
  return { act, jobId, by: actor, reason, detail, at: doneAt }
}

/** Presents a job as JSON; a queued one with why it waits. */
export function presentAnyJob(job: FoundJob) {
  return {
    jobId: job.id,
    accountId: job.accountId,
    email: job.email,
    title: job.title,
    state: job.state,
    createdAt: job.createdAt,
    startedAt: job.startedAt,
    finishedAt: job.finishedAt,
    urls: job.urls,
    lines: job.lines,
    maxVideos: job.maxVideos,
    discovered: job.startedAt === null ? null : job.discovered,
    processed: job.processed,
    delivered: job.counts.success,
    reserved: formatUsd(job.reservedMicros),
    charged: job.chargedMicros === null ? null : formatUsd(job.chargedMicros),
    error: job.error,
    waiting: waitingOf(job.queuePosition),
  }
}

/** Presents the job's position; null where it does not wait for a worker. */
function waitingOf(position: QueuePosition | null) {
  return position === null ? null : { ...position, sentence: whyItWaits(position) }
}

/** Returns why a job waits, as far as the database tells: it knows jobs, not processes. */
function whyItWaits({ ahead, running, runningOfAccount }: QueuePosition): string {
  if (running === 0) return 'no job is running: make sure that a process with the role worker is up'
  if (runningOfAccount * 2 >= running && runningOfAccount > 1) {
    return `its account has ${runningOfAccount} of the ${running} running jobs, which may be its whole share`
  }
  if (ahead > 0) return `${counted(ahead, 'job')} ahead of it in the queue; ${running} running`
  return `it is next; ${counted(running, 'job')} running, which may be as many as WORKER_JOBS allows`
}

export const JOB_COMMANDS = [listJobsCommand, showJobCommand, cancelJobCommand]
