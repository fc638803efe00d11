/** Projects: collections of an account's own. Their videos and files are read by `library`, with a project's id. */
import {
  askDeletion,
  type CallOptions,
  type DeletionOptions,
  type PageOptions,
  pathOf,
} from './jobs.ts'
import type {
  Project,
  ProjectChange,
  ProjectList,
  ProjectRequest,
  ProjectVideos,
  ProjectVideosAdded,
  TextDeletion,
} from './schema.ts'
import type { Transport } from './transport.ts'

export type RemovalOptions = DeletionOptions & {
  /** Its texts go for good, too, as by `library.deleteTexts`. */
  withTexts?: boolean | undefined
}

const FOLDER = '/projects'
const PAGE = 200

export class Projects {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Makes an empty project. The request is sent once: where the answer is lost, `find` tells whether it was made. */
  create(request: ProjectRequest, { signal }: CallOptions = {}): Promise<Project> {
    const call = { method: 'POST', path: FOLDER, body: request, maxRetries: 0, signal }
    return this.#transport.json(call)
  }

  get(id: string, { signal }: CallOptions = {}): Promise<Project> {
    return this.#transport.json({ method: 'GET', path: pathOf(id, FOLDER), signal })
  }

  /** Returns a page of the account's projects, the last changed first. */
  list({ signal, ...query }: PageOptions = {}): Promise<ProjectList> {
    return this.#transport.json({ method: 'GET', path: FOLDER, query, signal })
  }

  /** Returns the project with exactly this name, the last changed of several; null where there is none. */
  async find(name: string, { signal }: CallOptions = {}): Promise<Project | null> {
    const { projects } = await this.list({ limit: PAGE, signal })
    return projects.find((one) => one.name === name.trim()) ?? null
  }

  /** Changes name, note or tags; what is left out stays. */
  change(id: string, change: ProjectChange, { signal }: CallOptions = {}): Promise<Project> {
    return this.#transport.json({ method: 'PATCH', path: pathOf(id, FOLDER), body: change, signal })
  }

  /**
   * Deletes the project; its transcripts stay in the library, unless `withTexts`. Returns null, or with `dryRun` the
   * texts that would go.
   */
  remove(id: string, { withTexts, ...options }: RemovalOptions = {}): Promise<TextDeletion | null> {
    const query = { ...options, texts: withTexts?.toString() }
    return askDeletion(this.#transport, pathOf(id, FOLDER), query)
  }

  /** Adds delivered videos, all of a job, a batch or a collection. Adding twice changes nothing. */
  add(
    id: string,
    videos: ProjectVideos,
    { signal }: CallOptions = {},
  ): Promise<ProjectVideosAdded> {
    const path = `${pathOf(id, FOLDER)}/videos`
    return this.#transport.json({ method: 'POST', path, body: videos, signal })
  }

  /** Takes a video out, in all of its languages; its transcripts stay in the library. */
  async take(id: string, videoId: string, { signal }: CallOptions = {}): Promise<void> {
    const path = `${pathOf(id, FOLDER)}/videos/${encodeURIComponent(videoId)}`
    await this.#transport.json({ method: 'DELETE', path, signal })
  }
}
