/** The texts behind some lines, as they arrive: of one job, or, of more than a job may have, of a batch. */
import type { Batches } from './batches.ts'
import { earlierRows, unchangedOf } from './earlier.ts'
import { BatchStoppedError, InvalidRequestError, JobEndedError } from './errors.ts'
import { type CallOptions, type Jobs, type OwnedChoice, type StartOptions } from './jobs.ts'
import type { Library } from './library.ts'
import { sleep } from './retry.ts'
import type { Job, JobRequest, Video } from './schema.ts'

/**
 * Fields of a job except its URLs, each with the API's default: original language, all formats, 500 videos, or as many
 * as there are lines. A batch takes no `idempotencyKey` and no `previewId`.
 */
export type TranscriptsOptions = StartOptions &
  Omit<JobRequest, 'urls'> & {
    /** Called with each video that yields nothing, and each line that cannot be read; `status` and `label` say why. */
    onSkipped?: (video: Video) => void
    /** False leaves out what the account has already; true by default. */
    earlier?: boolean
    /** `skip` by default: what other orders delivered is not bought again. */
    owned?: OwnedChoice
  }

/** A row with its text. */
export type Transcript = Video & { status: 'success'; text: string; videoId: string }

/** Most videos of one job; an order of more is a batch. */
const JOB_VIDEOS_MAX = 500
const FIRST_PAUSE_S = 1
/** Longest pause in seconds while a batch waits for its next job. */
const PAUSE_S_MAX = 5

type Source = { jobs: Jobs; batches: Batches; library: Library }

/** See `Scriptorium.transcripts`. */
export async function* eachTranscript(
  source: Source,
  urls: string | string[],
  { onSkipped, earlier = true, owned = 'skip', ...options }: TranscriptsOptions,
): AsyncGenerator<Transcript, Job, undefined> {
  const { signal, idempotencyKey, previewId, track, ...request } = options
  const order = { ...request, urls }
  const start = { signal, previewId, owned, track, idempotencyKey }
  const reading: Reading = { signal, earlier, onSkipped, seen: new Set() }
  const isLarge = (request.maxVideos ?? 0) > JOB_VIDEOS_MAX
  const job = isLarge ? null : await unlessLarge(source.jobs.startOrJoin(order, start))
  if (job === null) {
    const { id } = await source.batches.create(order, { owned, track, signal })
    return yield* textsOfBatch(source, id, reading)
  }
  const final = yield* textsOfJob(source, job.id, reading)
  if (final.state !== 'finished') throw new JobEndedError(final)
  return final
}

/**
 * Returns null where the lines are too many for a job: only the service can count them, in a web page or a table. What
 * is wrong with them otherwise is said again by the batch, which is refused, too.
 */
export async function unlessLarge<T>(starting: Promise<T>): Promise<T | null> {
  try {
    return await starting
  } catch (error) {
    if (error instanceof InvalidRequestError && error.field === 'urls') return null
    throw error
  }
}

/** `seen` are the videos that this order has yielded, and those of which it has told. */
type Reading = CallOptions & {
  earlier: boolean
  onSkipped: ((video: Video) => void) | undefined
  seen: Set<string>
}

async function* textsOfBatch(
  source: Source,
  id: string,
  reading: Reading,
): AsyncGenerator<Transcript, Job, undefined> {
  let last: Job | null = null
  for await (const jobId of jobsOfBatch(source.batches, id, reading)) {
    last = yield* textsOfJob(source, jobId, reading)
  }
  const batch = await source.batches.get(id, reading)
  if (batch.state === 'stopped' || last === null) throw new BatchStoppedError(batch)
  return last
}

/** Yields the ids of a batch's jobs in their order, each as soon as it is started; ends where the batch does. */
async function* jobsOfBatch(
  batches: Batches,
  id: string,
  { signal }: CallOptions,
): AsyncGenerator<string, void, undefined> {
  let pauseS = FIRST_PAUSE_S
  for (let read = 0; ;) {
    const batch = await batches.get(id, { signal })
    const next = batch.jobs[read]
    if (next !== undefined) {
      yield next.id
      read += 1
      pauseS = FIRST_PAUSE_S
    } else if (batch.state !== 'running') return
    else {
      await sleep(pauseS * 1000, signal)
      pauseS = Math.min(PAUSE_S_MAX, pauseS + 1)
    }
  }
}

/** Yields the texts of a job, then those that the account has already; returns the final job, whatever its state. */
async function* textsOfJob(
  { jobs, library }: Source,
  id: string,
  { signal, earlier, onSkipped, seen }: Reading,
): AsyncGenerator<Transcript, Job, undefined> {
  const unchanged: Video[] = []
  for await (const video of jobs.results(id, { signal })) {
    if (video.status === 'unchanged' && earlier) unchanged.push(video)
    else if (isNew(video)) {
      if (video.status === 'success') yield video as Transcript
      else onSkipped?.(video)
    }
  }
  const job = await jobs.get(id, { signal })
  const missing = unchangedOf(job, unchanged).filter(({ videoId }) => !seen.has(`text ${videoId}`))
  for await (const video of earlierRows({ jobs, library }, { job, unchanged: missing, signal })) {
    if (!isNew(video)) continue
    if (video.status === 'success') yield video as Transcript
    else onSkipped?.(video)
  }
  return job

  /** A batch orders a part again as long as it goes on: a later job names what an earlier one had. */
  function isNew({ status, videoId, url }: Video): boolean {
    if (status !== 'success' && seen.has(`text ${videoId}`)) return false
    const name = status === 'success' ? `text ${videoId}` : `${status} ${videoId ?? url}`
    return !seen.has(name) && seen.add(name).size > 0
  }
}
