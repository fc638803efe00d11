/** Where keys and jobs carry the number of their cell, and that the rest of them stays random. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createSecret, KEY_START, looksLikeKey, SECRET_BYTES } from '../model/accounts/api-key.ts'
import { CELL, withCell } from './cell.ts'
import { JOB_ID_BYTES, newJobId } from '../model/jobs/job.ts'

/** Of four bits followed by two zeros. */
const LETTERS = 'AEIMQUYcgkosw048'

test('the last digit of a job’s id and the last random letter of a key are the cell', () => {
  for (let round = 0; round < 100; round += 1) {
    const id = newJobId(new Date(), randomBytes(JOB_ID_BYTES))
    assert.equal(Number.parseInt(id.at(-1) ?? '', 16), CELL)
    const { secret } = createSecret(KEY_START, randomBytes(SECRET_BYTES))
    assert.ok(looksLikeKey(secret))
    assert.equal(LETTERS.indexOf(secret.charAt(KEY_START.length + 42)), CELL)
  }
})

test('all other bits are those given, which stay as they are', () => {
  const given = randomBytes(JOB_ID_BYTES)
  const before = Buffer.from(given)
  const bytes = withCell(given)
  assert.deepEqual(given, before)
  assert.deepEqual(bytes.subarray(0, -1), before.subarray(0, -1))
  assert.equal((bytes.at(-1) ?? 0) >> 4, (before.at(-1) ?? 0) >> 4)
})
