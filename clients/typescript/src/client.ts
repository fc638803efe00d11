/** The client of a Scriptorium service. */
import { Batches } from './batches.ts'
import { Files, type FileStream } from './files.ts'
import { type CallOptions, Jobs } from './jobs.ts'
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
} from './schema.ts'
import { eachTranscript, type Transcript, type TranscriptsOptions } from './transcripts.ts'
import { Transport, type TransportOptions } from './transport.ts'

export type ScriptoriumOptions = Omit<TransportOptions, 'apiKey'> & {
  /** Key from the account page, or a function that returns one; it is given the key that was refused, if one was. */
  apiKey: Exclude<TransportOptions['apiKey'], null>
  /** Address of the service, `https://host` or `https://host/api/v1`. */
  baseUrl: string
}

const API_BASE = '/api/v1'

export class Scriptorium {
  readonly jobs: Jobs
  readonly batches: Batches
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
    this.batches = new Batches(this.transport)
    this.files = new Files(this.transport)
    this.library = new Library(this.transport)
    this.projects = new Projects(this.transport)
    this.subscriptions = new Subscriptions(this.transport)
  }

  /**
   * Yields the delivered videos of these URLs, with their texts, as they arrive: starts a job (or joins the one that
   * runs for the same URLs), waits and reads its pages. Then come, for nothing, those that the account has already,
   * each as the row of the job that delivered it. More lines or videos than a job may have are ordered as a batch, and
   * come job by job. Returns the job, of a batch the last one. Throws JobEndedError at the end where the job did not
   * finish, and BatchStoppedError where the batch stopped. Leaving the loop early stops neither: `jobs.cancel` and
   * `batches.stop` do.
   */
  transcripts(
    urls: string | string[],
    options: TranscriptsOptions = {},
  ): AsyncGenerator<Transcript, Job, undefined> {
    return eachTranscript(this, urls, options)
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
