/** A job's files as streams that survive a lost connection. */
import { FORMAT_ENDINGS, LIBRARY_FILES, WORD_ENDINGS, type ZipExport } from './catalogue.ts'
import { ConnectionError } from './errors.ts'
import { type CallOptions, pathOf } from './jobs.ts'
import { inTime, retryDelayMs, sleep } from './retry.ts'
import type { Format, Words } from './schema.ts'
import type { Call, Transport } from './transport.ts'

export type FileStream = ReadableStream<Uint8Array<ArrayBuffer>> & {
  /** Size of the whole file; null where the service did not say. */
  readonly sizeBytes: number | null
}

export type TextsOptions = CallOptions & {
  /** Also what other orders brought for the job's videos, those that it left out as `unchanged`. */
  texts?: 'all' | undefined
}

export type ZipOptions = TextsOptions & {
  /** `title` gives readable names, `index` numbers; `index` by default. */
  names?: 'index' | 'title'
  /** Formats of each video; by default those that the job was ordered with. */
  formats?: readonly Format[]
  /** Further files of each video. A ZIP with them is made while it is sent: one that is cut is an error. */
  exports?: readonly ZipExport[]
  /**
   * Leaves out the first `after` videos to finish, delivered or not, so that a running job's files can be fetched bit
   * by bit.
   */
  after?: number
}

export class Files {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Returns every file of the job or batch, with all texts in one file and the report, as a ZIP. */
  zip(
    jobId: string,
    { formats, exports, signal, ...options }: ZipOptions = {},
  ): Promise<FileStream> {
    const query = { ...options, formats: formats?.join(), exports: exports?.join() }
    return this.#open(jobId, LIBRARY_FILES.zip, { query, signal })
  }

  /** Returns all texts of a job or batch in one file. */
  text(jobId: string, { signal, ...query }: TextsOptions = {}): Promise<FileStream> {
    return this.#open(jobId, LIBRARY_FILES.text, { query, signal })
  }

  /** Returns one CSV line for each video, failures included. */
  report(jobId: string, { signal, ...query }: TextsOptions = {}): Promise<FileStream> {
    return this.#open(jobId, LIBRARY_FILES.report, { query, signal })
  }

  /** Returns one video in one format. */
  video(jobId: string, index: number, format: Format, { signal }: CallOptions = {}) {
    return this.#open(jobId, `files/${index}.${FORMAT_ENDINGS[format]}`, { signal })
  }

  /**
   * Returns when each word of a video is said. Throws NotFoundError where no times are kept, as `hasWordTimes` of
   * `library.video` says before.
   */
  words(jobId: string, index: number, { signal }: CallOptions = {}): Promise<Words> {
    const path = `${pathOf(jobId)}/videos/${index}/${WORD_ENDINGS.words}`
    return this.#transport.json({ method: 'GET', path, signal })
  }

  /** Returns the captions as WebVTT in which each word has its time; as `words` for those that have none. */
  wordsVtt(jobId: string, index: number, { signal }: CallOptions = {}): Promise<FileStream> {
    const path = `${pathOf(jobId)}/videos/${index}/${WORD_ENDINGS.wordsvtt}`
    return openFileStream(this.#transport, { path, signal })
  }

  #open(id: string, name: string, call: Partial<Call>): Promise<FileStream> {
    const folder = id.startsWith('batch_') ? '/batches' : '/jobs'
    return openFileStream(this.#transport, { path: `${pathOf(id, folder)}/${name}`, ...call })
  }
}

/** Resolves when the answer begins. */
export async function openFileStream(
  transport: Transport,
  call: Omit<Call, 'method'>,
): Promise<FileStream> {
  const file = new FileReading(transport, { method: 'GET', ...call })
  const sizeBytes = await file.open()
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: async (controller) => {
      const chunk = await file.next()
      if (chunk === null) controller.close()
      else controller.enqueue(chunk)
    },
    cancel: (reason) => file.cancel(reason),
  })
  return Object.assign(stream, { sizeBytes })
}

/**
 * Reads the bytes of one file. Files of a final job never change, which their ETag says: after a cut the rest is asked
 * for. A file of a running job is a snapshot that cannot be had again, so that a cut is an error.
 */
class FileReading {
  readonly #transport: Transport
  readonly #call: Call
  #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | null = null
  #etag: string | null = null
  #sizeBytes: number | null = null
  #received = 0
  /** Bytes to skip, where the whole file is sent again after a cut. */
  #toSkip = 0
  #failures = 0
  readonly #left = new AbortController()

  constructor(transport: Transport, call: Call) {
    this.#transport = transport
    const signal = AbortSignal.any([this.#left.signal, ...(call.signal ? [call.signal] : [])])
    this.#call = { ...call, signal }
  }

  /** Returns the size, or null where it is not known before the end. */
  async open(): Promise<number | null> {
    const { headers, body } = await this.#transport.open(this.#call)
    this.#reader = body?.getReader() ?? null
    this.#etag = headers.get('ETag')
    const length = headers.get('Content-Length')
    if (length !== null && !headers.has('Content-Encoding')) this.#sizeBytes = Number(length)
    return this.#sizeBytes
  }

  /** Returns the next bytes, or null at the end. */
  async next(): Promise<Uint8Array<ArrayBuffer> | null> {
    for (;;) {
      try {
        const chunk = await this.#read()
        this.#failures = 0
        if (chunk === null || chunk.length > 0) return chunk
      } catch (error) {
        await this.#reopen(error)
      }
    }
  }

  /** Aborts before it cancels: a read that is waiting would otherwise end as if the connection was cut. */
  async cancel(reason: unknown): Promise<void> {
    this.#left.abort(reason)
    // The abort above may have ended the reader already.
    await this.#reader?.cancel(reason).catch(() => undefined)
  }

  async #read(): Promise<Uint8Array<ArrayBuffer> | null> {
    if (this.#reader === null || this.#received === this.#sizeBytes) return null
    const { done, value } = await inTime(this.#reader.read(), this.#transport.timeoutMs)
    if (done) {
      if (this.#sizeBytes === null) return null
      throw new Error('the body ended before its end')
    }
    const skipped = Math.min(this.#toSkip, value.length)
    this.#toSkip -= skipped
    this.#received += value.length - skipped
    return value.subarray(skipped)
  }

  /** Goes on after the last byte that arrived; throws where that is impossible. */
  async #reopen(cause: unknown): Promise<void> {
    const { signal } = this.#call
    const { backoffMs, maxRetries } = this.#transport
    if (signal?.aborted === true) throw signal.reason
    this.#reader?.cancel(cause).catch(() => undefined)
    const lost = new ConnectionError({
      code: 'connection_lost',
      message: 'The connection was lost in the middle of a file.',
      cause,
    })
    const delayMs = retryDelayMs(lost, { retries: this.#failures, backoffMs })
    if (delayMs === null || this.#etag === null || this.#failures >= maxRetries) throw lost
    this.#failures += 1
    await sleep(delayMs, signal)
    const range = { Range: `bytes=${this.#received}-`, 'If-Range': this.#etag }
    const { status, body } = await this.#transport.open({ ...this.#call, headers: range })
    // A compressed answer has another tag and no ranges, so that the whole file comes again.
    this.#toSkip = status === 206 ? 0 : this.#received
    this.#reader = body?.getReader() ?? null
  }
}
