/**
 * The lowest layer: sends requests and reads answers. `exchange` sends one request once and returns any answer; `json`,
 * `answer` and `open` try again where that is safe and useful, and throw for a refusal.
 */
import { ConnectionError, errorOf, ScriptoriumError, TimeoutError } from './errors.ts'
import { DEFAULT_BACKOFF_MS, DEFAULT_RETRIES_MAX, retryDelayMs, sleep } from './retry.ts'

/** A key, null for none, or a function that returns one; it is given the key that was refused, to return another. */
export type ApiKey = string | null | ((refused: string | null) => string | Promise<string>)

export type TransportOptions = {
  apiKey: ApiKey
  /** Address that paths are appended to, without a trailing slash. */
  baseUrl: string
  /** How often a request is sent again after a passing failure; 2 by default. */
  maxRetries?: number
  /** The first pause before a retry, in milliseconds; it doubles up to 8 s. 500 by default. */
  backoffMs?: number
  /** Longest time of an answer in milliseconds; 90,000 by default, since the service may hold one for 60 s. */
  timeoutMs?: number
  /** Sends requests; the global `fetch` by default. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
}

export type Call = {
  method: string
  path: string
  /** Query parameters; undefined ones are left out. */
  query?: Record<string, string | number | undefined>
  /** Body, sent as JSON. */
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** Retries in place of the transport's own: 0 for a request that must not be sent twice. */
  maxRetries?: number
}

const DEFAULT_TIMEOUT_MS = 90_000
const UNREACHED = 'cannot be reached. Check your connection and try again.'
const NO_JSON = 'answered with something that is no JSON. Check the address.'

export class Transport {
  readonly baseUrl: string
  readonly maxRetries: number
  readonly backoffMs: number
  readonly timeoutMs: number
  readonly #apiKey: ApiKey
  readonly #fetch: NonNullable<TransportOptions['fetch']>

  constructor(options: TransportOptions) {
    this.baseUrl = options.baseUrl
    this.maxRetries = options.maxRetries ?? DEFAULT_RETRIES_MAX
    this.backoffMs = options.backoffMs ?? DEFAULT_BACKOFF_MS
    this.timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS
    this.#apiKey = options.apiKey
    this.#fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init))
  }

  /** Returns the JSON of an accepted answer, or null where it has no body. */
  async json<T>(call: Call): Promise<T> {
    return (await this.answer<T>(call)).body
  }

  /** Returns an accepted answer: its headers, and its JSON or null. */
  answer<T>(call: Call): Promise<{ headers: Headers; body: T }> {
    return this.#tried(call, async (response) => {
      const text = await response.text()
      return { headers: response.headers, body: (text === '' ? null : JSON.parse(text)) as T }
    })
  }

  /** Returns an accepted answer once its head has arrived; the caller reads its body. */
  open(call: Call): Promise<Response> {
    return this.#tried(call, (response) => Promise.resolve(response))
  }

  /**
   * Sends a request once and returns the answer, whatever its status. After a 401 the function that gave the key gives
   * another, once.
   */
  async exchange(call: Call): Promise<Response> {
    const key = typeof this.#apiKey === 'function' ? await this.#apiKey(null) : this.#apiKey
    const response = await this.#send(call, key)
    if (response.status !== 401 || typeof this.#apiKey !== 'function') return response
    await response.body?.cancel()
    return this.#send(call, await this.#apiKey(key))
  }

  #send({ method, path, query, body, headers, signal }: Call, key: string | null) {
    return this.#fetch(this.baseUrl + path + searchOf(query), {
      method,
      headers: {
        ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
  }

  async #tried<T>(call: Call, read: (response: Response) => Promise<T>): Promise<T> {
    for (let retries = 0; ; retries += 1) {
      try {
        return await this.#once(call, read)
      } catch (error) {
        const delayMs = retryDelayMs(error, { retries, backoffMs: this.backoffMs })
        if (delayMs === null || retries >= (call.maxRetries ?? this.maxRetries)) throw error
        await sleep(delayMs, call.signal)
      }
    }
  }

  /** Turns any error of `fetch` into one of ours, except the reason of the caller's own signal. */
  async #once<T>(call: Call, read: (response: Response) => Promise<T>): Promise<T> {
    const { signal } = call
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), this.timeoutMs)
    const either = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal])
    try {
      const response = await this.exchange({ ...call, signal: either })
      if (response.ok) return await read(response)
      const text = await response.text()
      throw errorOf(response, jsonOf(text), this.#server)
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason
      if (error instanceof ScriptoriumError) throw error
      if (late.signal.aborted) throw this.#timeout()
      throw new ConnectionError({
        code: 'connection_lost',
        message: `${this.#server} ${error instanceof SyntaxError ? NO_JSON : UNREACHED}`,
        cause: error,
      })
    } finally {
      clearTimeout(timer)
    }
  }

  #timeout(): TimeoutError {
    return new TimeoutError({
      code: 'timeout',
      message: `${this.#server} did not answer within ${this.timeoutMs / 1000} s.`,
    })
  }

  /** The address that was tried, as sentences name it; of a website, whose paths have no host, its server. */
  get #server(): string {
    return this.baseUrl.includes('://') ? this.baseUrl : 'The server'
  }
}

function searchOf(query: Call['query'] = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value))
  }
  return search.size === 0 ? '' : `?${search}`
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
