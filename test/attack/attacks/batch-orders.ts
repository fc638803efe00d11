/** Attacks with the largest order that there is: a batch of as many lines as may be, and its repeats. */
import assert from 'node:assert/strict'
import { LIMITS } from '../../../src/config/config.ts'
import type { Customer } from '../../../tools/conformance/customer.ts'
import type { Attack, Target } from '../attack.ts'
import { cpuSeconds } from '../cpu-seconds.ts'

/** Bytes of a body's lines, which leaves room for what stands around them. */
const LINES_BYTES_MAX = LIMITS.bodyBytes - 4_096
/** Requests of a kind, few enough for the limit of a minute. */
const REPEATS = 20
/** A repeat that finds its running batch costs no more than so many jobs of as many lines as a job may have. */
const JOBS_PER_REPEAT = 2

const id = (n: number): string => n.toString(36).padStart(11, 'a')

/** Lines as people paste them, by what stands around the address. */
const KINDS: Record<string, (n: number) => string> = {
  handles: (n) => `@a-channel-of-mine-${n}`,
  addresses: (n) => `https://www.youtube.com/watch?v=${id(n)}`,
  Markdown: (n) => `- [x](https://youtu.be/${id(n)})`,
  escaped: (n) => `https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3D${id(n)}`,
  consent: (n) => `https://consent.youtube.com/m?continue=https%3A%2F%2Fyoutu.be%2F${id(n)}`,
  quoted: (n) => `"https://youtu.be/${id(n)}",`,
  marks: (n) => `https://youtu.be/${id(n)}?a=b,c,d,e,f,g,h,i,j,k,l,m,n`,
  links: (n) => `<a href="/watch?v=${id(n)}">x</a>`,
  objects: (n) => `{"u":"https://youtu.be/${id(n)}"}`,
  pairs: (n) => `https://youtu.be/${id(2 * n)} https://youtu.be/${id(2 * n + 1)}`,
  words: (n) => `not a link ${n} at all, or is it`,
}

export const BATCH_ORDERS: readonly Attack[] = [
  {
    name: 'batches of a thousand lines of every kind',
    class: 'large customers',
    run: sendEveryKind,
  },
  {
    name: 'a batch of a thousand lines, again and again while it runs',
    class: 'large customers',
    isMeasured: true,
    settings: { ROLES: 'api', MAX_ACTIVE_JOBS: '100' },
    run: repeatBatch,
  },
]

function linesOf(make: (n: number) => string): string[] {
  const lines = Array.from({ length: LIMITS.batchLinesMax }, (_, n) => make(n))
  let bytes = 0
  return lines.filter((line) => (bytes += line.length + 3) < LINES_BYTES_MAX)
}

/** Sends each kind as a list and as a text; what stands still is measured beside. */
async function sendEveryKind({ customer }: Target): Promise<string> {
  const statuses = new Set<number>()
  for (const [kind, make] of Object.entries(KINDS)) {
    const lines = linesOf(make)
    for (const urls of [lines, lines.join('\n')]) {
      const who = await customer('1')
      const { status, body } = await who.asks('POST', '/batches', { body: { urls } })
      assert.ok(status === 201 || status === 400, `${kind}: ${status} ${JSON.stringify(body)}`)
      statuses.add(status)
    }
  }
  return [...statuses].join(', ')
}

async function repeatBatch(target: Target): Promise<string> {
  const [large, small] = [await target.customer('100'), await target.customer('100')]
  const urls = linesOf(KINDS['addresses'] ?? id)
  const part = (at: number): string[] => urls.slice(at * LIMITS.urlsMax, (at + 1) * LIMITS.urlsMax)
  const ask = async (who: Customer, path: string, body: object, expected: number) => {
    const { status } = await who.asks('POST', path, { body })
    assert.equal(status, expected)
  }
  await ask(large, '/batches', { urls }, 201)
  await ask(small, '/jobs', { urls: 'https://youtu.be/jNQXAC9IVRw' }, 201)
  const repeat = await cost(target, () => ask(large, '/batches', { urls }, 200))
  const job = await cost(target, (at) => ask(small, '/jobs', { urls: part(at), maxVideos: 1 }, 201))
  const seen = `a repeat costs ${inMs(repeat)}, a job of ${LIMITS.urlsMax} lines ${inMs(job)}`
  assert.ok(repeat <= JOBS_PER_REPEAT * job, seen)
  return seen
}

const inMs = (seconds: number): string => `${Math.round(seconds * 1000)} ms`

/** Returns the processor's time of one of several requests, in seconds. */
async function cost(target: Target, ask: (at: number) => Promise<void>): Promise<number> {
  const before = await cpuSeconds(target)
  for (let n = 0; n < REPEATS; n += 1) await ask(n)
  return ((await cpuSeconds(target)) - before) / REPEATS
}
