/** The library: what the account has of each channel and playlist, whichever jobs brought it. */
import { type CallOptions, pathOf } from './jobs.ts'
import type {
  CollectionDetail,
  CollectionList,
  JobVideo,
  LibraryVideo,
  LibraryVideoList,
  ListCollectionsData,
  ListLibraryVideosData,
} from './schema.ts'
import type { Transport } from './transport.ts'

export type CollectionsOptions = CallOptions & NonNullable<ListCollectionsData['query']>
export type LibraryVideosOptions = CallOptions & NonNullable<ListLibraryVideosData['query']>

const VIDEOS_PAGE = 200

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

  /** One row of a job with what the platform says of its video, and where its text is. */
  video(jobId: string, index: number, { signal }: CallOptions = {}): Promise<JobVideo> {
    const path = `${pathOf(jobId)}/videos/${index}`
    return this.#transport.json({ method: 'GET', path, signal })
  }
}
