/** `admin job list|show|cancel`: jobs of all accounts, why one waits, and the end of one. */
import { formatUsd } from '../billing/money.ts'
import { isFinal, JOB_STATES } from '../jobs/job.ts'
import { stopJob } from '../jobs/stop-job.ts'
import { ConfigError } from '../settings.ts'
import type { Db } from '../postgres/database.ts'
import { listSources } from '../store/job-sources.ts'
import { type Act, listActs } from '../store/operator-acts.ts'
import {
  findAnyJob,
  listAllJobs,
  type OwnedJob,
  type QueuePlace,
  readQueuePlaces,
} from '../store/overviews.ts'
import { actorOf, readReason } from './account-commands.ts'
import type { Command } from './admin.ts'
import { requireAccount } from './key-commands.ts'
import { readChoice, readPage } from './paging.ts'

const ACTS_SHOWN = 20

export const listJobsCommand: Command = {
  usage: 'job list [--account A] [--state S] [--limit 50] [--offset 0] [--json]',
  about: 'lists the jobs of all accounts or of one, newest first, and says why a queued one waits',
  options: ['account', 'state', 'limit', 'offset'],
  words: 0,
  async run({ db }, input) {
    const named = input.optional('account')
    const accountId = named === null ? null : (await requireAccount(db, named)).id
    const page = readPage(input)
    const state = readChoice(input, 'state', JOB_STATES)
    const found = await listAllJobs(db, {
      ...page,
      accountId,
      states: state === null ? null : [state],
    })
    const nextOffset = found.length > page.limit ? page.offset + page.limit : null
    const jobs = await presentJobs(db, found.slice(0, page.limit))
    const lines = jobs.map((job) =>
      [
        job.jobId,
        job.createdAt,
        job.state.padEnd(11),
        `${job.delivered}/${job.maxVideos}`.padStart(7),
        job.email,
        ...(job.waiting === null ? [] : [job.waiting.sentence]),
      ].join('  '),
    )
    const more = nextOffset === null ? [] : [`there are more: --offset ${nextOffset}`]
    return {
      ok: true,
      value: { ...page, nextOffset, jobs },
      lines: [...(lines.length > 0 ? lines : ['no jobs']), ...more],
    }
  },
}

export const showJobCommand: Command = {
  usage: 'job show J [--json]',
  about: 'shows a job: its request, progress and money, and why it waits',
  options: [],
  words: 1,
  async run({ db }, { words: [jobId = ''] }) {
    const job = await requireJob(db, jobId)
    const [present] = await presentJobs(db, [job])
    const sources = (await listSources(db, job.id)).map(({ line, state, listed }) => ({
      line,
      state,
      listed,
    }))
    const acts = (
      await listActs(db, { accountId: job.accountId, jobId: job.id, limit: ACTS_SHOWN })
    ).map(presentAct)
    const value = {
      ...present,
      language: job.language,
      formats: job.formats,
      requestedMaxVideos: job.requestedMaxVideos,
      publishedAfter: job.publishedAfter,
      publishedBefore: job.publishedBefore,
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
        .filter(([, one]) => one !== null && typeof one !== 'object')
        .map(([name, one]) => `${name}: ${String(one)}`),
      ...(present?.waiting == null ? [] : [`waits: ${present.waiting.sentence}`]),
      ...sources.map((source) => `source ${source.line}: ${source.state}, ${source.listed} listed`),
      ...acts.map((act) => `${act.act} by ${act.by} at ${act.at}: ${act.reason}`),
    ]
    return { ok: true, value, lines }
  },
}

export const cancelJobCommand: Command = {
  usage: 'job cancel J --reason R [--by NAME] [--json]',
  about: 'cancels a job at once; charges what it delivered and releases the rest of its reserve',
  options: ['reason', 'by'],
  words: 1,
  async run({ db }, input) {
    const { id: jobId, accountId, state } = await requireJob(db, input.words[0] ?? '')
    const wasStopped = await stopJob(db, {
      accountId,
      jobId,
      actor: actorOf(input),
      reason: readReason(input),
    })
    if (!wasStopped)
      throw new ConfigError(`job ${jobId} is already final (${state}); nothing was cancelled`)
    const [job] = await presentJobs(db, [await requireJob(db, jobId)])
    return {
      ok: true,
      value: job,
      lines: [
        `job ${jobId} is cancelled; ${job?.delivered} transcripts, ${job?.charged} USD charged`,
      ],
    }
  },
}

async function requireJob(db: Db, jobId: string): Promise<OwnedJob> {
  const job = await findAnyJob(db, jobId)
  if (job !== null) return job
  throw new ConfigError(`there is no job ${JSON.stringify(jobId)}; see: admin job list`)
}

/** What an operator did, as JSON. */
export function presentAct({ act, jobId, actor, reason, doneAt }: Act & { doneAt: Date }) {
  return { act, jobId, by: actor, reason, at: doneAt.toISOString() }
}

/** Jobs as JSON; queued ones with why they wait. */
export async function presentJobs(db: Db, jobs: readonly OwnedJob[]) {
  const queued = jobs.filter(({ state }) => state === 'queued').map(({ id }) => id)
  const places =
    queued.length > 0 ? await readQueuePlaces(db, queued) : new Map<string, QueuePlace>()
  return jobs.map((job) => ({
    jobId: job.id,
    accountId: job.accountId,
    email: job.email,
    state: job.state,
    createdAt: job.createdAt.toISOString(),
    startedAt: job.startedAt?.toISOString() ?? null,
    finishedAt: job.finishedAt?.toISOString() ?? null,
    urls: job.urls,
    maxVideos: job.maxVideos,
    discovered: job.startedAt === null ? null : job.discovered,
    processed: job.processed,
    delivered: job.counts.success,
    reserved: formatUsd(job.reservedMicros),
    charged: job.chargedMicros === null ? null : formatUsd(job.chargedMicros),
    error: job.error,
    waiting: isFinal(job.state) ? null : waitingOf(places.get(job.id)),
  }))
}

/** Null where the job does not wait for a worker. */
function waitingOf(place: QueuePlace | undefined) {
  return place === undefined ? null : { ...place, sentence: whyItWaits(place) }
}

/** As far as the database tells: it knows jobs, not processes. */
function whyItWaits({ ahead, running, runningOfAccount }: QueuePlace): string {
  if (running === 0) return 'no job is running: make sure that a process with the role worker is up'
  if (runningOfAccount * 2 >= running && runningOfAccount > 1) {
    return `its account has ${runningOfAccount} of the ${running} running jobs, which may be its whole share`
  }
  if (ahead > 0)
    return `${ahead === 1 ? 'one job is' : `${ahead} jobs are`} ahead of it in the queue; ${running} are running`
  return `it is next; ${running} jobs are running, which may be as many as WORKER_JOBS allows`
}
