/** Looking through the library: by name and kind, in an order, over all of its pages, and with pictures. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { sharedService } from '../support/shared-service.ts'

const { platform, customer, address } = await sharedService({ after })
const channel = platform.world.channel('small')
const playlist = platform.world.playlist('seven')
let buyer: Customer

before(async () => {
  buyer = await customer('1')
  await buyer.orders({ urls: [`https://www.youtube.com/${channel.handle}`], maxVideos: 8 })
  await buyer.orders({ urls: [playlist.playlistId] })
})

test('the library is looked through by name and kind, in an order, over all of its pages', async () => {
  const names = async (query: string) =>
    (await buyer.gets(`/library?${query}`))['collections'].map(({ title }: Json) => title)
  const [small, seven] = [channel.title, playlist.title]
  assert.deepEqual(await names('sort=title'), [seven, small])
  assert.deepEqual(await names('sort=delivered'), [small, seven])
  assert.deepEqual(await names('sort=remaining'), [small, seven])
  assert.deepEqual(await names('sort=title&limit=1&offset=1'), [small])
  assert.deepEqual(await names(`q=${small.slice(2, 7).toUpperCase()}`), [small])
  assert.deepEqual(await names('q=%25'), [], 'a sign of patterns is a sign')
  assert.deepEqual(await names('kind=playlist&sort=delivered'), [seven])
  assert.equal((await buyer.gets(`/library?kind=channel&q=${seven}`))['total'], 0)
  const headers = { authorization: `Bearer ${buyer.apiKey}` }
  const refused = await fetch(`${address}/api/v1/library?sort=newest`, { headers })
  assert.equal(refused.status, 400)
})

test('a collection has the still of its newest video where pictures are asked for', async () => {
  const { videos } = await buyer.gets(`/library/${channel.channelId}/videos?limit=1`)
  const picture = `https://i.ytimg.com/vi/${videos[0].videoId}/mqdefault.jpg`
  const { collections } = await buyer.gets('/library?kind=channel&view=pictures')
  assert.equal(collections[0].pictureUrl, picture)
  assert.ok(
    !('pictureUrl' in (await buyer.gets('/library'))['collections'][0]),
    'only where asked for',
  )
})
