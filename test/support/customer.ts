/** A customer: acts over HTTP with one API key, and knows only the contract. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

export type Json = Record<string, any>

export type Answer = { status: number; headers: Headers; body: Json; bytes: Buffer }

const STILL_WORKING = new Set(['queued', 'running', 'cancelling'])
const POLL_MS = 20
const PATIENCE_MS = 60_000

export class Customer {
  readonly accountId: string
  readonly apiKey: string
  readonly base: string

  constructor({ address, accountId, apiKey }: { address: string; accountId: string; apiKey: string }) {
    this.base = `${address}/api/v1`
    this.accountId = accountId
    this.apiKey = apiKey
  }

  /** Any request, answered whatever its status. `path` is relative to the API's base. */
  async asks(method: string, path: string, init: { body?: unknown; headers?: Record<string, string> } = {}): Promise<Answer> {
    const hasBody = init.body !== undefined
    const response = await fetch(path.startsWith('http') ? path : `${this.base}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${this.apiKey}`,
        ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
        ...init.headers,
      },
      ...(hasBody ? { body: typeof init.body === 'string' ? init.body : JSON.stringify(init.body) } : {}),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    return { status: response.status, headers: response.headers, body: isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : {}, bytes }
  }

  async gets(path: string): Promise<Json> {
    const answer = await this.asks('GET', path)
    assert.equal(answer.status, 200, `GET ${path}: ${answer.bytes.toString().slice(0, 300)}`)
    return answer.body
  }

  /** Starts a job, which must be accepted. */
  async startsJob(body: Json, headers: Record<string, string> = {}): Promise<Json> {
    const answer = await this.asks('POST', '/jobs', { body, headers })
    assert.equal(answer.status, 201, `POST /jobs: ${answer.bytes.toString().slice(0, 300)}`)
    return answer.body
  }

  /** Polls until the job is final, as the contract tells customers to; fails after a minute. */
  async waitsFor(job: Json): Promise<Json> {
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(POLL_MS)) {
      const now = await this.asks('GET', `/jobs/${job.id}`)
      if (now.status === 429) continue
      assert.equal(now.status, 200)
      if (!STILL_WORKING.has(now.body.state)) return now.body
    }
    throw new Error(`job ${job.id} did not end within ${PATIENCE_MS} ms`)
  }

  /** Starts a job, waits for its end and reads all of its rows. */
  async orders(body: Json): Promise<{ job: Json; rows: Json[] }> {
    const job = await this.waitsFor(await this.startsJob(body))
    return { job, rows: await this.readsRows(job) }
  }

  async readsRows(job: Json): Promise<Json[]> {
    const rows: Json[] = []
    for (let offset: number | null = 0; offset !== null; ) {
      const page: Json = await this.gets(`/jobs/${job.id}/results?limit=200&offset=${offset}`)
      rows.push(...page.videos)
      offset = page.nextOffset
    }
    return rows
  }

  async balance(): Promise<string> {
    return (await this.gets('/balance')).balance
  }
}
