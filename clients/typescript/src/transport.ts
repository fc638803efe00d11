/**
 * The lowest layer: sends requests and reads answers. `exchange` sends one request once and answers
 * whatever came; `json` and `open` try again where that is safe and useful, and throw for a refusal.
 */
import { ConnectionError, errorOf, ScriptoriumError, TimeoutError } from './errors.ts'
import { DEFAULT_BACKOFF_MS, DEFAULT_RETRIES_MAX, retryDelayMs, sleep } from './retry.ts'

/** A key, null for none, or a function that gives one; it is told the key that was refused, to give another. */
export type ApiKey = string | null | ((refused: string | null) => string | Promise<string>)

export type TransportOptions = {
  apiKey: ApiKey
  /** Where paths begin, without a trailing slash. */
  baseUrl: string
  /** How often a request that failed in passing is sent again; 2 by default. */
  maxRetries?: number
  /** The first pause before that, in milliseconds; it doubles up to 8 s. 500 by default. */
  backoffMs?: number
  /** How long an answer may take, in milliseconds; 90,000 by default, as the service may hold one for 60 s. */
  timeoutMs?: number
  /** Sends requests; the global `fetch` by default. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
}

export type Call = {
  method: string
  path: string
  /** Undefined ones are left out. */
  query?: Record<string, string | number | undefined>
  /** Sent as JSON. */
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** Instead of the transport's own: 0 for what may not be sent twice. */
  maxRetries?: number
}

const DEFAULT_TIMEOUT_MS = 90_000

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

  /** The JSON of an accepted answer, null where it has no body. */
  json<T>(call: Call): Promise<T> {
    return this.#tried(call, async (response) => {
      const text = await response.text()
      return (text === '' ? null : JSON.parse(text)) as T
    })
  }

  /** An accepted answer once its head is there; its body is the caller's to read. */
  open(call: Call): Promise<Response> {
    return this.#tried(call, (response) => Promise.resolve(response))
  }

  /** Sends a request once: the answer whatever its status. A key that a function gave is replaced once. */
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

  /** Turns whatever fetch throws into an error of ours, but for the reason of the caller's own signal. */
  async #once<T>(call: Call, read: (response: Response) => Promise<T>): Promise<T> {
    const { signal } = call
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), this.timeoutMs)
    const either = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal])
    try {
      const response = await this.exchange({ ...call, signal: either })
      if (response.ok) return await read(response)
      const text = await response.text()
      throw errorOf(response, jsonOf(text))
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason
      if (error instanceof ScriptoriumError) throw error
      if (late.signal.aborted) throw this.#timeout()
      throw new ConnectionError({
        code: 'connection_lost',
        message: 'The server cannot be reached. Check your connection and try again.',
        cause: error,
      })
    } finally {
      clearTimeout(timer)
    }
  }

  #timeout(): TimeoutError {
    return new TimeoutError({
      code: 'timeout',
      message: `The server did not answer within ${this.timeoutMs / 1000} s.`,
    })
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
