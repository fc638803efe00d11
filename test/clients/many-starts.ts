/** Many starts by the client library through a proxy with faults, shared by both tests. */
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { Scriptorium } from '../../clients/typescript/src/index.ts'
import { type Fault, faultyProxy } from '../support/faulty-proxy.ts'
import { testService } from '../support/service.ts'

const ACCOUNTS = 8
/** Starts at once, within what the service's connections to its database can serve. */
const AT_ONCE = 24
const RETRIES_MAX = 12
const BACKOFF_MS = 20
/** Faults of a hundred requests; the rest pass. Refused ones wait a second, so that there are few. */
const SHARES: [Fault, number][] = [
  ['cut before', 12],
  ['cut after', 12],
  ['delay', 5],
  ['429', 0.5],
  ['503', 0.5],
]

/** Starts jobs, each with a key of its own, and fails unless there are exactly as many jobs as keys. */
export async function startsEachJobOnce(starts: number): Promise<void> {
  const { database, address, customer } = await testService(
    { after },
    { env: { ROLES: 'api', MAX_ACTIVE_JOBS: '100000' }, leavesOpenJobs: true },
  )
  const random = randomOf(starts)
  const proxy = await faultyProxy({ after }, address, {
    choose: () => faultAt(random() * 100),
  })
  const clients = await Promise.all(
    Array.from({ length: ACCOUNTS }, async () => {
      const { apiKey } = await customer('100')
      return new Scriptorium({
        apiKey,
        baseUrl: proxy.address,
        maxRetries: RETRIES_MAX,
        backoffMs: BACKOFF_MS,
      })
    }),
  )

  const ids: string[] = []
  let next = 0
  const startOn = async (): Promise<void> => {
    for (let mine = next++; mine < starts; mine = next++) {
      const urls = `https://www.youtube.com/watch?v=${String(mine).padStart(11, 'x')}`
      const job = await clients[mine % ACCOUNTS]!.jobs.start({ urls, maxVideos: 1 })
      ids.push(job.id)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, startOn))

  const { rows } = await database.pool.query('select id from job')
  assert.equal(rows.length, starts)
  assert.deepEqual(new Set(ids), new Set(rows.map(({ id }) => id)))
  for (const [fault] of SHARES) assert.ok(proxy.counts.has(fault), `no request met ${fault}`)
}

function faultAt(place: number): Fault {
  let end = 0
  for (const [fault, share] of SHARES) {
    end += share
    if (place < end) return fault
  }
  return 'none'
}

/** Returns numbers from 0 to 1, the same series for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
