/**
 * The exchanges with one deployment that rules are checked with. Every answer is also checked for what holds for all:
 * the closed shapes of the specification, the request id, the rate-limit headers, the OpenAPI document.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Scriptorium } from '../../clients/typescript/src/index.ts'
import { assertClosed } from './closed-shapes.ts'
import type { Description } from './description.ts'
import { exchange, type Json, rawExchange, type Reply } from './http.ts'
import { assertError } from './shapes.ts'

export type Ask = {
  body?: unknown
  headers?: OutgoingHttpHeaders
  /** API key; null sends no Authorization header. */
  key?: string | null
  /** False returns a 429 as the answer; otherwise the kit waits and asks again. */
  isPatient?: boolean
}

export type KitOptions = {
  /** `https://host/api/v1`, without a trailing slash. */
  baseUrl: string
  /** Keys of one account, at least one: where one has to wait, the next one goes on. */
  apiKeys: string[]
  /** Key of another account; null skips the rules that need it. */
  secondKey: string | null
  /** Key of an account with less than the price of one transcript; null skips the rules that need it. */
  emptyKey: string | null
  /** Key of an account with credit for fewer than 500 transcripts; null skips the rules that need it. */
  smallKey: string | null
  /** Ids of videos with captions. */
  videoIds: string[]
  /** Waits as `Retry-After` says; a test may fill the bucket instead. */
  wait?: (seconds: number) => Promise<void>
}

const TRIES_MAX = 400

export class Kit {
  readonly options: KitOptions
  /** The client library over the kit's own exchanges, so that each of its requests is checked against the rules too. */
  readonly client: Scriptorium
  readonly started = new Map<string, Json>()
  /** Set before the first rule; null while it is being read. */
  description: Description | null = null
  /** What the account could spend before the first job; null until it was read. */
  balanceMicrosBefore: number | null = null
  requests = 0
  #finished: Promise<Json> | null = null
  #turn = 0

  constructor(options: KitOptions) {
    this.options = options
    this.client = new Scriptorium({
      apiKey: () => this.apiKey,
      baseUrl: options.baseUrl,
      maxRetries: 0, // `ask` waits where the service says so
      fetch: (url, init) => this.#fetch(url, init),
    })
  }

  /** Returns the key in use. */
  get apiKey(): string {
    return this.options.apiKeys[this.#turn % this.options.apiKeys.length] ?? ''
  }

  /** Sends any request, whatever the answer's status. `path` is relative to the base, or a whole address. */
  async ask(method: string, path: string, ask: Ask = {}): Promise<Reply> {
    const { body, isPatient = true } = ask
    const headers: OutgoingHttpHeaders = {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...ask.headers,
    }
    const url = path.startsWith('http') ? path : this.options.baseUrl + path
    const sent =
      body === undefined || typeof body === 'string' || Buffer.isBuffer(body) || Array.isArray(body)
        ? (body as string | Buffer | Buffer[] | undefined)
        : JSON.stringify(body)
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const key = ask.key === undefined ? this.apiKey : ask.key
      const bearer = key === null ? {} : { Authorization: `Bearer ${key}` }
      this.requests += 1
      const reply = await exchange({ method, url, headers: { ...bearer, ...headers }, body: sent })
      this.#holdsForAll(method, path, reply, key)
      if (reply.status !== 429 || !isPatient) return reply
      const isOurs = ask.key === undefined && ask.headers?.['Authorization'] === undefined
      if (isOurs) this.#turn += 1
      if (!isOurs || this.#turn % this.options.apiKeys.length === 0)
        await this.#wait(Number(reply.headers.get('retry-after')))
    }
    throw new Error(`${method} ${path} was refused ${TRIES_MAX} times with 429`)
  }

  /** Sends bytes over a bare socket, written once the key in use has a token for them. */
  async raw(write: () => string): Promise<string> {
    await this.ready(1)
    return rawExchange(new URL(this.options.baseUrl), write())
  }

  /** Waits until the key in use has this many tokens left. */
  async ready(tokens: number): Promise<void> {
    while (
      Number((await this.ask('GET', '/balance')).headers.get('x-ratelimit-remaining')) < tokens
    ) {
      this.#turn += 1
      if (this.#turn % this.options.apiKeys.length === 0) await this.#wait(tokens + 1)
    }
  }

  /** Returns the JSON of an answer that has to be 200. */
  async get(path: string, ask: Ask = {}): Promise<Json> {
    const reply = await this.ask('GET', path, ask)
    assert.equal(reply.status, 200, `GET ${path}: ${reply.bytes.toString('utf8', 0, 200)}`)
    return reply.body
  }

  /** Sends POST /jobs, whatever the answer; a job that was created is kept for the reckoning. */
  async post(body: unknown, ask: Omit<Ask, 'body'> = {}): Promise<Reply> {
    const reply = await this.ask('POST', '/jobs', { ...ask, body })
    if (reply.status === 201 && ask.key === undefined)
      this.started.set(reply.body['id'], reply.body)
    return reply
  }

  /** Starts a job, which must be accepted. */
  async start(body: Json, ask: Omit<Ask, 'body'> = {}): Promise<Json> {
    const reply = await this.post(body, ask)
    assert.equal(reply.status, 201, reply.bytes.toString('utf8', 0, 300))
    return reply.body
  }

  /** Returns the final job with the fields of version 1.0.0; the library also reads what it is called. */
  async untilFinal(id: string): Promise<Json> {
    const {
      title: _title,
      name: _name,
      note: _note,
      ...job
    } = await this.client.jobs.wait(id, {
      everySeconds: 20,
    })
    return job
  }

  /** Returns a final job over all videos, in every format; it is made once. */
  finished(): Promise<Json> {
    this.#finished ??= this.start({ urls: this.lines() }).then((job) => this.untilFinal(job['id']))
    return this.#finished
  }

  /** Returns lines that name the videos in a spelling not used before: a URL set of its own. */
  lines(count = this.options.videoIds.length): string[] {
    return this.options.videoIds
      .slice(0, count)
      .map((id) => `https://www.youtube.com/watch?v=${id}&conformance=${randomUUID()}`)
  }

  /** Sends the library's request through `ask`, which chooses the key. */
  async #fetch(url: string, { method = 'GET', headers, body }: RequestInit): Promise<Response> {
    const { Authorization: _key, ...rest } = headers as Record<string, string>
    const {
      status,
      headers: answered,
      bytes,
    } = await this.ask(method, url, { body, headers: rest })
    return new Response(bytes.length === 0 ? null : new Uint8Array(bytes), {
      status,
      headers: answered,
    })
  }

  #wait(seconds: number): Promise<void> {
    return this.options.wait?.(seconds) ?? sleep(seconds * 1000)
  }

  #holdsForAll(method: string, path: string, reply: Reply, key: string | null): void {
    const what = `${method} ${path} answered ${reply.status}`
    assert.match(reply.headers.get('x-request-id') ?? '', /\S/, `${what}: X-Request-Id`)
    assert.equal(reply.headers.get('access-control-allow-origin'), '*', `${what}: CORS`)
    const { apiKeys, secondKey, emptyKey, smallKey } = this.options
    const isKnown = key !== null && [...apiKeys, secondKey, emptyKey, smallKey].includes(key)
    const isDescription = path.startsWith('/openapi.json') && ['GET', 'HEAD'].includes(method)
    const isMetered = isKnown && reply.status !== 401 && method !== 'OPTIONS' && !isDescription
    assert.equal(reply.headers.has('x-ratelimit-limit'), isMetered, `${what}: X-RateLimit-Limit`)
    assert.equal(
      reply.headers.has('x-ratelimit-remaining'),
      isMetered,
      `${what}: X-RateLimit-Remaining`,
    )
    assertClosed(method, path, reply)
    if (reply.status >= 400 && method !== 'HEAD') assertError(reply)
    this.description?.holds(method, path, reply)
  }
}
