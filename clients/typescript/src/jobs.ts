/** Jobs: starting them, waiting for them, reading their rows. */
import { JobInProgressError } from './errors.ts'
import { eachEvent, type JobEvent } from './events.ts'
import { eachRow, type Pages } from './results.ts'
import type {
  GetResultsData,
  Job,
  JobList,
  JobPatch,
  JobRequest,
  JobState,
  Receipt,
  Results,
  TextDeletion,
  Video,
} from './schema.ts'
import type { Transport } from './transport.ts'

export type CallOptions = {
  /** Ends the call, which throws the signal's reason. Work that the service has begun goes on. */
  signal?: AbortSignal | undefined
}

export type StartOptions = CallOptions & {
  /**
   * Key of the request: one key with the same request starts one job, however often it is sent. By default each call
   * makes a key of its own, which its retries keep. Give one to make a repeat by another process safe.
   */
  idempotencyKey?: string | undefined
  /** Id of a preview of the same URLs: the job does not list again what the preview listed. */
  previewId?: string | undefined
  /**
   * Videos that the account owns by other orders: `skip` gives them as `unchanged`, uncharged; `again`, as without it,
   * buys them again, and a notice says so.
   */
  owned?: OwnedChoice | undefined
  /** The track to take where the language has both: the automatic one, or the creator's own, as without it. */
  track?: WishedTrack | undefined
}

export type OwnedChoice = 'skip' | 'again'
export type WishedTrack = 'asr' | 'manual'

export type GetOptions = CallOptions & {
  /** Longest wait for the job's end in seconds (0 to 60); 0 by default. */
  waitSeconds?: number
}

export type WaitOptions = CallOptions & {
  /** Called with each answer, including the last. */
  onProgress?: (job: Job) => void
  /** Longest time between two answers in seconds (1 to 60); 60 by default. */
  everySeconds?: number
}

export type EventOptions = CallOptions & {
  /** The `id` of the last `video` event received: events up to it are not sent again. */
  lastEventId?: string
}

export type PageOptions = CallOptions & NonNullable<GetResultsData['query']>

export type ListOptions = CallOptions & {
  /** Jobs to skip; 0 by default. */
  offset?: number
  /** Most jobs of the page, 1 to 50; 20 by default. */
  limit?: number
}

export type DeletionOptions = CallOptions & {
  /** Return what would go, and delete nothing. */
  dryRun?: boolean | undefined
}

/** A job that a call started. */
export type StartedJob = Job & {
  /**
   * The one of `notices` that says how few of the videos asked for the balance covers: it matters only where there are
   * more videos than that. Left out where it covers them all.
   */
  balanceNotice?: string
}

/** Jobs come with their `title`, `name` and `note`. */
const NAMED = 'named'

const STILL_WORKING: ReadonlySet<JobState> = new Set(['queued', 'running', 'cancelling'])
const WAIT_S_MAX = 60
/** Share of our timeout for which the service may hold an answer. */
const WAIT_SHARE = 2 / 3

/** Returns whether the job is over and billed. */
export function isFinal({ state }: Pick<Job, 'state'>): boolean {
  return !STILL_WORKING.has(state)
}

export class Jobs {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Starts a job and reserves what it may cost. Retries never start a second one. Throws JobInProgressError, with its
   * `jobId`, while a job with the same URLs runs.
   */
  async start(request: JobRequest, options: StartOptions = {}): Promise<StartedJob> {
    const { idempotencyKey, previewId: preview, signal, ...wish } = options
    const { headers, body: job } = await this.#transport.answer<StartedJob>({
      method: 'POST',
      path: '/jobs',
      query: { preview, ...wish, view: NAMED },
      body: request,
      headers: { 'Idempotency-Key': idempotencyKey ?? newKey() },
      signal,
    })
    const balanceNotice = headers.get('X-Balance-Notice')
    return balanceNotice === null ? job : { ...job, balanceNotice }
  }

  /** Starts a job, or returns the one that already runs for the same URLs. */
  async startOrJoin(request: JobRequest, options: StartOptions = {}): Promise<StartedJob> {
    try {
      return await this.start(request, options)
    } catch (error) {
      if (!(error instanceof JobInProgressError)) throw error
      return this.get(error.jobId, { signal: options.signal })
    }
  }

  /** Returns state and progress of a job. */
  get(id: string, { waitSeconds, signal }: GetOptions = {}): Promise<Job> {
    const query = { wait: waitSeconds === 0 ? undefined : waitSeconds, view: NAMED }
    return this.#transport.json({ method: 'GET', path: pathOf(id), query, signal })
  }

  /** Returns the job when it is final, whatever its ending. */
  async wait(id: string, options: WaitOptions = {}): Promise<Job> {
    const { signal, onProgress, everySeconds = WAIT_S_MAX } = options
    const patience = Math.floor((this.#transport.timeoutMs / 1000) * WAIT_SHARE)
    const waitSeconds = Math.max(1, Math.min(everySeconds, patience, WAIT_S_MAX))
    for (;;) {
      const job = await this.get(id, { waitSeconds, signal })
      onProgress?.(job)
      if (isFinal(job)) return job
    }
  }

  /**
   * Yields every row of a job once, whatever its status. While the job runs, rows come as they are recorded, and the
   * iterator ends with the job; rows of a final job come in order of `index`. `textRow` is the row, of
   * whichever job, that holds the text.
   */
  results(id: string, { signal }: CallOptions = {}): AsyncGenerator<Video, void, undefined> {
    return eachRow({
      ...pagesOf(this, id, signal),
      pause: async (waitSeconds) => void (await this.get(id, { waitSeconds, signal })),
    })
  }

  /**
   * Yields what happens to a job, as it happens: its state, and each finished row without text and segments. Ends after
   * `end`; after a lost connection it goes on where it broke off.
   */
  events(
    id: string,
    { lastEventId, signal }: EventOptions = {},
  ): AsyncGenerator<JobEvent, void, undefined> {
    const call = { method: 'GET', path: `${pathOf(id)}/events`, signal }
    return eachEvent(this.#transport, call, lastEventId)
  }

  /** Returns one page of rows: 50 by default, 200 at most; `view: 'rows'` leaves texts and segments out. */
  resultsPage(id: string, { signal, ...query }: PageOptions = {}): Promise<Results> {
    return this.#transport.json({ method: 'GET', path: `${pathOf(id)}/results`, query, signal })
  }

  /** Stops a job: its delivered transcripts are charged and stay readable. A final job stays as it is. */
  cancel(id: string, { signal }: CallOptions = {}): Promise<Job> {
    return this.#transport.json({ method: 'POST', path: `${pathOf(id)}/cancel`, signal })
  }

  /** Returns a page of the account's jobs, newest first. */
  list({ signal, ...query }: ListOptions = {}): Promise<JobList> {
    const asked = { ...query, view: NAMED }
    return this.#transport.json({ method: 'GET', path: '/jobs', query: asked, signal })
  }

  /** Names a job, or notes something about it; null takes either away, and what is left out stays. */
  change(id: string, change: JobPatch, { signal }: CallOptions = {}): Promise<Job> {
    return this.#transport.json({ method: 'PATCH', path: pathOf(id), body: change, signal })
  }

  /** Returns the signed receipt of a final job; throws NotFoundError before. */
  receipt(id: string, { signal }: CallOptions = {}): Promise<Receipt> {
    return this.#transport.json({ method: 'GET', path: `${pathOf(id)}/receipt`, signal })
  }

  /** Deletes a job's texts for good, in all orders that brought the same. Returns null, or what would go. */
  deleteTexts(id: string, options: DeletionOptions = {}): Promise<TextDeletion | null> {
    return askDeletion(this.#transport, `${pathOf(id)}/texts`, options)
  }

  deleteText(
    id: string,
    index: number,
    options: DeletionOptions = {},
  ): Promise<TextDeletion | null> {
    return askDeletion(this.#transport, `${pathOf(id)}/videos/${index}/text`, options)
  }
}

/** Unknown options are sent, and refused: a misspelt `dryRun` must not delete. */
export function askDeletion(
  transport: Transport,
  path: string,
  { signal, dryRun, ...query }: DeletionOptions & { texts?: string | undefined },
): Promise<TextDeletion | null> {
  const asked = { ...query, dryRun: dryRun?.toString() }
  return transport.json({ method: 'DELETE', path, query: asked, signal })
}

/** Pages of a job's rows, each with where its text is. */
export function pagesOf(jobs: Jobs, id: string, signal: AbortSignal | undefined): Pages {
  return { page: (query) => jobs.resultsPage(id, { include: 'textRow', ...query, signal }) }
}

/** Returns the path of an id. Ids are data: one with a slash or a dot must not lead to another address. */
export function pathOf(id: string, folder = '/jobs'): string {
  return `${folder}/${encodeURIComponent(id).replaceAll('.', '%2E')}`
}

/** Returns 128 random bits; `randomUUID` is missing in browsers on plain HTTP. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
