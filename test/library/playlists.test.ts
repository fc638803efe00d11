/** Playlists of the library: their videos are those of the list, whichever line or order bought them. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { sharedService } from '../support/shared-service.ts'
import { unzipped } from '../support/unzipped.ts'

const { platform, customer, address } = await sharedService({ after })
const { world } = platform
const playlist = world.playlist('seven')
const CHANNEL = `https://www.youtube.com/${world.channel('small').handle}`
const PLAYLIST = `https://www.youtube.com/playlist?list=${playlist.playlistId}`

async function get(path: string, who: Customer): Promise<Json> {
  const reply = await ask(path, {}, who)
  assert.equal(reply.status, 200, path)
  return (await reply.json()) as Json
}

function ask(path: string, headers: Record<string, string>, who: Customer): Promise<Response> {
  const authorization = `Bearer ${who.apiKey}`
  return fetch(`${address}/api/v1${path}`, { headers: { authorization, ...headers } })
}

test('a playlist shows its videos whichever line or order bought them, each counted once', async () => {
  const other = await customer('2')
  await other.orders({ urls: [CHANNEL, PLAYLIST] })
  const videos = Array.from({ length: 7 }, (_, at) => playlist.at(at).videoId)
  const path = `/library/${playlist.playlistId}`
  const { known, delivered, noCaptions, failed, remaining, counts } = await get(path, other)
  assert.deepEqual([known, remaining], [7, 0])
  assert.equal(delivered + noCaptions + failed, 7)
  assert.equal(counts.success, delivered)
  const { videos: rows } = await get(`${path}/videos?limit=100`, other)
  assert.deepEqual(rows.map(({ videoId }: Json) => videoId).toSorted(), videos.toSorted())
  const bytes = await (await ask(`${path}/files/zip?formats=text`, {}, other)).arrayBuffer()
  const texts = [...unzipped(Buffer.from(bytes)).keys()].filter((name) => name.includes('['))
  assert.equal(texts.length, delivered)
  const report = await (await ask(`${path}/files/report.csv`, {}, other)).text()
  assert.equal(report.split('\r\n').length - 2, 7)
})

test('a video that was named alone before its list counts in the list', async () => {
  const other = await customer('2')
  await other.orders({ urls: [playlist.at(2).videoId, playlist.at(5).videoId, PLAYLIST] })
  const { videos } = await get(`/library/${playlist.playlistId}/videos?limit=100`, other)
  assert.equal(new Set(videos.map(({ videoId }: Json) => videoId)).size, 7)
  assert.ok(videos.every(({ status }: Json) => status !== null))
})
