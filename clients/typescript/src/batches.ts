/** Batches: orders of more than a job may have, which the service runs as one job after another. */
import {
  type CallOptions,
  type OwnedChoice,
  type PageOptions,
  pathOf,
  type WishedTrack,
} from './jobs.ts'
import type { Batch, BatchChange, BatchList, BatchRequest, BatchSummary } from './schema.ts'
import type { Transport } from './transport.ts'

const FOLDER = '/batches'
const PAGE = 50

export type BatchOptions = CallOptions & {
  /** `skip` by default: what other orders delivered is not bought again. */
  owned?: OwnedChoice | undefined
  /** See `jobs.start`. */
  track?: WishedTrack | undefined
}

export class Batches {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Orders up to 1,000 lines and 50,000 videos; nothing is reserved before its jobs start. Returns the batch that runs
   * where one of the same lines does.
   */
  create(request: BatchRequest, { signal, ...query }: BatchOptions = {}): Promise<Batch> {
    const call = { method: 'POST', path: FOLDER, query, body: request, signal }
    return this.#transport.json(call)
  }

  get(id: string, { signal }: CallOptions = {}): Promise<Batch> {
    return this.#transport.json({ method: 'GET', path: pathOf(id, FOLDER), signal })
  }

  /** Returns a page of the account's batches, newest first. */
  list({ signal, ...query }: PageOptions = {}): Promise<BatchList> {
    return this.#transport.json({ method: 'GET', path: FOLDER, query, signal })
  }

  /** Yields all of the account's batches, newest first. */
  async *all({ signal }: CallOptions = {}): AsyncGenerator<BatchSummary, void> {
    for (let next: number | null = 0; next !== null;) {
      const page: BatchList = await this.list({ offset: next, limit: PAGE, signal })
      yield* page.batches
      next = page.nextOffset
    }
  }

  /** Names a batch, stops it or continues it. */
  change(id: string, change: BatchChange, { signal }: CallOptions = {}): Promise<Batch> {
    return this.#transport.json({ method: 'PATCH', path: pathOf(id, FOLDER), body: change, signal })
  }

  /** Stops a batch and cancels its job that runs: what was delivered is charged and stays. */
  stop(id: string, options: CallOptions = {}): Promise<Batch> {
    return this.change(id, { state: 'stopped' }, options)
  }

  /** Continues a stopped batch where it was stopped. */
  continue(id: string, options: CallOptions = {}): Promise<Batch> {
    return this.change(id, { state: 'running' }, options)
  }
}
