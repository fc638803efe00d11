/** Texts in a real object store, OpenStack Swift of Debian: packed, read, deleted, and listed there. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureStore, packTexts } from '../../src/features/transcripts/pack-texts.ts'
import { LIMITS } from '../../src/config/config.ts'
import { objectStoreStandIn } from '../support/object-store.ts'
import { needs } from '../support/needs.ts'
import { testService } from '../support/service.ts'
import { startSwift } from '../support/swift.ts'

test('a store that does not answer is waited for no longer than its deadlines', async (t) => {
  const store = await objectStoreStandIn(t)
  const { service, platform, database, customer } = await testService(t, { env: store.env })
  const { db, pool } = database
  const { textStore } = service.context
  assert.ok(textStore !== null)
  const buyer = await customer()
  const { job } = await buyer.orders({
    urls: [`https://www.youtube.com/${platform.world.channel('small').handle}`],
    maxVideos: 4,
  })
  await packTexts({ db, pool, textStore, minSeconds: 0, isAll: true })
  store.fault = 'slow'
  const { startMs, tries } = LIMITS.objectStore
  for (const most of [tries, 1]) {
    const startedAt = performance.now()
    assert.equal((await buyer.asks('GET', `/jobs/${job['id']}/files/zip`)).status, 503)
    const ms = performance.now() - startedAt
    assert.ok(ms < (most + 1) * startMs, `${ms} ms for ${most} tries`)
  }
  store.fault = null
  assert.equal((await buyer.asks('GET', `/jobs/${job['id']}/files/zip`)).status, 200)
})

test('Swift keeps texts, gives ranges of them, and lets them go', needs('swift'), async (t) => {
  const env = await startSwift(t)
  const { service, platform, database, customer } = await testService(t, { env })
  const { db, pool } = database
  const { textStore } = service.context
  assert.ok(textStore !== null)
  const pack = () => packTexts({ db, pool, textStore, minSeconds: 0, isAll: true })
  const buyer = await customer()
  const { job, rows } = await buyer.orders({
    urls: [`https://www.youtube.com/${platform.world.channel('small').handle}`],
    maxVideos: 4,
  })
  const zip = `/jobs/${job['id']}/files/zip`
  const before = await buyer.downloads(zip)
  const { texts, bytes } = await pack()
  assert.ok(texts > 1)
  assert.deepEqual(await measureStore(db, textStore), { objects: 1, bytes })
  assert.deepEqual(await buyer.downloads(zip), before)

  const [row] = rows.filter(({ status }) => status === 'success')
  await buyer.asks('DELETE', `/jobs/${job['id']}/videos/${row!['index']}/text`)
  await pack()
  const { removed } = await pack()
  assert.equal(removed, 1)
  const left = await measureStore(db, textStore)
  assert.ok(left.objects === 1 && left.bytes < bytes)
  await pool.query('delete from transcript_body')
  await pack()
  assert.deepEqual(await measureStore(db, textStore), { objects: 0, bytes: 0 })
  assert.equal(textStore.trouble, null)
})
