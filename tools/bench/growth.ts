/**
 * What an account waits for, by how much it owns: one of 500 texts, one of very many texts, and one of very many jobs,
 * each asked over HTTP on a database of its own.
 */
import {
  addLargeCustomer,
  type CustomerSize,
  LARGELY_OWNED,
} from '../../test/large/large-customer.ts'
import { testService } from '../../test/support/service.ts'
import type { Customer } from '../conformance/customer.ts'
import type { BenchOptions } from './bench.ts'
import { closing } from './stage/closing.ts'
import { median, table, verdict } from './table.ts'

type Times = Record<string, number>
type GrowthResult = { texts: number; jobs: number; few: Times; manyTexts: Times; manyJobs: Times }

/** `long` is the size of the goals. */
const MANY = {
  full: { texts: 10_000, jobs: 20_000 },
  long: { texts: 100_000, jobs: 200_000 },
  smoke: { texts: 1_000, jobs: 100 },
}
const FEW: CustomerSize = {
  texts: 500,
  unchanged: 10,
  channels: 20,
  followed: 20,
  projectVideos: 20,
  batches: 5,
  batchLines: 10,
  words: 600,
  jobs: 20,
  accounts: 5,
}
const ROUNDS = 15
const SEARCH_MS = 200

export async function run({ smoke, long }: BenchOptions): Promise<GrowthResult> {
  const { texts, jobs } = MANY[smoke ? 'smoke' : long ? 'long' : 'full']
  const rounds = smoke ? 2 : ROUNDS
  const few = await timesOf(FEW, rounds)
  const manyTexts = await timesOf({ ...FEW, texts }, rounds)
  const manyJobs = await timesOf({ ...FEW, jobs }, rounds)
  const result = { texts, jobs, few, manyTexts, manyJobs }
  print(result, long)
  return result
}

/** Returns the middle of each question's milliseconds, once the index of search is built. */
function timesOf(size: CustomerSize, rounds: number): Promise<Times> {
  return closing(async (scope) => {
    const { customer, database } = await testService(scope, { leavesOpenJobs: true })
    const who = await customer('100')
    await addLargeCustomer(database.pool, { accountId: who.accountId, size })
    await untilIndexed(who)
    const times: Times = {}
    for (const [name, ask] of Object.entries(questionsOf(who)))
      times[name] = await middleMs(ask, rounds)
    return times
  })
}

async function untilIndexed(who: Customer): Promise<void> {
  for (;;) {
    const { status, body } = await who.asks('GET', '/search?q=talk')
    if (status === 200 && body['indexed'] === body['owned']) return
  }
}

function questionsOf(who: Customer): Record<string, () => Promise<unknown>> {
  const channel = LARGELY_OWNED.channel
  const order = { urls: ['@smallworkshop'], maxVideos: 5 }
  let asked = 5
  return {
    search: () => who.gets('/search?q=talk&limit=20'),
    mentions: () => who.gets('/search/mentions?q=talk&limit=20'),
    preview: () => preview(who, { ...order, maxVideos: (asked += 1) }),
    order: () => who.orders(order),
    'page of jobs': () => who.gets('/jobs?limit=50'),
    'page of the library': () => who.gets('/library?limit=50'),
    "page of a channel's videos": () => who.gets(`/library/${channel}/videos?limit=50`),
  }
}

/** One that is asked for again within the hour is known. */
async function preview(who: Customer, body: object): Promise<void> {
  const { body: made } = await who.asks('POST', '/previews?owned=skip', { body })
  while ((await who.gets(`/previews/${made['id']}`))['state'] === 'listing');
}

async function middleMs(ask: () => Promise<unknown>, rounds: number): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now()
    await ask()
    times.push(performance.now() - startedAt)
  }
  return median(times)
}

function print({ texts, jobs, few, manyTexts, manyJobs }: GrowthResult, isGoal: boolean): void {
  const rows = Object.entries(few).map(([name, ms]) => {
    const [ofTexts = Number.NaN, ofJobs = Number.NaN] = [manyTexts[name], manyJobs[name]]
    const cells = [ofTexts, ofJobs].map((many) => `${many.toFixed(1)} (${(many / ms).toFixed(1)})`)
    const isMet = verdictOf(isGoal && name === 'search', ofJobs)
    return [name, ms.toFixed(1), ...cells, isMet]
  })
  const many = [texts, jobs].map((count) => count.toLocaleString('en'))
  const goal = isGoal ? `goal of jobs: ${SEARCH_MS}` : ''
  console.log(table([['ms', 'few', `${many[0]} texts`, `${many[1]} jobs`, goal], ...rows]))
}

function verdictOf(isGoal: boolean, ms: number): string {
  return isGoal ? verdict(ms <= SEARCH_MS) : ''
}
