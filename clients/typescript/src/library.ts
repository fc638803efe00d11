/** The library: what the account has of each channel and playlist, whichever jobs brought it. */
import { type FileStream, openFileStream } from './files.ts'
import { type CallOptions, pathOf } from './jobs.ts'
import type {
  CollectionDetail,
  CollectionList,
  Format,
  JobVideo,
  LibraryVideo,
  LibraryVideoList,
  ListCollectionsData,
  ListLibraryVideosData,
} from './schema.ts'
import type { Transport } from './transport.ts'

export type CollectionsOptions = CallOptions & NonNullable<ListCollectionsData['query']>
export type LibraryVideosOptions = CallOptions & NonNullable<ListLibraryVideosData['query']>

export type LibraryFileOptions = CallOptions & {
  /** Of the ZIP: what it holds of each video; `text` by default. */
  formats?: readonly Format[]
  /** Of the passages: how long each is at most; 120 by default. */
  seconds?: number
}

const VIDEOS_PAGE = 200

/** Everything of a collection in one file. */
const FILES = {
  zip: 'files/zip',
  text: 'files/all.txt',
  report: 'files/report.csv',
  markdown: 'files/export.md',
  passages: 'files/export.jsonl',
} as const
export type LibraryFile = keyof typeof FILES

export class Library {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** A page of the account's channels and playlists, what changed last first. */
  list({ signal, ...query }: CollectionsOptions = {}): Promise<CollectionList> {
    return this.#transport.json({ method: 'GET', path: '/library', query, signal })
  }

  /** `id`: the platform's own, of a channel (`UC…`) or playlist. */
  get(id: string, { signal }: CallOptions = {}): Promise<CollectionDetail> {
    return this.#transport.json({
      method: 'GET',
      path: pathOf(id, '/library'),
      signal,
    })
  }

  videosPage(
    id: string,
    { signal, ...query }: LibraryVideosOptions = {},
  ): Promise<LibraryVideoList> {
    const path = `${pathOf(id, '/library')}/videos`
    return this.#transport.json({ method: 'GET', path, query, signal })
  }

  /** Every video of a collection, the newest first, page by page. */
  async *videos(
    id: string,
    { offset = 0, ...options }: Omit<LibraryVideosOptions, 'limit'> = {},
  ): AsyncGenerator<LibraryVideo, void> {
    for (let next: number | null = offset; next !== null;) {
      const page: LibraryVideoList = await this.videosPage(id, {
        ...options,
        offset: next,
        limit: VIDEOS_PAGE,
      })
      yield* page.videos
      next = page.nextOffset
    }
  }

  /** Everything of a collection in one file, whichever jobs delivered it; a connection that is lost is made anew. */
  file(
    id: string,
    file: LibraryFile,
    { formats, seconds, signal }: LibraryFileOptions = {},
  ): Promise<FileStream> {
    const query = { formats: formats?.join(), seconds }
    const path = `${pathOf(id, '/library')}/${FILES[file]}`
    return openFileStream(this.#transport, { path, query, signal })
  }

  /** One row of a job with what the platform says of its video, and where its text is. */
  video(jobId: string, index: number, { signal }: CallOptions = {}): Promise<JobVideo> {
    const path = `${pathOf(jobId)}/videos/${index}`
    return this.#transport.json({ method: 'GET', path, signal })
  }
}
