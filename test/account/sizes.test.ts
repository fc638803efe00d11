/** Sizes as the website says them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { megabytes } from '../../web/src/format.ts'

test('a size that is something is never said to be nothing', () => {
  const said = [0, 1, 36_400, 99_999, 100_000, 1_204_500_000].map(megabytes)
  assert.deepEqual(said, ['0 MB', '1 KB', '37 KB', '100 KB', '0.1 MB', '1,204.5 MB'])
})
