/** A database that falls silent without a word, as behind a broken cable or frozen: no caller waits for long. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { LIMITS } from '../../src/config/config.ts'
import { Customer } from '../../tools/conformance/customer.ts'
import { holdAfter } from '../support/held-platform.ts'
import { testService } from '../support/service.ts'
import { until, within } from '../support/until.ts'
import { checkBooks, untilDelivered } from './fleet.ts'
import { openGate } from './gate.ts'

/**
 * Some times what a silent connection, and a wait for a place in the pool, may take; the wrong behaviour waits for
 * ever.
 */
const { silenceMs, connectMs } = LIMITS.deadlines
const ANSWER_MS_MAX = 4 * (silenceMs + connectMs)

const { database, platform, customer, another } = await testService(
  { after },
  { env: { ROLES: 'api', DATABASE_POOL: '5', DATABASE_PATIENCE: '1' } },
)
const gate = await openGate(database.url)
after(() => gate.close())

test('a silent database is given up: 503 for those who ask, and the job goes on elsewhere or here', async () => {
  const one = await another({ DATABASE_URL: gate.url, ROLES: 'api,worker', JOB_VIDEOS: '2' })
  const { accountId, apiKey } = await customer()
  const who = new Customer({ address: one.address ?? '', accountId, apiKey })
  holdAfter(platform, 5)
  const job = await who.startsJob({ urls: ['@dailynotes'], maxVideos: 30 })
  await untilDelivered(database, job, 5)

  gate.silence()
  const asked = Array.from({ length: 12 }, () => who.asks('GET', '/balance'))
  const answers = await within('all are answered', Promise.all(asked), ANSWER_MS_MAX)
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([503]))
  assert.ok(answers.every(({ headers }) => Number(headers.get('retry-after')) > 0))

  gate.open()
  platform.clear()
  await until('it answers again', async () => (await who.asks('GET', '/balance')).status === 200)
  const ended = await who.waitsFor(job)
  assert.deepEqual(
    [ended['state'], ended['progress'].processed - ended['progress'].counts.truncated],
    ['finished', 30],
  )
  assert.ok(platform.log.counts().total > 0)
  await checkBooks(database)
  await one.close()
})
