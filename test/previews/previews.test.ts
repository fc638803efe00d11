/** Previews: they tell beforehand, for few requests, what a job would take up, and the job reads what they listed. */
import assert from 'node:assert/strict'
import { beforeEach, test, after } from 'node:test'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { channelUrl, playlistUrl, withStatus } from '../repeats/asking-again.ts'
import { testService } from '../support/service.ts'
import { startsFrom, triedOf, views } from './previewing.ts'

const PER_HOUR = 4
const service = await testService({ after }, { env: { PREVIEWS_PER_HOUR: String(PER_HOUR) } })
const { platform } = service
const { world, log } = platform
const asked = (kind: string): number => log.counts().byKind[kind] ?? 0
const listings = (): number => asked('browse') + asked('resolve_url') + asked('player')

beforeEach(() => log.reset())

async function viewsOne(customer: Customer, body: Json): Promise<{ preview: Json; source: Json }> {
  const preview = await views(customer, body)
  return { preview, source: preview['sources'][0] }
}

test('a channel is told for one request, and its job asks for no list again', async () => {
  const customer = await service.customer()
  const channel = world.channel('small')
  const urls = [channelUrl(channel)]
  const { preview, source } = await viewsOne(customer, { urls })
  assert.equal(listings(), 1)
  assert.deepEqual(
    { ...source, newestAt: null, oldestAt: null, pictureUrl: null },
    {
      line: urls[0],
      kind: 'channel',
      title: 'Small Workshop',
      channelName: 'Small Workshop',
      pictureUrl: null,
      videos: 24,
      isComplete: true,
      newestAt: null,
      oldestAt: null,
      delivered: 0,
      owned: 0,
      knownNegative: 0,
      wouldTake: 24,
      error: null,
    },
  )
  assert.match(source.pictureUrl, /^https:\/\/i\.ytimg\.com\/vi\/[\w-]{11}\/mqdefault\.jpg$/)
  assert.ok(source.newestAt > source.oldestAt)
  assert.equal(preview['costAtMost'], '0.192')

  const { rows } = await startsFrom(customer, preview['id'], { urls })
  assert.equal(asked('browse'), 1, 'the job read what the preview had listed')
  assert.equal(triedOf(rows), 24)

  const again = await viewsOne(customer, { urls })
  assert.equal(again.preview['id'], preview['id'], 'the same answer within the hour')
  const delivered = withStatus(rows, 'success').length
  assert.equal(again.source.delivered, delivered)
  assert.equal(again.source.knownNegative, 24 - delivered)
  assert.equal(again.source.wouldTake, 24 - delivered, 'what was refused is tried again')
  assert.equal(again.preview['costExpected'], '0.000', 'and expected to be refused again')
  assert.equal(asked('browse'), 1, 'it was only counted anew')
})

test('a long list costs three pages; its job goes on behind them', async () => {
  const customer = await service.customer()
  const urls = [channelUrl(world.channel('talks'))]
  const { preview, source } = await viewsOne(customer, { urls })
  assert.equal(listings(), 3)
  assert.deepEqual(
    [source.videos, source.isComplete, source.wouldTake, preview['costAtMost']],
    [600, false, 500, '4.000'],
  )
  const body = { urls, publishedBefore: '2005-01-01' } // no video is that old: every page is read
  const { rows } = await startsFrom(customer, preview['id'], body)
  assert.deepEqual(withStatus(rows, 'blocked_suspect'), [])
  assert.equal(asked('browse'), 6, 'three more pages')
})

test('of more lists than pages the first page of each is read', async () => {
  const customer = await service.customer()
  const lists = ['mid', 'hundred', 'seven', 'dups'].map((key) => playlistUrl(world.playlist(key)))
  const preview = await views(customer, { urls: lists, maxVideos: 110 })
  assert.equal(listings(), 4)
  assert.deepEqual(
    preview['sources'].map((each: Json) => [each['title'], each['videos'], each['wouldTake']]),
    [
      ['Two hundred and fifty', 250, 110],
      ['Exactly one page', 100, 0],
      ['Seven', 7, 0],
      ['Again and again', 60, 0],
    ],
  )
})

test('a list that is missing, and one that is blocked, are not told as empty', async () => {
  const customer = await service.customer()
  const blocked = world.playlist('seven')
  platform.apply({
    faults: [{ do: 'unknown_alert', on: 'browse', list: `VL${blocked.playlistId}`, per: 'all' }],
  })
  const urls = ['https://www.youtube.com/@nobodyatall', playlistUrl(blocked)]
  const preview = await views(customer, { urls, maxVideos: 9 })
  platform.clear()
  const [missing, obstructed] = preview['sources']
  assert.deepEqual([missing.isComplete, missing.wouldTake], [true, 0])
  assert.match(missing.error, /no channel/)
  assert.deepEqual([obstructed.isComplete, obstructed.wouldTake], [false, 0])
  assert.notEqual(obstructed.error, null)
  assert.equal(preview['costAtMost'], '0.072', 'whatever the list holds')
})

test('where dates bound it, what a job would ask for counts as inside, and a notice says so', async () => {
  const customer = await service.customer()
  const urls = [channelUrl(world.channel('small'))]
  const preview = await views(customer, { urls, publishedAfter: '2006-01-01' })
  assert.equal(asked('player'), 0, 'no date was asked for')
  assert.equal(preview['wouldTake'], 24)
  assert.match(preview['notices'].join(), /24 videos count as inside the dates/)
})

test('a preview is its own account’s: others get 404, and their jobs list anew with a notice', async () => {
  const [owner, other] = [await service.customer(), await service.customer()]
  const urls = [playlistUrl(world.playlist('seven'))]
  const { preview } = await viewsOne(owner, { urls })
  assert.equal((await other.asks('GET', `/previews/${preview['id']}`)).status, 404)
  assert.equal((await owner.asks('GET', '/previews/prv_nothing')).status, 404)

  log.reset()
  const { job } = await startsFrom(other, preview['id'], { urls, maxVideos: 1 })
  assert.match(job['notices'].join(), /The preview was not used: this account has none of that id/)
  assert.equal(asked('browse'), 1)
  const { job: odd } = await startsFrom(owner, preview['id'], {
    urls: [urls[0], 'AAAAAAAAAAA'],
    maxVideos: 1,
  })
  assert.match(odd['notices'].join(), /it is of other URLs than this job/)
})

test('an account may start so many an hour, the same one as often as it likes', async () => {
  const customer = await service.customer()
  const body = (number: number): Json => ({ urls: `https://youtu.be/AAAAAAAAA${10 + number}` })
  for (let number = 0; number < PER_HOUR; number += 1) await views(customer, body(number))
  const {
    status,
    headers,
    body: refused,
  } = await customer.asks('POST', '/previews', { body: body(PER_HOUR) })
  assert.equal(status, 429)
  assert.equal(refused['error']['code'], 'rate_limited')
  assert.ok(Number(headers.get('retry-after')) > 200)
  assert.equal((await views(customer, body(3)))['state'], 'ready')
  assert.equal(asked('browse') + asked('resolve_url'), 0, 'named videos list nothing')
})

test('without credit it says what a job would cost', async () => {
  const customer = await service.customer('0')
  const { preview } = await viewsOne(customer, { urls: playlistUrl(world.playlist('seven')) })
  assert.deepEqual([preview['wouldTake'], preview['costAtMost']], [7, '0.056'])
  assert.match(preview['notices'].join(), /balance of \$0\.00 covers no transcript/)
})
