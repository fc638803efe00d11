/** The memory of a backup and a restore of more rows than a process should hold. */
import assert from 'node:assert/strict'
import path from 'node:path'
import test from 'node:test'
import { backup, restore } from '../../src/features/backup/backup.ts'
import { REGISTER } from '../../src/store/register.ts'
import { bounded } from '../../src/store/register/entry.ts'
import { testDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/embedded-process.ts'

const GROWTH_MAX_BYTES = 64 * 1024 * 1024

test('a backup streams: its memory does not grow with the database', async (t) => {
  const file = path.join(temporaryFolder(t), 'large.backup')
  const [from, to] = [await testDatabase(t), await testDatabase(t)]
  for (const { pool } of [from, to]) await pool.query('create table large (note text)')
  // The digits are random, 64 KB a row, so that gzip neither shortens them much nor finds them in the next row.
  for (let part = 0; part < 10; part += 1) {
    await from.pool.query(`insert into large
      select note from (select string_agg(md5(random()::text), '') as note from generate_series(1, 2000)) one,
        generate_series(1, 150)`)
  }
  const before = process.memoryUsage().rss
  let peak = 0
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss - before)), 5)
  const large = { writers: '', erased: { kept: 'a test' }, grows: bounded('a test') }
  const register = { ...REGISTER, large }
  await backup(from.pool, file, { register })
  await restore(to.pool, file, register)
  clearInterval(timer)
  const sums = 'select count(*) as rows, sum(hashtext(note)) as notes from large'
  assert.deepEqual((await to.pool.query(sums)).rows, (await from.pool.query(sums)).rows)
  assert(peak < GROWTH_MAX_BYTES, `96 MB of rows needed ${Math.round(peak / 1024 / 1024)} MB more`)
})
