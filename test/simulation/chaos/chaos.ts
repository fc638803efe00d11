/**
 * Chaos: real processes (2 API, 3 workers, one PostgreSQL) against the emulator with faults. A driver
 * orders jobs for several accounts while a random process is killed or paused every second and the
 * database is restarted; in the end every job must be final and every cent explained.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Emulator } from '../../../emulator/server.ts'
import { Customer, STILL_WORKING } from '../../../tools/conformance/customer.ts'
import type { Json, Reply } from '../../../tools/conformance/http.ts'
import { freePort, type ServiceProcess, untilReady } from '../../support/service-process.ts'
import { launchUnderSky, type Sky } from './weathers.ts'

export type Happened = Record<
  | 'killed'
  | 'paused'
  | 'databaseRestarts'
  | 'jobs'
  | 'repeats'
  | 'cancels'
  | 'refused'
  | 'unanswered'
  | 'faults'
  /** Count of moments when all workers were killed while one of them held a job. */
  | 'workLost',
  number
>

export type ChaosOptions = {
  seconds: number
  random: () => number
  databaseUrl: string
  platform: Emulator
  customers: { accountId: string; apiKey: string }[]
  /** Stops the database's process; its supervisor starts it again. */
  restartDatabase(): Promise<void>
  /** Returns how many jobs workers hold. */
  jobsInHand(): Promise<number>
  databaseRestarts: number
  sky: Sky
  say(line: string): void
}

export type ChaosResult = {
  happened: Happened
  posted: { customer: Customer; job: Json }[]
  leave(): Promise<void>
}

const API_PROCESSES = 2
const WORKER_PROCESSES = 3
const END_MS_MAX = 120_000
/** Longest start in milliseconds: the database may be read-only or full meanwhile, and the machine busy. */
const START_MS_MAX = 180_000
const STEP_MS = 1000
const LOOK_MS = 20
const LOSS_MS_MAX = 60_000
/** Tries of a start, which last longer than any weather. */
const STARTS_MAX = 30
const SETTINGS = {
  DATABASE_POOL: '8',
  JOB_ATTEMPTS: '1000',
  STOP_GRACE: '2',
  WEBHOOK_ALLOW_PRIVATE: 'true',
}
/** Channels in two spellings: orders of both are two URL sets, and overlap. */
const SOURCES = [
  '@smallworkshop',
  '@longformonly',
  '@tallerpequeno',
  '@werkstattklein',
  '@quickclips',
  '@dailynotes',
].flatMap((handle) => [handle, `${handle}/videos`])

export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const { random, say, databaseUrl, platform, sky } = options
  const happened: Happened = {
    killed: 0,
    paused: 0,
    databaseRestarts: 0,
    jobs: 0,
    repeats: 0,
    cancels: 0,
    refused: 0,
    unanswered: 0,
    faults: 0,
    workLost: 0,
  }
  const ports: number[] = []
  while (ports.length < API_PROCESSES) ports.push(await freePort())
  /** Starts a process; an API process starts at the address that customers know. */
  const start = async (index: number): Promise<ServiceProcess> => {
    const port = ports[index]
    const role: Record<string, string> =
      port === undefined ? { ROLES: 'worker' } : { ROLES: 'api', PORT: String(port) }
    const env = {
      ...role,
      DATABASE_URL: databaseUrl,
      PLATFORM_ORIGIN: platform.origin,
      ...SETTINGS,
    }
    const one = launchUnderSky(env, index === API_PROCESSES + WORKER_PROCESSES - 1)
    if (port !== undefined)
      await untilReady(one, START_MS_MAX).catch(async (error: Error) => {
        await one.ends('SIGKILL')
        throw new Error(`${error.message}: ${JSON.stringify(one.lines.slice(-3))}`)
      })
    return one
  }
  const fleet = await Promise.all(
    Array.from({ length: API_PROCESSES + WORKER_PROCESSES }, (_, index) => start(index)),
  )
  /** Starts a process again, as a supervisor does: it cannot start while the database takes no writes. */
  const comesBack = async (index: number, tries = 1): Promise<void> => {
    try {
      fleet[index] = await start(index)
    } catch (error) {
      say(`a process did not come back: ${String(error).slice(0, 200)}`)
      if (tries < STARTS_MAX) await sleep(STEP_MS).then(() => comesBack(index, tries + 1))
    }
  }
  const starting = new Set<Promise<void>>()
  const replaced = new Set<ServiceProcess>()
  const replace = (ended: ServiceProcess): void => {
    if (replaced.has(ended)) return // the process was killed while it stopped
    replaced.add(ended)
    const index = fleet.indexOf(ended)
    const started = comesBack(index).finally(() => starting.delete(started))
    starting.add(started)
  }
  const leave = async (): Promise<void> => {
    await Promise.all(starting)
    await Promise.all(fleet.filter((one) => one.isAlive()).map((one) => one.ends('SIGTERM')))
  }
  const addresses = ports.map((port) => `http://127.0.0.1:${port}`)
  const customers = options.customers.map(
    (given, index) => new Customer({ ...given, address: addresses[index % API_PROCESSES] ?? '' }),
  )
  const posted: ChaosResult['posted'] = []

  let isOver = false
  const ordering = Promise.all(
    customers.map(async (customer) => {
      while (!isOver) {
        await order(customer, { random, posted, happened })
        await sleep(200 + random() * 800)
      }
    }),
  )
  const weathering = sky.run({ fleet, replace }, () => isOver)
  let isSkyBroken = false
  weathering.catch(() => void (isSkyBroken = true)) // a failure is awaited below
  const startedAt = performance.now()
  const passedMs = (): number => performance.now() - startedAt
  const wholeMs = options.seconds * 1000
  const restartEveryMs = wholeMs / (options.databaseRestarts + 1)
  // The clock bounds the run: on a busy machine an act takes longer than a step.
  while (passedMs() < wholeMs && !isSkyBroken) {
    await sleep(STEP_MS)
    if (passedMs() > restartEveryMs * (happened.databaseRestarts + 1)) {
      await sky.without(options.restartDatabase)
      happened.databaseRestarts += 1
      say('the database was restarted')
      continue
    }
    const index = Math.floor(random() * fleet.length)
    const victim = fleet[index]
    if (victim === undefined || !victim.isAlive()) continue // a successor is starting
    if (random() < 0.6) {
      await victim.ends('SIGKILL')
      happened.killed += 1
      replace(victim)
    } else {
      victim.signals('SIGSTOP')
      happened.paused += 1
      void sleep(1000 + random() * 14_000).then(() => victim.signals('SIGCONT'))
    }
  }
  const workers = (): ServiceProcess[] => fleet.slice(API_PROCESSES)
  const loseAll = async (): Promise<void> => {
    const lost = workers().filter((one) => one.isAlive())
    await Promise.all(lost.map((one) => one.ends('SIGKILL')))
    happened.killed += lost.length
    if (await holdsJobs(options)) happened.workLost += 1
    lost.forEach(replace)
  }
  // Jobs are short, and workers killed by chance may have held none.
  for (const endsAt = performance.now() + LOSS_MS_MAX; performance.now() < endsAt;) {
    if (happened.workLost > 0 || isSkyBroken) break
    if (starting.size === 0 && (await holdsJobs(options))) await loseAll()
    else await sleep(LOOK_MS)
  }
  isOver = true
  await ordering
  for (const one of fleet) one.signals('SIGCONT')
  try {
    await weathering
    await Promise.all(starting)
    await untilQuiet(posted, say)
  } catch (error) {
    for (const one of fleet)
      say(
        `${one.address || 'a worker'}, ${one.isAlive() ? 'alive' : 'dead'}: ${JSON.stringify(one.lines.slice(-3))}`,
      )
    await leave()
    throw error
  }
  return { happened, posted, leave }
}

/** Returns false while the database is away, since that is unknown then. */
function holdsJobs({ jobsInHand }: ChaosOptions): Promise<boolean> {
  return jobsInHand().then(
    (jobs) => jobs > 0,
    () => false,
  )
}

/** Does one act of a customer; a request without an answer is sent again with the same key, as customers do. */
async function order(
  customer: Customer,
  {
    random,
    posted,
    happened,
  }: Pick<ChaosOptions, 'random'> & Pick<ChaosResult, 'posted' | 'happened'>,
): Promise<void> {
  const mine = posted.filter((one) => one.customer === customer)
  const last = mine.at(-1)
  if (last !== undefined && random() < 0.12) {
    const answer = await customer.asks('POST', `/jobs/${last.job.id}/cancel`).catch(() => null)
    if (answer?.status === 202) happened.cancels += 1
    return
  }
  const source = SOURCES[Math.floor(random() * SOURCES.length)] ?? ''
  const owned = random() < 0.7 ? 'skip' : 'again'
  const body = {
    urls: [`https://www.youtube.com/${source}`],
    maxVideos: 5 + Math.floor(random() * 20),
    formats: ['text'],
  }
  const key = `order-${Math.floor(random() * 1e15)}`
  for (let tries = 0; tries < 30; tries += 1) {
    const answer = await customer
      .asks('POST', `/jobs?owned=${owned}`, { body, headers: { 'Idempotency-Key': key } })
      .catch(() => null)
    if (answer !== null && answer.status < 500) {
      if (answer.status > 201) happened.refused += 1
      else {
        happened.jobs += 1
        if (mine.some(({ job }) => job.input.urls[0] === body.urls[0])) happened.repeats += 1
        posted.push({ customer, job: answer.body })
      }
      return
    }
    if (answer?.status === 500) happened.faults += 1
    happened.unanswered += 1
    await sleep(300)
  }
}

/** Waits until every job is final in its customer's list; after half an hour there are thousands. */
async function untilQuiet(
  posted: ChaosResult['posted'],
  say: (line: string) => void,
): Promise<void> {
  const until = Date.now() + END_MS_MAX
  for (const [customer, theirs] of Map.groupBy(posted, (one) => one.customer)) {
    for (;;) {
      const seen = await listJobs(customer, until)
      for (const one of theirs) one.job = seen.get(one.job.id) ?? one.job
      const working = theirs.find(({ job }) => STILL_WORKING.has(job.state))
      if (working === undefined) break
      if (Date.now() > until)
        throw new Error(
          `job ${working.job.id} is still ${working.job.state}; ${customer.base} told it`,
        )
      await sleep(500)
    }
  }
  say(`all ${posted.length} jobs are final`)
}

async function listJobs(customer: Customer, until: number): Promise<Map<string, Json>> {
  const seen = new Map<string, Json>()
  for (let offset: number | null = 0; offset !== null;) {
    const answer: Reply | null = await customer
      .asks('GET', `/jobs?limit=50&offset=${offset}`)
      .catch(() => null)
    if (answer?.status === 200) {
      for (const job of answer.body['jobs']) seen.set(job.id, job)
      offset = answer.body['nextOffset']
    } else if (Date.now() > until) {
      throw new Error(
        `the jobs cannot be listed: ${customer.base} answered ${answer?.status ?? 'nothing'} ${answer?.bytes.toString() ?? ''}`,
      )
    } else await sleep(answer?.status === 429 ? 1000 : 100)
  }
  return seen
}
