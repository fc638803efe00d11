/**
 * `get` is ended at 50 random moments, by kill -9 and Ctrl-C, over a network that loses requests and answers:
 * the same command goes on every time, and every video is bought and written once.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { microsOf } from '../../clients/cli/src/usd.ts'
import { STILL_WORKING, type Customer } from '../../conformance/customer.ts'
import { type Fault, faultyProxy } from '../support/faulty-proxy.ts'
import { fillBuckets } from '../support/rate-limits.ts'
import { testService } from '../support/service.ts'
import { type CliUser, cliUser } from './cli-command.ts'
import { SEED } from '../support/seed.ts'

const KILLS = 50
/** So long a job takes that a command is killed while it runs as often as before and after. */
const LATENCY_MS = 25
const VIDEOS = '8'
const COMMAND = [
  'get',
  'https://www.youtube.com/@endlessarchive',
  '--max',
  VIDEOS,
  '--out',
  'talks',
]
/** Of the time that a command takes here which is left alone. */
const MOMENT_SHARE = 1.1
/** After so many kills an order is left alone, on slow machines, too: the next one is killed elsewhere. */
const KILLS_OF_AN_ORDER = 8
const FAULTS: readonly Fault[] = ['cut before', 'cut after', 'cut within']
const FAULT_SHARE = 0.03
/** Of the POSTs: killed when the request is on its way, which random moments seldom meet. */
const KILLED_POSTS = 0.3

/** What the order was like when its command was killed. */
type Moment = 'before the order' | 'order without answer' | 'job running' | 'job final'

test('killed at any moment, the same command goes on and buys nothing twice', async () => {
  const seed = Number(process.env['SEED'] ?? SEED)
  const random = randomOf(seed)
  const { service, address, customer } = await testService(
    { after },
    { emulator: { knobs: { latencyMs: LATENCY_MS } } },
  )
  const buyer = await customer('100')
  let onPost: (() => void) | null = null
  let areFaultsOn = false
  const proxy = await faultyProxy({ after }, address, {
    choose: ({ method }) => {
      if (method === 'POST' && random() < KILLED_POSTS) onPost?.()
      return areFaultsOn && random() < FAULT_SHARE
        ? FAULTS[Math.floor(random() * FAULTS.length)]!
        : 'none'
    },
    before: () => fillBuckets(service.context.pool),
  })
  const user = cliUser(
    { after },
    { SCRIPTORIUM_URL: proxy.address, SCRIPTORIUM_API_KEY: buyer.apiKey },
  )

  const startedAt = performance.now()
  await untilComplete(user)
  const momentMax = (performance.now() - startedAt) * MOMENT_SHARE
  areFaultsOn = true

  const moments = new Map<Moment, number>()
  let completions = 1
  let killsOfOrder = 0
  for (let kills = 0; kills < KILLS;) {
    const { child, ended } = user.starts(...COMMAND)
    const kill = (): void => void child.kill(random() < 0.8 ? 'SIGKILL' : 'SIGINT')
    const isSpared = killsOfOrder === KILLS_OF_AN_ORDER
    onPost = isSpared ? null : kill
    const timer = isSpared ? undefined : setTimeout(kill, random() * momentMax)
    const { signal, code, stderr } = await ended
    clearTimeout(timer)
    onPost = null
    const wasKilled = signal !== null || code === 130
    assert.ok(wasKilled || [0, 3, 75].includes(code ?? -1), `seed ${seed}: ${code} ${stderr}`)
    const isComplete = stderr.includes('written to') && openOrder(user) === null
    if (isComplete) {
      completions += 1
      killsOfOrder = 0
    }
    if (wasKilled) {
      kills += 1
      killsOfOrder += 1
      const met = await momentOf(user, buyer)
      moments.set(met, (moments.get(met) ?? 0) + 1)
    }
  }
  const last = await untilComplete(user)
  await fillBuckets(service.context.pool)
  await checkPurchases(user, buyer, { jobs: completions + 1, seed })
  assert.ok(completions > 1, `seed ${seed}: no order came to its end between two kills`)
  const met = JSON.stringify(Object.fromEntries(moments))
  for (const one of ['order without answer', 'job running', 'job final'] as const) {
    assert.ok(moments.has(one), `seed ${seed}: no kill met "${one}", but ${met}; ${last}`)
  }
})

/** The command is left alone now; a lost network may still end it. */
async function untilComplete(user: CliUser): Promise<string> {
  for (;;) {
    const { code, stderr } = await user.runs(...COMMAND)
    if (code !== 75) {
      assert.ok(code === 0 || code === 3, stderr)
      return stderr
    }
  }
}

function openOrder(user: CliUser): { jobId: string | null } | null {
  const folder = path.join(user.folder, '.local/state/scriptorium/orders')
  const [file] = fs.existsSync(folder)
    ? fs.readdirSync(folder).filter((name) => name.endsWith('.json'))
    : []
  return file === undefined ? null : JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'))
}

async function momentOf(user: CliUser, buyer: Customer): Promise<Moment> {
  const order = openOrder(user)
  if (order === null) return 'before the order'
  if (order.jobId === null) return 'order without answer'
  const { state } = await buyer.gets(`/jobs/${order.jobId}`)
  return STILL_WORKING.has(state) ? 'job running' : 'job final'
}

const PAGE = 50

async function checkPurchases(
  user: CliUser,
  buyer: Customer,
  { jobs: expected, seed }: { jobs: number; seed: number },
): Promise<void> {
  const { jobs, total } = await buyer.gets(`/jobs?limit=${PAGE}`)
  assert.equal(
    total,
    expected,
    `seed ${seed}: as many jobs as orders that were brought to their end`,
  )
  const texts = new Map<string, string>()
  for (let at = jobs.length; at < total; at += PAGE)
    jobs.push(...(await buyer.gets(`/jobs?limit=${PAGE}&offset=${at}`)).jobs)
  assert.equal(jobs.length, total)
  for (const job of jobs) {
    assert.equal(job.state, 'finished')
    for (const { status, videoId, text } of await buyer.readsRows(job)) {
      if (status !== 'success') continue
      assert.ok(!texts.has(videoId), `seed ${seed}: ${videoId} was bought twice`)
      texts.set(videoId, text)
    }
  }
  const spent = 100_000_000n - (microsOf(await buyer.balance()) ?? 0n)
  assert.equal(spent, BigInt(texts.size) * 8_000n, `seed ${seed}`)

  const files = user.files('talks')
  assert.equal(files.length, texts.size, `seed ${seed}: ${files.join(', ')}`)
  for (const file of files) {
    const [, videoId = ''] = /\[([\w-]{11})\]\.txt$/.exec(file) ?? []
    const words = fs.readFileSync(path.join(user.folder, 'talks', file), 'utf8').split(/\s+/)
    assert.equal(words.join(' ').trim(), texts.get(videoId), `seed ${seed}: ${file}`)
  }
}

/** From 0 to 1, the same series for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
