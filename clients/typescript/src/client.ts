/** The client of a Scriptorium service. */
import { earlierRows, unchangedOf } from './earlier.ts'
import { JobEndedError } from './errors.ts'
import { Files, type FileStream } from './files.ts'
import { type CallOptions, Jobs, type OwnedChoice, type StartOptions } from './jobs.ts'
import { preview, type PreviewOptions } from './previews.ts'
import {
  eachHit,
  eachMention,
  mentionsCsv,
  type MentionsOptions,
  mentionsPage,
  type SearchOptions,
  searchPage,
} from './search.ts'
import { Library } from './library.ts'
import { Projects } from './projects.ts'
import { Subscriptions } from './subscriptions.ts'
import type {
  Balance,
  Job,
  JobRequest,
  Mention,
  Mentions,
  Preview,
  SearchHit,
  SearchResults,
  Video,
} from './schema.ts'
import { Transport, type TransportOptions } from './transport.ts'

export type ScriptoriumOptions = Omit<TransportOptions, 'apiKey'> & {
  /** Key from the account page, or a function that returns one; it is given the key that was refused, if one was. */
  apiKey: Exclude<TransportOptions['apiKey'], null>
  /** Address of the service, `https://host` or `https://host/api/v1`. */
  baseUrl: string
}

/** Fields of a job except its URLs, each with the API's default: original language, all formats, 500 videos. */
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

const API_BASE = '/api/v1'

export class Scriptorium {
  readonly jobs: Jobs
  readonly files: Files
  readonly library: Library
  readonly projects: Projects
  readonly subscriptions: Subscriptions
  readonly transport: Transport

  constructor({ baseUrl, ...options }: ScriptoriumOptions) {
    const address = baseUrl.replace(/\/$/, '')
    const base = address.endsWith(API_BASE) ? address : address + API_BASE
    this.transport = new Transport({ ...options, baseUrl: base })
    this.jobs = new Jobs(this.transport)
    this.files = new Files(this.transport)
    this.library = new Library(this.transport)
    this.projects = new Projects(this.transport)
    this.subscriptions = new Subscriptions(this.transport)
  }

  /**
   * Yields the delivered videos of these URLs, with their texts, as they arrive: starts a job (or joins the one that
   * runs for the same URLs), waits and reads its pages. Then come, for nothing, those that the account has already,
   * each as the row of the job that delivered it. Returns the job. Throws JobEndedError at the end where the job did
   * not finish. Leaving the loop early does not stop the job: `jobs.cancel` does.
   */
  async *transcripts(
    urls: string | string[],
    {
      signal,
      idempotencyKey,
      previewId,
      onSkipped,
      earlier = true,
      owned = 'skip',
      ...request
    }: TranscriptsOptions = {},
  ): AsyncGenerator<Transcript, Job, undefined> {
    const { id } = await this.jobs.startOrJoin(
      { ...request, urls },
      { signal, previewId, owned, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) },
    )
    const unchanged: Video[] = []
    for await (const video of this.jobs.results(id, { signal })) {
      if (video.status === 'success') yield video as Transcript
      else if (video.status === 'unchanged' && earlier) unchanged.push(video)
      else onSkipped?.(video)
    }
    const job = await this.jobs.get(id, { signal })
    const before = { job, unchanged: unchangedOf(job, unchanged), signal }
    for await (const video of earlierRows(this, before)) {
      if (video.status === 'success') yield video as Transcript
      else onSkipped?.(video)
    }
    if (job.state !== 'finished') throw new JobEndedError(job)
    return job
  }

  /**
   * Yields the places where these words are said in the account's transcripts, as many as the loop takes; the best
   * first, or the newest. `searchPage` returns one page, with the number of hits by channel and month.
   */
  search(q: string, options: SearchOptions = {}): AsyncGenerator<SearchHit, void, undefined> {
    return eachHit(this.transport, { ...options, q })
  }

  searchPage(q: string, options: SearchOptions = {}): Promise<SearchResults> {
    return searchPage(this.transport, { ...options, q })
  }

  /**
   * Yields every mention, newest video first and within it in order, as many as the loop takes. `mentionsPage` returns
   * one page, with the number of all by video, channel and month.
   */
  mentions(q: string, options: MentionsOptions = {}): AsyncGenerator<Mention, void, undefined> {
    return eachMention(this.transport, { ...options, q })
  }

  mentionsPage(q: string, options: MentionsOptions = {}): Promise<Mentions> {
    return mentionsPage(this.transport, { ...options, q })
  }

  /** Returns every mention as one CSV. A list that could not be finished ends in a ConnectionError. */
  mentionsCsv(
    q: string,
    options: Omit<MentionsOptions, 'offset' | 'limit'> = {},
  ): Promise<FileStream> {
    return mentionsCsv(this.transport, { ...options, q })
  }

  /**
   * Returns what a job with this request would take up and cost, line by line. It is free, and nothing is ordered. Give
   * its `id` to `jobs.start` as `previewId`, so that the job lists nothing again.
   */
  preview(request: JobRequest, options: PreviewOptions = {}): Promise<Preview> {
    return preview(this.transport, request, options)
  }

  /** Returns the prepaid balance; money reserved for running jobs is already subtracted. */
  balance({ signal }: CallOptions = {}): Promise<Balance> {
    return this.transport.json({ method: 'GET', path: '/balance', signal })
  }
}
