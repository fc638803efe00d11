/** A customer's client for the benchmarks: plain undici over kept-alive connections, nothing of ours. */
import { Pool } from 'undici'

export type Job = {
  id: string
  state: string
  progress: { processed: number; delivered: number; counts: Record<string, number> }
}
type Page = { complete: boolean; nextOffset: number | null; videos: { status: string; text: string | null }[] }

const BASE = '/api/v1'
const CONNECTIONS = 64
const STILL_WORKING = new Set(['queued', 'running', 'cancelling'])
const WAIT_SECONDS = 60
const PAGE_ROWS = 200

export class BenchClient {
  readonly accountId: string
  readonly #apiKey: string
  readonly #pool: Pool

  constructor({ address, accountId, apiKey }: { address: string; accountId: string; apiKey: string }) {
    this.accountId = accountId
    this.#apiKey = apiKey
    this.#pool = new Pool(address, { connections: CONNECTIONS, headersTimeout: 120_000, bodyTimeout: 300_000 })
  }

  /** The body of a 2xx answer; anything else is an error of the run. */
  async get(path: string): Promise<Buffer> {
    return this.#answer({ method: 'GET', path: BASE + path })
  }

  async startsJob(body: object): Promise<Job> {
    const given = { method: 'POST' as const, path: `${BASE}/jobs`, body: JSON.stringify(body) }
    return JSON.parse((await this.#answer(given)).toString()) as Job
  }

  /** Long polling, as the API offers it. */
  async waitsFor(job: Job): Promise<Job> {
    for (let now = job; ; ) {
      if (!STILL_WORKING.has(now.state)) return now
      now = JSON.parse((await this.get(`/jobs/${job.id}?wait=${WAIT_SECONDS}`)).toString()) as Job
    }
  }

  /** All texts of a final job, page by page. */
  async readsTexts({ id }: Job): Promise<string[]> {
    const texts: string[] = []
    for (let offset: number | null = 0; offset !== null; ) {
      const page = JSON.parse((await this.get(`/jobs/${id}/results?limit=${PAGE_ROWS}&offset=${offset}`)).toString()) as Page
      texts.push(...page.videos.flatMap(({ text }) => text ?? []))
      offset = page.nextOffset
    }
    return texts
  }

  /** The body as a stream of chunks, for readers that take their time. */
  async opens(path: string): Promise<AsyncIterable<Buffer>> {
    const { statusCode, body } = await this.#pool.request({ method: 'GET', path: BASE + path, headers: this.#headers() })
    if (statusCode !== 200) throw new Error(`GET ${path} answered ${statusCode}`)
    return body as AsyncIterable<Buffer>
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }

  #headers(): Record<string, string> {
    return { authorization: `Bearer ${this.#apiKey}`, 'content-type': 'application/json' }
  }

  async #answer(given: { method: 'GET' | 'POST'; path: string; body?: string }): Promise<Buffer> {
    const { statusCode, body } = await this.#pool.request({ ...given, headers: this.#headers() })
    const bytes = Buffer.from(await body.arrayBuffer())
    if (statusCode >= 300) throw new Error(`${given.method} ${given.path} answered ${statusCode}: ${bytes.toString().slice(0, 300)}`)
    return bytes
  }
}
