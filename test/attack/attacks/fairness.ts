/** Attacks on fair turns: many accounts with little credit and much work that pays nothing. */
import assert from 'node:assert/strict'
import type { Customer } from '../../../tools/conformance/customer.ts'
import type { Attack, Target } from '../attack.ts'
import { judgeWaits, sendHome, waitsBeside } from '../crowd.ts'

/** Latency about as long as the platform's, so that not all time is this machine's own. */
const LATENCY_MS = 100
const CREDIT_USD = '0.40'

export const FAIRNESS: readonly Attack[] = [
  {
    name: 'twenty accounts of $0.40 that list a channel of 100,000 for nothing, beside an order of one video',
    class: 'crowds',
    isMeasured: true,
    run: (target) => crowd(target, { accounts: 20, jobsEach: 12 }),
  },
  {
    name: 'the same twenty where the only egress route is paced',
    class: 'crowds',
    isMeasured: true,
    settings: { EGRESS_ROUTES: 'direct#ratePerMinute=600&concurrency=8' },
    run: (target) => crowd(target, { accounts: 20, jobsEach: 12 }),
  },
  {
    name: 'two accounts of $0.40 with fifty such jobs each, beside an order of one video',
    class: 'crowds',
    isMeasured: true,
    run: (target) => crowd(target, { accounts: 2, jobsEach: 50 }),
  },
  {
    name: 'a hundred accounts of $0.008 that hold all of MAX_ACTIVE_JOBS and list for nothing, beside a customer of $10',
    class: 'crowds',
    isMeasured: true,
    async run(target) {
      const seen = await crowd(target, { accounts: 100, jobsEach: 1, creditUsd: '0.008' })
      return `${seen}; to keep a customer of $10 out takes 100 accounts of $10`
    },
  },
  {
    name: 'twenty such accounts where two workers share the jobs, beside an order of one video',
    class: 'crowds',
    isMeasured: true,
    run: async (target) => {
      const second = await target.fleet.start({ ROLES: 'worker' })
      return crowd(target, { accounts: 20, jobsEach: 12 }).finally(() => second.ends('SIGTERM'))
    },
  },
]

async function crowd(
  target: Target,
  {
    accounts,
    jobsEach,
    creditUsd = CREDIT_USD,
  }: { accounts: number; jobsEach: number; creditUsd?: string },
): Promise<string> {
  const { platform, database } = target.fleet
  platform.apply({ knobs: { latencyMs: LATENCY_MS } })
  const honest = await target.customer()
  const attackers = await Promise.all(
    Array.from({ length: accounts }, () => target.customer(creditUsd)),
  )
  try {
    await warmUp(target, honest)
    const waits = await waitsBeside({ platform, database }, honest, { attackers, jobsEach })
    assert.ok(waits.admitted >= accounts, 'each of them got a job in')
    const price = (accounts * Number(creditUsd)).toFixed(2)
    return `${judgeWaits(waits)}; the crowd brought $${price}, of which nothing is charged`
  } finally {
    await sendHome(database, attackers)
    platform.clear()
  }
}

/** Warms the process up: compiling code is a stall that is not the attack's. */
async function warmUp({ begins, fleet }: Target, honest: Customer): Promise<void> {
  const job = await honest.startsJob({
    urls: ['@dailynotes'],
    maxVideos: 5,
    publishedBefore: '2020-01-01',
  })
  await honest.asks('POST', `/jobs/${job['id']}/cancel`)
  await honest.waitsFor(job)
  await fleet.database.pool.query('delete from rate_bucket')
  await begins()
}
