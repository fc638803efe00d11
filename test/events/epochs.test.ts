/**
 * After a failover that lost rows, numbers are given out again. So every process follows the epoch: event ids and
 * webhook ids say it, open streams begin again, and search indexes are made again.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { openEvents } from '../support/event-streams.ts'
import { testService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { deliveriesOf, makesWebhook } from '../webhooks/hooked-jobs.ts'
import { startReceiver } from '../webhooks/receiver.ts'

const DATA_DIR = fs.mkdtempSync(path.join(os.tmpdir(), 'epochs-'))
after(() => fs.rmSync(DATA_DIR, { recursive: true, force: true }))
const { platform, customer, service, database } = await testService(
  { after },
  { env: { DATA_DIR, WEBHOOK_ALLOW_PRIVATE: 'true' } },
)
const EPOCH = 1_000_000_000

test('the epoch is told by every id, and what was numbered or indexed before begins again', async (t) => {
  const who = await customer()
  const receiver = await startReceiver(t)
  const webhook = await makesWebhook(who, receiver.url)
  const { job } = await who.orders({ urls: ['@smallworkshop'], maxVideos: 3 })
  const { processed } = job['progress']
  await until('all is indexed', async () => {
    const { indexed, owned } = await who.gets('/search?q=river')
    return indexed === owned && owned > 0
  })
  const library = path.join(DATA_DIR, 'library')
  assert.ok(fs.existsSync(path.join(library, `${who.accountId}.db`)))
  platform.apply({ faults: [{ do: 'hold', on: 'timedtext' }] })
  const running = await who.startsJob({ urls: ['@smallworkshop'], maxVideos: 8 })
  const open = await openEvents(who, running)

  await database.pool.query(
    `insert into database_timeline (system_id, timeline, entries_lost) values ('other', 2, 1)`,
  )
  const told = await open.rest()
  assert.ok(
    told.every(({ event }) => event !== 'end'),
    'the open stream ends without an end',
  )
  assert.equal(service.context.failovers.epoch(), 1)
  platform.clear()

  const again = await (await openEvents(who, job, String(processed))).rest()
  const ids = again.flatMap(({ event, id }) => (event === 'video' ? [Number(id)] : []))
  assert.deepEqual(
    ids,
    Array.from({ length: processed }, (_, at) => EPOCH + at + 1),
  )
  assert.equal(again.at(-1)?.id, String(EPOCH + processed))
  assert.equal((await openEvents(who, job, String(EPOCH + processed))).status, 204)
  assert.equal((await openEvents(who, job, String(2 * EPOCH + 1))).status, 400)
  const [, second] = await (await openEvents(who, job, String(EPOCH + 1))).rest()
  assert.equal(second?.id, String(EPOCH + 2))

  await until('both are told', async () => (await deliveriesOf(who, webhook)).length === 2)
  const sent = (await deliveriesOf(who, webhook)).map(({ id }) => String(id))
  assert.deepEqual(
    sent.map((id) => /^dlv_[0-9a-f]{32}(-e1)?$/.exec(id)?.[1] ?? ''),
    ['-e1', ''],
  )

  await until('all is indexed again', async () => {
    const { indexed, owned } = await who.gets('/search?q=river')
    return indexed === owned && owned > 0
  })
  assert.ok(fs.existsSync(path.join(library, `${who.accountId}.e1.db`)))
})
