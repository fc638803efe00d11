/** Where the texts of a job's rows are: each row names the row of the account that holds its text now, or none. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { uploadsOf } from '../repeats/asking-again.ts'
import { sharedService } from '../support/shared-service.ts'

const { platform, customer, database } = await sharedService({ after })
const channel = platform.world.channel('spanish')
const HANDLE = channel.handle!
const { videoId: OTHER } = uploadsOf(platform.world, platform.world.channel('small')).find(
  ({ status }) => status === 'success',
)!

type Place = { jobId: string; index: number } | null
type Ordered = { id: string; rows: Json[] }

/** Orders, and holds each row's place against that of the single row, and the rest against the plain answer. */
async function orders(buyer: Customer, body: Json, query = '?owned=skip'): Promise<Ordered> {
  const reply = await buyer.asks('POST', `/jobs${query}`, { body })
  assert.equal(reply.status, 201, reply.bytes.toString())
  const { id } = await buyer.waitsFor(reply.body)
  return { id, rows: await looks(buyer, id) }
}

async function looks(buyer: Customer, id: string): Promise<Json[]> {
  const { videos: plain } = await buyer.gets(`/jobs/${id}/results?limit=200`)
  const { videos: rows } = await buyer.gets(`/jobs/${id}/results?limit=200&include=textRow`)
  assert.ok(plain.every((row: Json) => !('textRow' in row)))
  assert.deepEqual(
    rows.map(({ textRow: _textRow, ...row }: Json) => row),
    plain,
  )
  const { videos: bare } = await buyer.gets(
    `/jobs/${id}/results?limit=200&include=textRow&view=rows`,
  )
  for (const [at, { index, textRow }] of rows.entries()) {
    const { text } = await buyer.gets(`/jobs/${id}/videos/${index}`)
    assert.deepEqual([textRow, bare[at].textRow], [text, text], `row ${index}`)
  }
  return rows
}

const withStatus = ({ rows }: Ordered, status: string): Json[] =>
  rows.filter((row) => row['status'] === status)
const withoutOther = ({ id, rows }: Ordered): Ordered => ({
  id,
  rows: rows.filter(({ videoId }) => videoId !== OTHER),
})
/** The row of an order that delivered the video. */
function deliveredBy({ id, rows }: Ordered, videoId: string): Place {
  const row = rows.find((one) => one['videoId'] === videoId && one['status'] === 'success')
  return row === undefined ? null : { jobId: id, index: row['index'] }
}
/** Checks that every `unchanged` row of an order leads to the row of `holder` that delivered its video. */
function assertHeld(order: Ordered, holder: Ordered): void {
  const unchanged = withStatus(order, 'unchanged')
  assert.ok(unchanged.length > 0)
  for (const { videoId, textRow } of unchanged) {
    assert.ok(textRow !== null, videoId)
    assert.deepEqual(textRow, deliveredBy(holder, videoId))
  }
}

test('a row leads to its text, through repeats, other lists and other languages, and to none of another account', async () => {
  const [buyer, stranger] = [await customer('10'), await customer('10')]
  await orders(stranger, { urls: [HANDLE] })
  const first = await orders(buyer, { urls: [HANDLE], maxVideos: 5 })
  for (const { index, status, textRow } of first.rows)
    assert.deepEqual(textRow, status === 'success' ? { jobId: first.id, index } : null, status)
  assert.ok(withStatus(first, 'success').length > 1)

  const repeat = await orders(buyer, { urls: [HANDLE], maxVideos: 1, language: 'fr' })
  assertHeld(repeat, first)
  const again = await orders(buyer, { urls: [HANDLE], maxVideos: 1 })
  const ofRepeat = withStatus(again, 'unchanged').filter(
    ({ videoId }) => deliveredBy(first, videoId) !== null,
  )
  assertHeld({ ...again, rows: ofRepeat }, first)

  const bought = withStatus(first, 'success').map(({ videoId }) => videoId)
  const other = await orders(buyer, { urls: [...bought, OTHER] })
  assertHeld(other, first)
  const otherAgain = await orders(buyer, { urls: [...bought, OTHER] })
  assertHeld(withoutOther(otherAgain), first)
  const chained = withStatus(otherAgain, 'unchanged').find((one) => one['videoId'] === OTHER)
  assert.deepEqual(chained?.['textRow'], deliveredBy(other, OTHER))
})

test('of a text in two languages, each order leads to the one that it wished', async () => {
  const buyer = await customer('10')
  const spanish = await orders(buyer, { urls: [HANDLE], maxVideos: 4, language: 'es' })
  const bought = withStatus(spanish, 'success').map(({ videoId }) => videoId)
  const french = await orders(buyer, { urls: bought, language: 'fr' }, '?owned=again')
  assert.equal(withStatus(french, 'success').length, bought.length)
  for (const [language, holder] of [
    ['es', spanish],
    ['fr', french],
  ] as const)
    assertHeld(withoutOther(await orders(buyer, { urls: [...bought, OTHER], language })), holder)
})

test('a text that is deleted is at no row, and where another order brought it again, at that one’s', async () => {
  const buyer = await customer('10')
  const first = await orders(buyer, { urls: [HANDLE], maxVideos: 4 })
  const repeat = await orders(buyer, { urls: [HANDLE], maxVideos: 1 })
  const [one] = withStatus(first, 'success')
  const second = await orders(buyer, { urls: [one!['videoId']] }, '?owned=again')
  assertHeld({ ...repeat, rows: withStatus(repeat, 'unchanged') }, first)
  await database.pool.query('update job set texts_deleted_at = now() where id = $1', [first.id])

  for (const { id } of [first, repeat])
    for (const { videoId, status, textRow } of await looks(buyer, id)) {
      const isAgain = status === 'unchanged' && videoId === one!['videoId']
      const isNew = id === repeat.id && status === 'success'
      if (isAgain) assert.deepEqual(textRow, deliveredBy(second, videoId))
      else if (!isNew) assert.equal(textRow, null, `${id} ${status}`)
    }
  const { errorMessage } = await buyer.gets(`/jobs/${first.id}/videos/${one!['index']}`)
  assert.match(errorMessage, /^The text was deleted on /)
})
