/** What an account owns is told before it is bought again, and left out where that is wished; the money proves it. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { uploadsOf } from '../repeats/asking-again.ts'
import { startsFrom, views } from '../previews/previewing.ts'
import { sharedService } from '../support/shared-service.ts'

const { platform, customer, database } = await sharedService({ after })
const { world } = platform
const channel = world.channel('small')
const playlist = world.playlist('seven')
const HANDLE = channel.handle!
const CHANNEL = `https://www.youtube.com/channel/${channel.channelId}`
const PLAYLIST = `https://www.youtube.com/playlist?list=${playlist.playlistId}`
const OTHER = uploadsOf(world, world.channel('medium')).find(
  ({ status }) => status === 'success',
)!.videoId
const SINCE = /^In your library since \d{4}-\d\d-\d\d$/

type Ordered = { job: Json; rows: Json[]; owned: string | null }

/** Orders with a query, and reads what the answer says of owned videos. */
async function orders(buyer: Customer, query: string, body: Json): Promise<Ordered> {
  const reply = await buyer.asks('POST', `/jobs${query}`, { body })
  assert.equal(reply.status, 201, reply.bytes.toString())
  const { body: started, headers } = reply
  const ended = await buyer.waitsFor(started)
  const job = { ...ended, notices: started['notices'] }
  return { job, rows: await buyer.readsRows(ended), owned: headers.get('x-owned-videos') }
}

const withStatus = (rows: Json[], status: string): string[] =>
  rows.filter((row) => row['status'] === status).map((row) => row['videoId'])
const charged = ({ job }: { job: Json }): number => job['billing'].chargedTranscripts

test('one link more, another spelling and another list: what is owned is left out, and its text opens from there', async () => {
  const buyer = await customer('10')
  const first = await orders(buyer, '', { urls: [HANDLE] })
  const bought = withStatus(first.rows, 'success')
  assert.ok(bought.length > 10)
  assert.equal(first.owned, null, 'the account has nothing of this list, and has never read it')

  for (const urls of [[HANDLE, OTHER], [CHANNEL], [PLAYLIST], bought.slice(0, 3)]) {
    const { job, rows, owned } = await orders(buyer, '?owned=skip', { urls })
    const unchanged = rows.filter(({ status }) => status === 'unchanged')
    const fresh = withStatus(rows, 'success')
    assert.equal(charged({ job }), fresh.length)
    assert.ok(fresh.every((id) => id === OTHER))
    assert.equal(fresh.length, urls.includes(OTHER) ? 1 : 0)
    assert.ok(unchanged.length > 0 && unchanged.every(({ videoId }) => bought.includes(videoId)))
    for (const { label, text, segments, errorMessage } of unchanged) {
      assert.match(label, SINCE)
      assert.deepEqual([text, segments, errorMessage], [null, null, null])
    }
    assert.deepEqual(job['notices'], [])
    if (urls.length > 1 || urls[0] === CHANNEL) assert.equal(owned, String(unchanged.length))

    const { index, videoId } = unchanged[0]!
    const { text } = await buyer.gets(`/jobs/${job['id']}/videos/${index}`)
    assert.equal(text.jobId, first.job['id'])
    const row = await buyer.gets(`/jobs/${text.jobId}/videos/${text.index}`)
    assert.deepEqual([row['videoId'], row['status']], [videoId, 'success'])
  }
  const { collections } = await buyer.gets('/library')
  const found = collections.find(({ id }: Json) => id === channel.channelId)
  assert.equal(Number(found.charged).toFixed(3), (bought.length * 0.008).toFixed(3))
  const list = collections.find(({ id }: Json) => id === playlist.playlistId)
  assert.equal(list.delivered, withStatus(first.rows, 'success').filter(inSeven).length)
})

const inSeven = (videoId: string): boolean =>
  Array.from({ length: 7 }, (_, at) => playlist.at(at).videoId).includes(videoId)

test('without the parameter an order is the contract’s, and says before what it buys again', async () => {
  const buyer = await customer('10')
  const first = await orders(buyer, '', { urls: [HANDLE] })
  const bought = withStatus(first.rows, 'success')
  const again = await orders(buyer, '', { urls: [HANDLE.toUpperCase(), OTHER] })
  assert.deepEqual(withStatus(again.rows, 'success').toSorted(), [...bought, OTHER].toSorted())
  assert.equal(charged(again), bought.length + 1)
  assert.equal(again.owned, String(bought.length))
  const cost = (bought.length * 0.008).toFixed(3).replace(/(\.\d\d)0$/, '$1')
  assert.deepEqual(again.job['notices'], [
    `Other orders of this account have delivered ${bought.length} videos behind these URLs already: this job is a ` +
      `new order and charges them again, up to $${cost}. To leave out what you own, set \`owned=skip\`.`,
  ])
  const same = await orders(buyer, '', { urls: [HANDLE] })
  assert.deepEqual([charged(same), same.job['notices'], same.owned], [0, [], '0'])
  assert.deepEqual(withStatus(same.rows, 'unchanged').toSorted(), bought.toSorted())
})

test('what an order says that it buys again ends at its maxVideos, and of a tab it is about', async () => {
  const buyer = await customer('10')
  await orders(buyer, '', { urls: [HANDLE], maxVideos: 6 })
  const notice = async (line: string): Promise<string> =>
    (await orders(buyer, '', { urls: [line], maxVideos: 2 })).job['notices'][0]
  const ofChannel = / delivered ([3-6]) videos behind .* charges them again, up to \$0\.016\. /
  const [, owned] = ofChannel.exec(await notice(CHANNEL)) ?? []
  assert.ok(owned !== undefined)
  const ofTab = / delivered about (\d+) videos behind .* charges them again, up to \$0\.016\. /
  assert.match(await notice(`https://www.youtube.com/${HANDLE}/videos`), ofTab)
})

test('the end of an order that leaves out what is owned names no price for it', async () => {
  const buyer = await customer('10')
  await orders(buyer, '', { urls: [HANDLE] })
  const headers = { Prefer: 'wait=30' }
  const asked: Json[] = [
    { urls: [HANDLE, OTHER] },
    { urls: [CHANNEL, OTHER], language: 'en-US' },
    { urls: [`https://youtu.be/${OTHER}`], language: 'en-GB' },
  ]
  for (const body of asked) {
    const { body: job } = await buyer.asks('POST', '/jobs?owned=skip', { body, headers })
    assert.deepEqual([job['state'], job['notices']], ['finished', []], JSON.stringify(body))
  }
})

test('what an order says that its rest costs counts what is owned in another language only', async () => {
  const buyer = await customer('10')
  const first = await orders(buyer, '', { urls: [HANDLE], language: 'en' })
  const body = { urls: [HANDLE, OTHER], language: 'fr', maxVideos: 2 }
  const headers = { Prefer: 'wait=30' }
  const { body: job } = await buyer.asks('POST', '/jobs?owned=skip', { body, headers })
  const left = / left, for at most \$([\d.]+)\./.exec(job['notices'].join())
  const rest = await orders(buyer, '?owned=skip', { ...body, maxVideos: 60 })
  assert.ok(charged(rest) > charged(first) / 2, 'what is owned in English is bought in French')
  assert.ok(left !== null && charged(rest) * 0.008 <= Number(left[1]), String(left))
})

test('what was left out marks nothing: the same lines as a new order buy it, and skip never buys it twice', async () => {
  const buyer = await customer('10')
  const first = await orders(buyer, '', { urls: [PLAYLIST] })
  const bought = withStatus(first.rows, 'success')
  const body = { urls: [PLAYLIST, OTHER] }
  const skipped = await orders(buyer, '?owned=skip', body)
  assert.deepEqual(withStatus(skipped.rows, 'success'), [OTHER])
  const twice = await orders(buyer, '?owned=skip', body)
  assert.equal(charged(twice), 0)
  const again = await orders(buyer, '?owned=again', body)
  assert.deepEqual(withStatus(again.rows, 'success').toSorted(), bought.toSorted())
  assert.deepEqual(withStatus(again.rows, 'unchanged'), [OTHER])
})

test('a text in another language is not what is wished, and one that is deleted is not owned', async () => {
  const buyer = await customer('10')
  const first = await orders(buyer, '', { urls: [PLAYLIST] })
  const bought = withStatus(first.rows, 'success')
  const body = { urls: [PLAYLIST, OTHER] }
  const inEnglish = await orders(buyer, '?owned=skip', { ...body, language: 'en-US' })
  assert.deepEqual(withStatus(inEnglish.rows, 'success'), [OTHER])
  const inFrench = await orders(buyer, '?owned=skip', { ...body, language: 'fr' })
  assert.deepEqual(withStatus(inFrench.rows, 'success').toSorted(), bought.toSorted())

  await database.pool.query('update job set texts_deleted_at = now() where account_id = $1', [
    buyer.accountId,
  ])
  const deleted = await orders(buyer, '?owned=skip', { urls: [PLAYLIST, OTHER, HANDLE] })
  assert.ok(bought.every((id) => withStatus(deleted.rows, 'success').includes(id)))
})

test('a preview says of each line what is owned, from which order, and what it costs again', async () => {
  const buyer = await customer('10')
  const first = await orders(buyer, '', { urls: [PLAYLIST] })
  const bought = withStatus(first.rows, 'success').length
  const body = { urls: [PLAYLIST, OTHER] }
  const again = await views(buyer, body)
  const [list, video] = again['sources']
  assert.deepEqual([list.owned, list.delivered, video.owned], [bought, 0, 0])
  assert.equal(list.ownedFrom.jobId, first.job['id'])
  assert.equal(video.ownedFrom, undefined)
  assert.equal(again['costAgain'], (bought * 0.008).toFixed(3))
  assert.ok(Number(again['costAtMost']) > Number(again['costAgain']))

  const skip = await views(buyer, body, '?owned=skip')
  assert.notEqual(skip['id'], again['id'])
  assert.deepEqual([skip['sources'][0].owned, skip['costAgain']], [bought, '0.000'])
  assert.equal(skip['wouldTake'], again['wouldTake'] - bought)
  const { job } = await startsFrom(buyer, skip['id'], body, '&owned=skip')
  assert.equal(charged({ job }), 1)
  assert.ok(Number(job['billing'].charged) <= Number(skip['costAtMost']))
})

test('an owned video that is named alone has its title, in the preview, in its row and in the name of the job', async () => {
  const buyer = await customer('10')
  const first = await orders(buyer, '', { urls: [OTHER] })
  const { title, channelName, publishedAt } = first.rows[0]!
  assert.ok(title && channelName && publishedAt)
  const body = { urls: [`https://youtu.be/${OTHER}`, 'https://youtu.be/zzzzzzzzzz3'] }
  for (const query of ['?owned=skip', '?owned=again']) {
    const [owned, unknown] = (await views(buyer, body, query))['sources']
    assert.deepEqual([owned.title, owned.channelName], [title, channelName], query)
    assert.equal(unknown.title, null)
  }
  const { job, rows } = await orders(buyer, '?owned=skip', body)
  const { status, ...row } = rows.find(({ videoId }) => videoId === OTHER)!
  assert.equal(status, 'unchanged')
  const { title: rowTitle, channelName: rowChannel, publishedAt: rowDate } = row
  assert.deepEqual([rowTitle, rowChannel, rowDate], [title, channelName, publishedAt])
  const { title: called } = await buyer.gets(`/jobs/${job['id']}?view=named`)
  assert.equal(called, `${title} and 1 more`)
})
