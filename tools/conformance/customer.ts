/** A customer: acts over HTTP with one API key, and knows only the contract. */
import assert from 'node:assert/strict'
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertClosed } from './closed-shapes.ts'
import { exchange, type Json, open, type Reply } from './http.ts'

/** States of a job that is not final. */
export const STILL_WORKING: ReadonlySet<string> = new Set(['queued', 'running', 'cancelling'])
const WAIT_SECONDS = 10
const REFUSED_PAUSE_MS = 20
const PATIENCE_MS = 60_000

export class Customer {
  readonly accountId: string
  readonly apiKey: string
  readonly base: string
  readonly #patienceMs: number

  /** `address` is `http://host:port`, without the API's path; `patienceMs` is how long a job may take. */
  constructor({
    address,
    accountId,
    apiKey,
    patienceMs = PATIENCE_MS,
  }: {
    address: string
    accountId: string
    apiKey: string
    patienceMs?: number
  }) {
    this.#patienceMs = patienceMs
    this.base = `${address}/api/v1`
    this.accountId = accountId
    this.apiKey = apiKey
  }

  /**
   * Sends any request and returns the answer, whatever its status. `path` is relative to the API's base, or a whole
   * address. Whatever a customer is answered in whatever test, it has to be of the specification's shape.
   */
  async asks(
    method: string,
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: OutgoingHttpHeaders } = {},
  ): Promise<Reply> {
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const reply = await exchange({
      method,
      url: path.startsWith('http') ? path : this.base + path,
      headers: { Authorization: `Bearer ${this.apiKey}`, ...type, ...headers },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    })
    assertClosed(method, path, reply)
    return reply
  }

  async gets(path: string): Promise<Json> {
    return (await this.#answered(path)).body
  }

  async downloads(path: string): Promise<Buffer> {
    return (await this.#answered(path)).bytes
  }

  /** Opens the body as a stream of chunks, for slow readers. */
  async opens(path: string, headers: OutgoingHttpHeaders = {}): Promise<IncomingMessage> {
    const response = await open({
      method: 'GET',
      url: this.base + path,
      headers: { ...headers, Authorization: `Bearer ${this.apiKey}` },
    })
    assert.equal(response.statusCode, 200, `GET ${path}`)
    return response
  }

  /** Starts a job, which must be accepted. */
  async startsJob(job: Json, headers: OutgoingHttpHeaders = {}): Promise<Json> {
    const { status, body, bytes } = await this.asks('POST', '/jobs', { body: job, headers })
    assert.equal(status, 201, `POST /jobs: ${bytes.toString('utf8', 0, 300)}`)
    return body
  }

  /** Waits until the job is final, with few requests: the key's bucket is left to the caller. */
  async waitsFor({ id }: Json): Promise<Json> {
    for (const startedAt = performance.now(); performance.now() - startedAt < this.#patienceMs;) {
      const { status, body } = await this.asks('GET', `/jobs/${id}?wait=${WAIT_SECONDS}`)
      if (status === 429) await sleep(REFUSED_PAUSE_MS)
      else {
        assert.equal(status, 200)
        if (!STILL_WORKING.has(body['state'])) return body
      }
    }
    throw new Error(`job ${id} did not end within ${this.#patienceMs} ms`)
  }

  /** Starts a job, waits for its end and reads all of its rows. */
  async orders(body: Json): Promise<{ job: Json; rows: Json[] }> {
    const job = await this.waitsFor(await this.startsJob(body))
    return { job, rows: await this.readsRows(job) }
  }

  async readsRows({ id }: Json): Promise<Json[]> {
    const rows: Json[] = []
    for (let offset: number | null = 0; offset !== null;) {
      const page: Json = await this.gets(`/jobs/${id}/results?limit=200&offset=${offset}`)
      rows.push(...page['videos'])
      offset = page['nextOffset']
    }
    return rows
  }

  async balance(): Promise<string> {
    return (await this.gets('/balance'))['balance']
  }

  async #answered(path: string): Promise<Reply> {
    for (const startedAt = performance.now(); ;) {
      const reply = await this.asks('GET', path)
      // An empty bucket is waited for, as any caller would; tests of the limit use `asks`.
      if (reply.status === 429 && performance.now() - startedAt < this.#patienceMs) {
        await sleep(REFUSED_PAUSE_MS)
        continue
      }
      assert.equal(reply.status, 200, `GET ${path}: ${reply.bytes.toString('utf8', 0, 300)}`)
      return reply
    }
  }
}
