/** The library: what the account has of each channel and playlist, from all its jobs. */
import { LIBRARY_FILES, type LibraryFile, type ZipExport } from './catalogue.ts'
import { type FileStream, openFileStream } from './files.ts'
import { askDeletion, type CallOptions, type DeletionOptions, pathOf } from './jobs.ts'
import type {
  CollectionDetail,
  CollectionList,
  Format,
  JobVideo,
  LibraryVideo,
  LibraryVideoList,
  ListCollectionsData,
  ListLibraryVideosData,
  TextDeletion,
} from './schema.ts'
import type { Transport } from './transport.ts'

export type CollectionsOptions = CallOptions & NonNullable<ListCollectionsData['query']>
export type LibraryVideosOptions = CallOptions & NonNullable<ListLibraryVideosData['query']>

export type LibraryFileOptions = CallOptions & {
  /** Formats of each video in the ZIP; `text` by default. */
  formats?: readonly Format[]
  /** Further files of each video in the ZIP, which is then made while it is sent. */
  exports?: readonly ZipExport[]
  /** Longest passage in seconds, in the file of passages; 120 by default. */
  seconds?: number
  /** The most sources of a notebook; 50 by default. Texts that do not fit are an InvalidRequestError. */
  parts?: number
  /** The most words in each source of a notebook; 500,000 by default. */
  words?: number
}

const VIDEOS_PAGE = 200

export class Library {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Returns a page of the account's channels and playlists, the last changed first where no `sort` is given. */
  list({ signal, ...query }: CollectionsOptions = {}): Promise<CollectionList> {
    return this.#transport.json({ method: 'GET', path: '/library', query, signal })
  }

  /** Returns one collection; `id` is the platform's own, of a channel (`UC…`) or playlist. */
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

  /** Yields every video of a collection, newest first, page by page. */
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

  /** Returns everything of a collection in one file, from all jobs. It goes on after a lost connection. */
  file(
    id: string,
    file: LibraryFile,
    { formats, exports, signal, ...bounds }: LibraryFileOptions = {},
  ): Promise<FileStream> {
    const query = { formats: formats?.join(), exports: exports?.join(), ...bounds }
    const path = `${pathOf(id, '/library')}/${LIBRARY_FILES[file]}`
    return openFileStream(this.#transport, { path, query, signal })
  }

  /**
   * Returns one row of a job with what the platform says about its video, its caption tracks, and where its text is and
   * came from.
   */
  video(jobId: string, index: number, { signal }: CallOptions = {}): Promise<JobVideo> {
    const path = `${pathOf(jobId)}/videos/${index}`
    return this.#transport.json({ method: 'GET', path, signal })
  }

  /** Deletes all texts of it. Returns null, or what is left of many, which the service deletes next. */
  deleteTexts(id: string, options: DeletionOptions = {}): Promise<TextDeletion | null> {
    return askDeletion(this.#transport, `${pathOf(id, '/library')}/texts`, options)
  }
}
