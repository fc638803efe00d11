/** A database that falls silent without a word, as behind a broken cable or frozen: nobody waits for long. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { LIMITS } from '../../src/config.ts'
import { Customer } from '../../conformance/customer.ts'
import { testService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { checkBooks, untilDelivered } from './fleet.ts'
import { openGate } from './gate.ts'

/** A connection that is silent, one that waits for a place in the pool, and a margin. */
const ANSWER_MS_MAX = LIMITS.databaseSilenceMs + LIMITS.connectMs + 3_000

const { database, platform, customer, another } = await testService(
  { after },
  {
    env: { ROLES: 'api', DATABASE_POOL: '5', DATABASE_PATIENCE: '1' },
    emulator: { latencyMs: 40 },
  },
)
const gate = await openGate(database.url)
after(() => gate.close())

test(
  'a silent database is given up in seconds: 503 for those who ask, and the job goes on elsewhere or here',
  { timeout: 90_000 },
  async () => {
    const one = await another({ DATABASE_URL: gate.url, ROLES: 'api,worker', JOB_VIDEOS: '2' })
    const { accountId, apiKey } = await customer()
    const who = new Customer({ address: one.address ?? '', accountId, apiKey })
    const job = await who.startsJob({ urls: ['@dailynotes'], maxVideos: 30 })
    await untilDelivered(database, job, 5)

    gate.silence()
    const startedAt = performance.now()
    const answers = await Promise.all(Array.from({ length: 12 }, () => who.asks('GET', '/balance')))
    const tookMs = performance.now() - startedAt
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([503]))
    assert.ok(answers.every(({ headers }) => Number(headers.get('retry-after')) > 0))
    assert.ok(tookMs < ANSWER_MS_MAX, `${tookMs} ms`)

    gate.open()
    await until(
      'it answers again',
      async () => (await who.asks('GET', '/balance')).status === 200,
      ANSWER_MS_MAX,
    )
    const ended = await who.waitsFor(job)
    assert.deepEqual(
      [ended['state'], ended['progress'].processed - ended['progress'].counts.truncated],
      ['finished', 30],
    )
    assert.ok(platform.log.counts().total > 0)
    await checkBooks(database)
    await one.close()
  },
)
