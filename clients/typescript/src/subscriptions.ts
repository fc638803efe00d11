/** Subscriptions: channels and playlists whose new videos are bought automatically. */
import { type CallOptions, type PageOptions, pathOf } from './jobs.ts'
import type {
  Subscription,
  SubscriptionChange,
  SubscriptionList,
  SubscriptionRequest,
} from './schema.ts'
import type { Transport } from './transport.ts'

const FOLDER = '/subscriptions'
const PAGE = 100

export class Subscriptions {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Follows a channel or playlist. Nothing is bought before something new is found. The request is sent once: where the
   * answer is lost, `find` tells whether it is followed.
   */
  create(request: SubscriptionRequest, { signal }: CallOptions = {}): Promise<Subscription> {
    const call = { method: 'POST', path: FOLDER, body: request, maxRetries: 0, signal }
    return this.#transport.json(call)
  }

  get(id: string, { signal }: CallOptions = {}): Promise<Subscription> {
    return this.#transport.json({ method: 'GET', path: pathOf(id, FOLDER), signal })
  }

  /** Returns a page of the account's subscriptions, newest first. */
  list({ signal, ...query }: PageOptions = {}): Promise<SubscriptionList> {
    return this.#transport.json({ method: 'GET', path: FOLDER, query, signal })
  }

  /** Yields all of the account's subscriptions, newest first. */
  async *all({ signal }: CallOptions = {}): AsyncGenerator<Subscription, void> {
    for (let next: number | null = 0; next !== null;) {
      const page: SubscriptionList = await this.list({ offset: next, limit: PAGE, signal })
      yield* page.subscriptions
      next = page.nextOffset
    }
  }

  /** Returns the subscription of exactly this line, or null. */
  async find(url: string, options: CallOptions = {}): Promise<Subscription | null> {
    for await (const one of this.all(options)) if (one.url === url.trim()) return one
    return null
  }

  /** Sets another cap, another interval (`everyHours` null: as often as the source publishes), a pause, or its end. */
  change(
    id: string,
    change: SubscriptionChange,
    { signal }: CallOptions = {},
  ): Promise<Subscription> {
    return this.#transport.json({ method: 'PATCH', path: pathOf(id, FOLDER), body: change, signal })
  }

  /** Ends the subscription; jobs and transcripts stay. */
  async remove(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.json({ method: 'DELETE', path: pathOf(id, FOLDER), signal })
  }
}
