/** A library of many texts of twelve minutes: the database without them, and what its ZIPs are then. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { packTexts, vacuumTexts } from '../../src/features/transcripts/pack-texts.ts'
import { talkTranscripts } from '../../tools/bench/captions.ts'
import { addLibrary } from '../support/large-library.ts'
import { objectStoreStandIn } from '../support/object-store.ts'
import { testService } from '../support/service.ts'

const TEXTS = 20_000
/** One of so many jobs is downloaded. */
const JOBS_EACH = 10

test('packed texts leave a third of the database, and ZIPs of the same bytes', async (t) => {
  const store = await objectStoreStandIn(t)
  const { service, database, customer } = await testService(t, {
    env: { ...store.env, ROLES: 'api' },
  })
  const { db, pool } = database
  const { textStore } = service.context
  assert.ok(textStore !== null)
  const buyer = await customer()
  const [transcript] = talkTranscripts(1)
  assert.ok(transcript !== undefined)
  const size = { texts: TEXTS, collections: 1, videosEach: 1 }
  await addLibrary(pool, { accountId: buyer.accountId, transcript, ...size })
  await pool.query(`update job set finished_at = now() - interval '2 hours'`)
  const { rows } = await pool.query<{ id: string }>('select id from job order by id')
  const measure = async (): Promise<number> =>
    Number((await pool.query('select pg_database_size(current_database()) as bytes')).rows[0].bytes)
  const zips = async (): Promise<string[]> => {
    const found: string[] = []
    for (const [at, { id }] of rows.entries())
      if (at % JOBS_EACH === 0)
        found.push(
          createHash('sha256')
            .update(await buyer.downloads(`/jobs/${id}/files/zip`))
            .digest('hex'),
        )
    return found
  }
  const [hashes, before] = [await zips(), await measure()]
  const startedAt = performance.now()
  const packed = await packTexts({ db, pool, textStore, minSeconds: 60, isAll: true })
  const seconds = (performance.now() - startedAt) / 1_000
  assert.equal(packed.texts, TEXTS)
  await vacuumTexts(pool, false)
  const after = await measure()
  store.asked.length = 0
  assert.deepEqual(await zips(), hashes)
  const requests = store.asked.length
  await vacuumTexts(pool, true)
  const full = await measure()
  const figures = {
    texts: TEXTS,
    packs: store.objects.size,
    seconds,
    before,
    after,
    full,
    zips: hashes.length,
    requests,
  }
  t.diagnostic(JSON.stringify(figures))
  assert.ok(after < before / 3, `${before} bytes, then ${after}`)
  assert.ok(requests < TEXTS / JOBS_EACH / 2)
})
