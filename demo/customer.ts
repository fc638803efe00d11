/** The demo's customer: knows an address and a key, and speaks the public API only. */
import { setTimeout as sleep } from 'node:timers/promises'

export type DemoJob = {
  id: string
  state: string
  notices?: string[]
  progress: { discovered: number | null; processed: number; delivered: number; counts: Record<string, number> }
  billing: { charged: string | null; chargedTranscripts: number | null; pricePerTranscript: string }
}

export type DemoRow = {
  index: number
  videoId: string | null
  title: string | null
  url: string | null
  channelName: string | null
  status: string
  label: string
  errorMessage: string | null
  languageCode: string | null
  trackKind: string | null
  text: string | null
  segments: { startMs: number; endMs: number; text: string }[] | null
}

const POLL_MS = 100
const JOB_MS_MAX = 120_000
const UNFINISHED = ['queued', 'running', 'cancelling']

export class DemoCustomer {
  readonly base: string
  readonly headers: Record<string, string>

  constructor(address: string, apiKey: string) {
    this.base = `${address}/api/v1`
    this.headers = { Authorization: `Bearer ${apiKey}` }
  }

  async get(path: string): Promise<Response> {
    const response = await fetch(`${this.base}${path}`, { headers: this.headers })
    if (response.status !== 429) return response
    await sleep(Number(response.headers.get('retry-after') ?? 1) * 1000)
    return this.get(path)
  }

  async balance(): Promise<string> {
    return ((await (await this.get('/balance')).json()) as { balance: string }).balance
  }

  async post(body: object): Promise<DemoJob> {
    const response = await fetch(`${this.base}/jobs`, {
      method: 'POST',
      headers: { ...this.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (response.status !== 201) throw new Error(`POST /jobs answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as DemoJob
  }

  /** Polls until the job is final and shows each look. */
  async follow(started: DemoJob, show: (job: DemoJob) => void): Promise<DemoJob> {
    for (const until = Date.now() + JOB_MS_MAX; Date.now() < until; await sleep(POLL_MS)) {
      const job = (await (await this.get(`/jobs/${started.id}`)).json()) as DemoJob
      show(job)
      if (!UNFINISHED.includes(job.state)) return job
    }
    throw new Error(`the job did not end within ${JOB_MS_MAX / 1000} s`)
  }

  async rows(job: DemoJob): Promise<DemoRow[]> {
    const rows: DemoRow[] = []
    for (let offset: number | null = 0; offset !== null; ) {
      const response: Response = await this.get(`/jobs/${job.id}/results?limit=200&offset=${offset}`)
      const page = (await response.json()) as { videos: DemoRow[]; nextOffset: number | null }
      rows.push(...page.videos)
      offset = page.nextOffset
    }
    return rows
  }
}
