/**
 * What our layers cost: GET /jobs/{id} and GET /balance against a bare Fastify route that sends the same
 * statement and the same bytes, beside one without a database.
 * The server runs in a process of its own; short rounds alternate, and the median of the shares of
 * neighbouring rounds counts, so that what else the machine does meets all alike.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fastify } from 'fastify'
import { Pool } from 'undici'
import { createAccount } from '../../src/features/accounts/account.ts'
import { hashSecret } from '../../src/model/accounts/tokens.ts'
import { issueKey } from '../../src/features/accounts/keys.ts'
import { buildApp } from '../../src/app.ts'
import { addCredit } from '../../src/features/money/balance.ts'
import { readConfig } from '../../src/config/config.ts'
import { openContext } from '../../src/open-context.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { openDatabase } from '../../src/store/database.ts'
import { run as runStatement } from '../../src/kit/postgres/statement.ts'
import { AUTHENTICATE_FOR_BALANCE, AUTHENTICATE_FOR_JOB } from '../../src/store/authentication.ts'
import { testDatabase, type TestDatabase, type TestScope } from '../../test/support/database.ts'
import type { BenchOptions } from './bench.ts'
import { closing } from './stage/closing.ts'
import { liftBrakes } from './stage/stage.ts'
import { median, percent, table, verdict } from './table.ts'

type Caller = { apiKey: string; jobId: string; jobBytes: string; balanceBytes: string }
type Hello = { ours: string; bare: string }
type Route = 'balance' | 'job'
type Way = 'ours' | 'bare' | 'withoutDatabase'
type Round = { perSecond: number; p50Ms: number; p99Ms: number }
type Compared = Record<Way, Round> & { shareOfBare: number }
type ApiResult = { keys: number; routes: Record<Route, Compared> }

const WAYS: Way[] = ['ours', 'bare', 'withoutDatabase']
const KEYS = 100
const CONNECTIONS = 16
const SHARE_GOAL = 0.6
const SIZES = {
  smoke: { rounds: 1, requests: 300 },
  usual: { rounds: 12, requests: 1_500 },
}
const API = '/api/v1'
const PATHS: Record<Route, (caller: Caller) => string> = {
  job: ({ jobId }) => `${API}/jobs/${jobId}`,
  balance: () => `${API}/balance`,
}

/** Prints a table and returns its numbers. */
export async function run({ smoke }: BenchOptions): Promise<ApiResult> {
  const routes = await closing((scope) => measure(SIZES[smoke ? 'smoke' : 'usual'], scope))
  print(routes)
  return { keys: KEYS, routes }
}

async function measure(
  size: (typeof SIZES)['usual'],
  scope: TestScope,
): Promise<ApiResult['routes']> {
  const database = await testDatabase(scope)
  const callers = await addCallers(database)
  const child = fork(import.meta.filename, ['serve', database.url], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  scope.after(async () => {
    child.disconnect()
    await once(child, 'exit')
  })
  const [hello] = (await once(child, 'message')) as [Hello]
  for (const caller of callers) {
    caller.jobBytes = await read(hello.ours, PATHS.job(caller), caller)
    caller.balanceBytes = await read(hello.ours, PATHS.balance(caller), caller)
  }
  child.send(callers)
  await once(child, 'message')
  const stage = { hello, callers, size }
  return { job: await compare('job', stage), balance: await compare('balance', stage) }
}

type Stage = { hello: Hello; callers: Caller[]; size: (typeof SIZES)['usual'] }

async function compare(route: Route, { hello, callers, size }: Stage): Promise<Compared> {
  const targets: Record<Way, Target> = {
    ours: { origin: hello.ours, path: PATHS[route] },
    bare: { origin: hello.bare, path: ({ jobId }) => `/${route}/${jobId}` },
    withoutDatabase: { origin: hello.bare, path: ({ jobId }) => `/${route}-bytes/${jobId}` },
  }
  const rounds: Record<Way, Round[]> = { ours: [], bare: [], withoutDatabase: [] }
  for (let round = 0; round < size.rounds; round++) {
    for (const way of round % 2 === 0 ? WAYS : WAYS.toReversed())
      rounds[way].push(await load(targets[way], callers, size.requests))
  }
  const best = (all: Round[]): Round => ({
    perSecond: Math.max(...all.map(({ perSecond }) => perSecond)),
    p50Ms: Math.min(...all.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(all.map(({ p99Ms }) => p99Ms)),
  })
  const shares = rounds.ours.map(
    ({ perSecond }, at) => perSecond / (rounds.bare[at]?.perSecond ?? Number.NaN),
  )
  return {
    ours: best(rounds.ours),
    bare: best(rounds.bare),
    withoutDatabase: best(rounds.withoutDatabase),
    shareOfBare: median(shares),
  }
}

type Target = { origin: string; path: (caller: Caller) => string }

async function load({ origin, path }: Target, callers: Caller[], requests: number): Promise<Round> {
  const pool = new Pool(origin, { connections: CONNECTIONS })
  const tookMs: number[] = []
  let next = 0
  const work = async (): Promise<void> => {
    for (let at = next++; at < requests; at = next++) {
      const caller = callers[at % callers.length] as Caller
      const startedAt = performance.now()
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path: path(caller),
        headers: { authorization: `Bearer ${caller.apiKey}` },
      })
      await body.dump()
      if (statusCode !== 200) throw new Error(`${path(caller)} answered ${statusCode}`)
      tookMs.push(performance.now() - startedAt)
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  const seconds = (performance.now() - startedAt) / 1000
  await pool.close()
  tookMs.sort((a, b) => a - b)
  const at = (share: number): number => tookMs[Math.floor(tookMs.length * share)] ?? Number.NaN
  return { perSecond: requests / seconds, p50Ms: at(0.5), p99Ms: at(0.99) }
}

async function read(origin: string, path: string, { apiKey }: Caller): Promise<string> {
  const answer = await fetch(origin + path, { headers: { authorization: `Bearer ${apiKey}` } })
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
  return answer.text()
}

/** Returns accounts that each have credit, a key whose bucket never runs empty, and a finished job. */
async function addCallers({ db, pool }: TestDatabase): Promise<Caller[]> {
  const callers: Caller[] = []
  for (let at = 0; at < KEYS; at++) {
    const jobId = `bench-${at}`
    const { accountId, apiKey } = await transact(db, async (tx) => {
      const id = await createAccount(tx, { email: `bench-${at}@example.org` })
      await addCredit(tx, {
        accountId: id,
        micros: 10_000_000n,
        reference: `grant:${id}`,
        reason: null,
      })
      return {
        accountId: id,
        apiKey: (await issueKey(tx, { accountId: id, name: 'bench' })).apiKey,
      }
    })
    await pool.query(JOB, [jobId, accountId])
    callers.push({ apiKey, jobId, jobBytes: '', balanceBytes: '' })
  }
  await liftBrakes(pool)
  return callers
}

const JOB = `insert into job (id, account_id, state, created_at, finished_at, urls, url_set_hash, language, formats, max_videos,
    requested_max_videos, notices, reserved_micros, charged_micros, started_at, is_planned, slots_used, discovered, processed, success)
  select $1, $2, 'finished', now(), now(), array['https://www.youtube.com/@bench'], md5(random()::text), 'original',
    array['text', 'srt', 'vtt', 'segments'], 20, 500, '{}', 160000, 160000, now(), true, 20, 20, 20, 20`

/**
 * The child process runs the service, and a bare server that sends the same statements over a pool of the same size.
 */
async function serve(databaseUrl: string): Promise<void> {
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'silent',
    ROLES: 'api',
    PORT: '0',
  })
  const ctx = await openContext(config, new AbortController().signal)
  const app = await buildApp(ctx, 'http://bench.test')
  const { pool, close } = openDatabase({
    url: databaseUrl,
    connectionsMax: config.DATABASE_POOL,
    name: 'bare',
  })
  const bare = fastify()
  const callers = new Map<string, Caller & { hash: Buffer }>()
  const answers = (path: string, answer: (caller: Caller & { hash: Buffer }) => Promise<string>) =>
    bare.get<{ Params: { id: string } }>(`${path}/:id`, async ({ params }, reply) => {
      const bytes = await answer(callers.get(params.id) as Caller & { hash: Buffer })
      return reply.type('application/json; charset=utf-8').send(bytes)
    })
  answers('/job', async ({ hash, jobId, jobBytes }) => {
    await runStatement(pool, AUTHENTICATE_FOR_JOB, [hash, jobId])
    return jobBytes
  })
  answers('/balance', async ({ hash, balanceBytes }) => {
    await runStatement(pool, AUTHENTICATE_FOR_BALANCE, [hash])
    return balanceBytes
  })
  answers('/job-bytes', async ({ jobBytes }) => jobBytes)
  answers('/balance-bytes', async ({ balanceBytes }) => balanceBytes)
  process.on('message', (all: Caller[]) => {
    for (const caller of all)
      callers.set(caller.jobId, { ...caller, hash: hashSecret(caller.apiKey) })
    process.send?.('ready')
  })
  process.once(
    'disconnect',
    () =>
      void Promise.all([app.close(), bare.close()]).then(() => Promise.all([close(), ctx.close()])),
  )
  const listen = { host: '127.0.0.1', port: 0 }
  process.send?.({
    ours: await app.listen(listen),
    bare: await bare.listen(listen),
  } satisfies Hello)
}

function print(routes: ApiResult['routes']): void {
  const cells = ({ perSecond, p50Ms, p99Ms }: Round): string[] => [
    perSecond.toFixed(0),
    p50Ms.toFixed(2),
    p99Ms.toFixed(2),
  ]
  const part = (name: string, one: Compared): string[][] => {
    const share = `${percent(one.shareOfBare)}, ${verdict(one.shareOfBare >= SHARE_GOAL)}`
    return [
      [name, 'a second', 'median ms', 'p99 ms', 'of bare'],
      ['  ours', ...cells(one.ours), share],
      ['  bare, same statement', ...cells(one.bare), ''],
      ['  bare, no database', ...cells(one.withoutDatabase), ''],
    ]
  }
  const lines = [...part('GET /jobs/{id}', routes.job), ...part('GET /balance', routes.balance)]
  console.log(table(lines))
}

if (process.argv[2] === 'serve') await serve(process.argv[3] ?? '')
