/** Which preview is listed next: whoever asks for many waits behind whoever asks for few. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { transact } from '../../src/kit/postgres/database.ts'
import { claimPreview, insertPreview } from '../../src/store/previews.ts'
import { testDatabase } from '../support/database.ts'
import { openAccount } from '../support/money-fixtures.ts'
import { PLAIN_ORDER } from '../support/orders.ts'

const { db } = await testDatabase({ after })
const LIFE = { listingSeconds: 600, keptSeconds: 3_600 }

let previews = 0

function asks(accountId: string): Promise<unknown> {
  const id = `preview-${(previews += 1)}`
  const preview = { id, requestHash: id, accountId, order: PLAIN_ORDER, requestedMaxVideos: 1 }
  return transact(db, (tx) => insertPreview(tx, preview, LIFE))
}

test('of accounts without places, that with the fewest previews of the hour goes first', async () => {
  const accounts = await Promise.all([0n, 0n, 0n].map((micros) => openAccount(db, micros)))
  const [crowd, other, one] = accounts as [string, string, string]
  for (let n = 0; n < 5; n += 1) await asks(crowd)
  for (let n = 0; n < 3; n += 1) await asks(other)
  await asks(one)
  const claimed: (string | null | undefined)[] = []
  for (let n = 0; n < 9; n += 1) claimed.push((await claimPreview(db, []))?.preview.accountId)
  assert.deepEqual(claimed, [one, other, other, other, crowd, crowd, crowd, crowd, crowd])
})
