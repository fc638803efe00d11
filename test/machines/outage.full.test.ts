/** The database is not there yet, goes away, or falls silent: callers are told to come again, jobs go on. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../src/serve.ts'
import { Customer } from '../../tools/conformance/customer.ts'
import type { Reply } from '../../tools/conformance/http.ts'
import { holdAfter } from '../support/held-platform.ts'
import { testService } from '../support/service.ts'
import { testConfig } from '../support/settings.ts'
import { until } from '../support/until.ts'
import { checkBooks, ofJob, untilDelivered } from './fleet.ts'
import { openGate } from './gate.ts'

const { database, platform, customer, another } = await testService(
  { after },
  { env: { ROLES: 'api', DATABASE_POOL: '5' } },
)
const gate = await openGate(database.url)
after(() => gate.close())

/** Every kind of request, also those that write. */
const ASKS: [string, string, { body?: unknown }?][] = [
  ['GET', '/balance'],
  ['GET', '/jobs'],
  ['GET', '/jobs/none'],
  ['POST', '/jobs', { body: { urls: ['@longformonly'], maxVideos: 1 } }],
]

async function asksAll(who: Customer): Promise<Reply[]> {
  return Promise.all(ASKS.map(([method, path, init]) => who.asks(method, path, init)))
}

function isToldToComeAgain({ status, headers, body }: Reply): void {
  assert.equal(status, 503)
  assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.equal(body['error'].code, 'server_busy')
  assert.doesNotMatch(body['error'].message, /ECONN|terminated|postgres|pool/i)
}

test('a service that is started before its database waits for it and then serves', async () => {
  gate.cut()
  const env = { DATABASE_URL: gate.url, PLATFORM_ORIGIN: platform.origin }
  let isUp = false
  const starting = startService(testConfig(env)).then((service) => {
    isUp = true
    return service
  })
  const before = gate.refused()
  await until('it asked again and again', () => gate.refused() > before + 1)
  assert.equal(isUp, false)
  gate.open()
  const service = await starting
  assert.equal((await fetch(`${service.address}/readyz`)).status, 200)
  await service.close()
})

test('while the database is away every request is 503 with Retry-After, then all goes on', async () => {
  holdAfter(platform, 5)
  const one = await another({ DATABASE_URL: gate.url, ROLES: 'api,worker', JOB_VIDEOS: '2' })
  const { accountId, apiKey } = await customer()
  const who = new Customer({ address: one.address ?? '', accountId, apiKey })
  const job = await who.startsJob({ urls: ['@dailynotes'], maxVideos: 30 })
  await untilDelivered(database, job, 5)

  gate.cut()
  for (let round = 0; round < 3; round += 1) (await asksAll(who)).forEach(isToldToComeAgain)
  assert.equal((await fetch(`${one.address}/healthz`)).status, 200, 'the process lives')
  // A look from before it went away is kept for a moment.
  const ready = (): Promise<Response> => fetch(`${one.address}/readyz`)
  await until('it is not ready', async () => (await ready()).status === 503)
  assert.match(await (await ready()).text(), /database/)
  const measures = async (line: RegExp): Promise<boolean> => {
    const reply = await fetch(`${one.address}/metrics`)
    assert.equal(reply.status, 200)
    return line.test(await reply.text())
  }
  await until('the alert is told that it is not ready', () => measures(/\nscriptorium_ready 0\n/))
  assert.equal(
    await measures(/\nscriptorium_(?:jobs\{|queue_age|database)\S* \d/),
    false,
    'nothing old',
  )

  gate.open()
  platform.clear()
  await until('it answers again', async () => (await who.asks('GET', '/balance')).status === 200)
  const ended = await who.waitsFor(job)
  assert.deepEqual(
    [ended['state'], ended['progress'].processed - ended['progress'].counts.truncated],
    ['finished', 30],
  )
  assert.equal(await ofJob(database, job['id'], 'attempt'), 1, 'the same attempt went on')
  await checkBooks(database)
  await one.close()
})

test('requests that break off in the middle are 503 too, never 500', async () => {
  const one = await another({ DATABASE_URL: gate.url })
  const { accountId, apiKey } = await customer()
  const who = new Customer({ address: one.address ?? '', accountId, apiKey })
  const statuses = new Set<number>()
  const isBroken = (): boolean =>
    statuses.has(503) && [200, 201, 409].some((status) => statuses.has(status))
  for (const answers of [0, 1, 2, 4, 8, 16, 32, 64, 128]) {
    await until('it answers', async () => (await who.asks('GET', '/balance')).status === 200)
    gate.cutAfter(answers)
    const asked = Array.from({ length: 4 }, () => asksAll(who))
    for (const answer of (await Promise.all(asked)).flat()) {
      statuses.add(answer.status)
      if (answer.status >= 500) isToldToComeAgain(answer)
    }
    gate.cut() // cut where there were fewer answers
    gate.open()
  }
  await until('it answers at last', async () => (await who.asks('GET', '/balance')).status === 200)
  assert.ok(isBroken(), [...statuses].join())
  // A job may have been started, whether its answer arrived or not.
  for (const { id } of (await who.gets('/jobs'))['jobs'])
    await who.asks('POST', `/jobs/${id}/cancel`)
  await one.close()
})
