/** However many callers ask whether a process is ready, one look answers them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../../src/store/database.ts'
import { openReadiness, READINESS_KEPT_MS } from '../../src/store/readiness.ts'
import { testDatabase } from '../support/database.ts'
import { TEST_DEADLINES } from '../support/settings.ts'

test('one look answers all who ask while it lasts and for a moment after', async (t) => {
  const { pool, url } = await testDatabase(t)
  let [now, confirmed] = [0, 0]
  const readiness = openReadiness({
    open: () => openDatabase({ url, connectionsMax: 2, name: 'readiness' }),
    deadlines: TEST_DEADLINES,
    onConfirmed: () => (confirmed += 1),
    clock: () => now,
  })
  t.after(readiness.close)
  const crowd = Array.from({ length: 100 }, () => readiness.look())
  now = READINESS_KEPT_MS * 10 // a slow look is not joined by a second one
  const late = readiness.look()
  assert.deepEqual((await Promise.all([...crowd, late])).flat(), [])
  assert.equal(confirmed, 1)

  assert.deepEqual(await readiness.look(), [])
  assert.equal(confirmed, 2)
  await pool.query('alter table migration rename to gone')
  now += READINESS_KEPT_MS - 1
  assert.deepEqual(await readiness.look(), [], 'the last answer is kept')
  now += 1
  assert.match((await readiness.look()).join(), /^database: /)
  await pool.query('alter table gone rename to migration')
  now += READINESS_KEPT_MS
  assert.deepEqual(await readiness.look(), [], 'what was missing is looked for again')
  assert.equal(confirmed, 3)
})
