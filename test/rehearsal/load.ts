/** Customers at work during an upgrade: they order, read and download, and note the answers. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Customer } from '../../tools/conformance/customer.ts'
import type { Json, Reply } from '../../tools/conformance/http.ts'

export type Done = Record<'ordered' | 'read' | 'downloaded' | 'refused', number>

export type Load = {
  done: Done
  /** Answers that no customer should get, in words. */
  wrong: string[]
  /**
   * Ends when every job of every customer is final, was downloaded once more, and still has the texts of its first
   * whole reading. Returns how many jobs were compared.
   */
  settle(): Promise<number>
}

const SOURCES = ['@smallworkshop', '@quickclips', '@tallerpequeno', '@werkstattklein']
const PAUSE_MS = 100
const VIDEOS = 6

/** `address` is the balancer's. The work ends at `settle`. */
export function startLoad(
  address: string,
  accounts: { accountId: string; apiKey: string }[],
): Load {
  const done: Done = { ordered: 0, read: 0, downloaded: 0, refused: 0 }
  const wrong: string[] = []
  /** Texts by job, from their first whole reading, whichever release served it. */
  const texts = new Map<string, string>()
  let isOver = false

  async function ask(who: Customer, words: Parameters<Customer['asks']>): Promise<Reply | null> {
    const [method, path] = words
    try {
      const answer = await who.asks(...words)
      if (answer.status >= 500) wrong.push(`${method} ${path}: ${answer.status} ${answer.bytes}`)
      if (answer.status >= 400) done.refused += 1
      return answer
    } catch {
      // The balancer knows the reason; an order is sent again with its key.
      return null
    }
  }
  async function order(who: Customer, n: number): Promise<string | null> {
    const source = SOURCES[n % SOURCES.length] ?? ''
    const body = { urls: [`https://www.youtube.com/${source}`], maxVideos: VIDEOS }
    const headers = { 'Idempotency-Key': `order-${n}` }
    let answer = await ask(who, ['POST', '/jobs', { body, headers }])
    answer ??= await ask(who, ['POST', '/jobs', { body, headers }])
    if (answer === null || answer.status > 201) return null
    done.ordered += 1
    return String(answer.body['id'])
  }
  async function look(who: Customer, id: string): Promise<void> {
    for (const path of [`/jobs/${id}`, resultsOf(id), '/jobs', '/balance']) {
      const answer = await ask(who, ['GET', path])
      if (answer?.status !== 200) continue
      done.read += 1
      if (answer.body['complete'] === true && !texts.has(id)) texts.set(id, textsIn(answer.body))
    }
    for (const path of [`/jobs/${id}/files/zip`, `/jobs/${id}/files/report.csv`])
      if ((await ask(who, ['GET', path]))?.status === 200) done.downloaded += 1
  }
  async function work(who: Customer): Promise<Map<string, Customer>> {
    const jobs = new Map<string, Customer>()
    for (let n = 0; !isOver; n += 1) {
      const id = await order(who, n)
      if (id !== null) jobs.set(id, who)
      for (const known of [...jobs.keys()].slice(-2)) await look(who, known)
      await sleep(PAUSE_MS)
    }
    return jobs
  }

  const working = accounts.map((account) => work(new Customer({ address, ...account })))
  return {
    done,
    wrong,
    async settle() {
      isOver = true
      let compared = 0
      for (const jobs of await Promise.all(working))
        for (const [id, who] of jobs) {
          const ended: Json = await who.waitsFor({ id })
          assert.equal(ended['state'], 'finished', JSON.stringify(ended))
          await who.downloads(`/jobs/${id}/files/zip`)
          const before = texts.get(id)
          if (before === undefined) continue
          assert.equal(textsIn(await who.gets(resultsOf(id))), before, `the texts of ${id}`)
          compared += 1
        }
      return compared
    },
  }
}

/** Returns the path of all of a job's rows: no order is larger. */
function resultsOf(id: string): string {
  return `/jobs/${id}/results?limit=50`
}

function textsIn({ videos }: Json): string {
  return JSON.stringify(videos.map(({ videoId, text }: Json) => [videoId, text]).toSorted())
}
