/**
 * `get` is ended at 50 random moments, by kill -9 and Ctrl-C, over a network that loses requests and answers:
 * the same command goes on every time, and every video is bought and written once.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Fault, faultyProxy } from '../support/faulty-proxy.ts'
import { testService } from '../support/service.ts'
import { isSeedFixed, SEED } from '../support/seed.ts'
import { cliUser } from './cli-command.ts'
import {
  checkPurchases,
  COMMAND,
  type Moment,
  momentOf,
  openOrder,
  untilComplete,
} from './killed-orders.ts'

const KILLS = 50
/** Latency with which a command is killed while its job runs about as often as before and after. */
const LATENCY_MS = 25
/** Latest moment of a kill, as a share of the time that an undisturbed command takes here. */
const MOMENT_SHARE = 1.1
/** Kills after which an order is left alone, on slow machines too; the next order is then killed elsewhere. */
const KILLS_OF_AN_ORDER = 8
const FAULTS: readonly Fault[] = ['cut before', 'cut after', 'cut within']
const FAULT_SHARE = 0.03
/** Share of POSTs that are killed while the request is on its way, which random moments seldom meet. */
const KILLED_POSTS = 0.3

test('killed at any moment, the same command goes on and buys nothing twice', async () => {
  const random = randomOf(SEED)
  const { address, customer } = await testService(
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
    assert.ok(wasKilled || [0, 3, 75].includes(code ?? -1), `seed ${SEED}: ${code} ${stderr}`)
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
  await checkPurchases(user, buyer, { jobs: completions + 1 })
  assert.ok(completions > 1, `seed ${SEED}: no order came to its end between two kills`)
  if (!isSeedFixed) return
  const met = JSON.stringify(Object.fromEntries(moments))
  for (const one of ['order without answer', 'job running', 'job final'] as const) {
    assert.ok(moments.has(one), `seed ${SEED}: no kill met "${one}", but ${met}; ${last}`)
  }
})

/** Returns numbers from 0 to 1, the same series for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
