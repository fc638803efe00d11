/** The library: what an account has of each channel and playlist, whichever jobs brought it. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { truthOf } from '../../emulator/truth.ts'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { sharedService } from '../support/shared-service.ts'
import { unzipped } from '../support/unzipped.ts'

const service = await sharedService({ after })
const { platform, customer, database, address } = service
const { world } = platform
const channel = world.channel('small')
const playlist = world.playlist('seven')
const CHANNEL = `https://www.youtube.com/${channel.handle}`
const PLAYLIST = `https://www.youtube.com/playlist?list=${playlist.playlistId}`
const repeated = world.playlist('dups')
const REPEATED = `https://www.youtube.com/playlist?list=${repeated.playlistId}`

let buyer: Customer
/** Buys the playlists alone, by orders of several lines. */
let severalLists: Customer
let orders: { job: Json; rows: Json[] }[]

before(async () => {
  buyer = await customer('10')
  severalLists = await customer('1')
  orders = [
    await buyer.orders({ urls: [CHANNEL], maxVideos: 5 }),
    await buyer.orders({ urls: [CHANNEL], maxVideos: 5 }),
    await buyer.orders({ urls: [PLAYLIST] }),
  ]
})

async function get(path: string, who = buyer): Promise<Json> {
  const reply = await ask(path, {}, who)
  assert.equal(reply.status, 200, path)
  return (await reply.json()) as Json
}

function ask(path: string, headers: Record<string, string> = {}, who = buyer): Promise<Response> {
  const authorization = `Bearer ${who.apiKey}`
  return fetch(`${address}/api/v1${path}`, { headers: { authorization, ...headers } })
}

async function bytesOf(path: string): Promise<Buffer> {
  const reply = await ask(path)
  assert.equal(reply.status, 200, path)
  return Buffer.from(await reply.arrayBuffer())
}

/** Returns the ids of distinct videos that any of the orders delivered. */
function deliveredIds(): Set<string> {
  const rows = orders.flatMap(({ rows }) => rows.filter(({ status }) => status === 'success'))
  return new Set(rows.map(({ videoId }) => videoId))
}

test('a channel is one collection by whatever jobs and lists its videos came', async () => {
  const { total, collections } = await get('/library')
  assert.equal(total, 2)
  const found = collections.find(({ kind }: Json) => kind === 'channel')
  const delivered = deliveredIds()
  assert.equal(found.id, channel.channelId)
  assert.deepEqual(
    [found.title, found.channelId, found.playlistId],
    [channel.title, channel.channelId, null],
  )
  assert.equal(found.delivered, delivered.size)
  assert.deepEqual(found.languages, ['en'])
  assert.ok(Date.parse(found.newestAt) >= Date.parse(found.oldestAt))
  // A video that two URL sets delivered was charged twice, and is one video of the library.
  const charged = orders.reduce((sum, { job }) => sum + Number(job['billing'].charged), 0)
  assert.equal(Number(found.charged).toFixed(3), charged.toFixed(3))
  assert.ok(delivered.size * 0.008 < charged, 'some videos were bought twice')

  const list = collections.find(({ kind }: Json) => kind === 'playlist')
  assert.deepEqual([list.id, list.title, list.known], [playlist.playlistId, playlist.title, 7])
})

test('the counts are those of the videos, whatever order they came in', async () => {
  const { rows } = await database.pool.query(`
    select c.id, c.videos, c.delivered, c.no_captions, c.failed, count(v.*)::int as "realVideos",
      count(*) filter (where v.status = 'success')::int as "realDelivered",
      count(*) filter (where v.status = 'no_captions')::int as "realNoCaptions",
      count(*) filter (where v.status not in ('success', 'no_captions'))::int as "realFailed"
    from collection c join collection_video v on v.account_id = c.account_id and v.collection_id = c.id
    group by c.account_id, c.id`)
  assert.ok(rows.length >= 2)
  for (const row of rows) {
    const counted = [row.videos, row.delivered, row.no_captions, row.failed]
    const real = [row.realVideos, row.realDelivered, row.realNoCaptions, row.realFailed]
    assert.deepEqual(counted, real, row.id)
  }
})

test('a collection says what is left, what that costs at most, and by which order it goes on', async () => {
  const found = await get(`/library/${channel.channelId}`)
  const { known, delivered, noCaptions, failed, remaining, goesOn, counts } = found
  assert.equal(known, truthOf(world, { channel: channel.channelId, limit: 100 }).total)
  assert.equal(remaining, known - delivered - noCaptions - failed)
  assert.equal(counts.success, delivered)
  // The playlist's order brought some videos, too: the channel's own lines would charge for them again.
  assert.deepEqual([goesOn.urls, goesOn.line], [[CHANNEL], CHANNEL])
  assert.ok(goesOn.videos >= remaining)
  assert.equal(goesOn.costAtMost, (goesOn.videos * 0.008).toFixed(3))

  const before = Number(await buyer.balance())
  orders.push(await buyer.orders({ urls: goesOn.urls }))
  assert.ok(before - Number(await buyer.balance()) <= Number(goesOn.costAtMost) + 1e-9)
  const after = await get(`/library/${channel.channelId}`)
  assert.deepEqual([after.remaining, after.goesOn.videos], [0, 0])
})

test('an order of several lists goes on with all of them, and its cost is that of all', async () => {
  const other = severalLists
  await other.orders({ urls: [PLAYLIST, REPEATED], maxVideos: 9 })
  const { remaining, goesOn } = await get(`/library/${playlist.playlistId}`, other)
  assert.equal(remaining, 0)
  assert.deepEqual(goesOn.urls, [PLAYLIST, REPEATED])
  assert.equal((await get(`/library/${repeated.playlistId}`, other))['goesOn'].line, REPEATED)
  const before = Number(await other.balance())
  await other.orders({ urls: goesOn.urls })
  const spent = before - Number(await other.balance())
  assert.ok(spent > 0)
  assert.ok(spent <= Number(goesOn.costAtMost) + 1e-9, `${spent} of ${goesOn.costAtMost}`)
  const after = await get(`/library/${playlist.playlistId}`, other)
  assert.equal(after['goesOn'].videos, 0)
  const { videoId } = world.uploads(world.channel('german'), 'video').at(0)
  await other.orders({ urls: [PLAYLIST, videoId] })
  assert.equal((await get(`/library/${playlist.playlistId}`, other))['goesOn'].videos, 0)
})

test('a list that holds a video three times has it once when it was read to its end', async () => {
  const found = await get(`/library/${repeated.playlistId}`, severalLists)
  assert.deepEqual([found['known'], found['remaining']], [20, 0])
})

test('its videos have their metadata, the newest first, filtered and by pages', async () => {
  const path = `/library/${channel.channelId}/videos`
  const { total, videos } = await get(`${path}?limit=100`)
  assert.equal(total, videos.length)
  const dates = videos.map(({ publishedAt }: Json) => Date.parse(publishedAt))
  assert.deepEqual(
    dates,
    dates.toSorted((a: number, b: number) => b - a),
  )
  for (const video of videos) {
    const truth = world.video(video.videoId)
    assert.equal(video.title, truth?.title)
    assert.equal(video.durationSeconds, Math.floor((truth?.durationMs ?? 0) / 1000))
    assert.equal(video.viewCount, truth?.views)
    assert.equal(video.channelId, channel.channelId)
    assert.equal(video.category, 'Education')
    const isNamed = /^0:00 /m.test(video.description)
    assert.equal(video.chapters.length, isNamed ? 3 : 0)
  }
  assert.ok(videos.some(({ chapters }: Json) => chapters.length > 0))

  const second = await get(`${path}?offset=1&limit=2`)
  assert.deepEqual(second.videos, videos.slice(1, 3))
  const word = videos[3].title.slice(0, 6)
  const named = await get(`${path}?q=${encodeURIComponent(word)}&status=success&language=en`)
  assert.ok(named.videos.every(({ title }: Json) => title.includes(word)))
  assert.equal((await get(`${path}?status=none`)).total, 0)
  assert.equal((await ask(`${path}?status=nothing`)).status, 400)
})

test('a row that was delivered before leads to the text of the earlier job', async () => {
  const [first, second] = orders
  const before = second?.rows.find(({ status }) => status === 'unchanged')
  const earlier = first?.rows.find(({ videoId }) => videoId === before?.['videoId'])
  const video = await get(`/jobs/${second?.job['id']}/videos/${before?.['index']}`)
  assert.equal(video['status'], 'unchanged')
  assert.deepEqual(video['text'], { jobId: first?.job['id'], index: earlier?.['index'] })
  const own = await get(`/jobs/${first?.job['id']}/videos/${earlier?.['index']}`)
  assert.deepEqual(own['text'], video['text'])
  assert.equal((await ask(`/jobs/${first?.job['id']}/videos/9999999999`)).status, 404)
})

test('one ZIP holds every text of a channel, the same bytes each time, in parts if asked', async () => {
  const path = `/library/${channel.channelId}/files/zip`
  const zip = await bytesOf(path)
  const { delivered } = await get(`/library/${channel.channelId}`)
  const names =
    zip.toString('latin1').match(/\d{4}-\d\d-\d\d [^/]{1,160} ?\[[\w-]{11}\]\.txt/g) ?? []
  assert.equal(new Set(names).size, delivered)
  assert.deepEqual(sha256(await bytesOf(path)), sha256(zip))
  const reply = await ask(path, { range: 'bytes=100-1099' })
  assert.equal(reply.status, 206)
  assert.deepEqual(Buffer.from(await reply.arrayBuffer()), zip.subarray(100, 1100))
  const again = await ask(path, { 'if-none-match': reply.headers.get('etag') ?? '' })
  assert.equal(again.status, 304)
  assert.ok((await bytesOf(`${path}?formats=text`)).length < zip.length)
})

test('one text, one report and the exports cover the same videos', async () => {
  const files = `/library/${channel.channelId}/files`
  const { videos } = await get(`/library/${channel.channelId}/videos?status=success&limit=100`)
  const urls = videos.map(({ url }: Json) => url).toSorted()
  const read = async (file: string) => (await bytesOf(`${files}/${file}`)).toString()

  const text = await read('all.txt')
  assert.deepEqual([...text.matchAll(/^URL: (.*)$/gm)].map(([, url]) => url).toSorted(), urls)
  const report = (await read('report.csv')).split('\r\n')
  assert.equal(report.length - 2, (await get(`/library/${channel.channelId}`))['known'])

  const markdown = await read('export.md')
  assert.match(markdown, /^---\ntitle: "Small Workshop"\nkind: "channel"\n/)
  assert.equal(markdown.match(/^# /gm)?.length, urls.length)
  assert.match(markdown, /^## What it is about$/m)
  assert.match(markdown, /^\[0:\d\d\]\(https:\/\/www\.youtube\.com\/watch\?v=[\w-]{11}&t=\d+s\) /m)

  const lines = (await read('export.jsonl?seconds=60')).trimEnd().split('\n')
  const passages: Json[] = lines.map((line) => JSON.parse(line) as Json)
  const sources = new Set(passages.map(({ metadata }) => metadata.source))
  assert.deepEqual([...sources].toSorted(), urls)
  assert.equal(new Set(passages.map(({ id }) => id)).size, passages.length)
  const words = passages
    .map(({ text: words }) => words)
    .join(' ')
    .split(/\s+/).length
  const { videos: rows } = await get(`/jobs/${orders[0]?.job['id']}/results?status=success`)
  assert.ok(words > rows[0].text.split(' ').length)
})

test('the exports of a job are of that job alone', async () => {
  const { job, rows } = orders[0] ?? { job: {}, rows: [] }
  const delivered = rows.filter(({ status }) => status === 'success')
  const markdown = (await bytesOf(`/jobs/${job['id']}/export.md`)).toString()
  assert.equal(markdown.match(/^# /gm)?.length, delivered.length)
  const lines = (await bytesOf(`/jobs/${job['id']}/export.jsonl`)).toString().trimEnd().split('\n')
  const joined = new Map<string, string>()
  for (const { text, metadata } of lines.map((line) => JSON.parse(line) as Json))
    joined.set(metadata.source, `${joined.get(metadata.source) ?? ''} ${text}`.trim())
  for (const { url, text } of delivered) assert.equal(joined.get(url), text)
})

test('a ZIP holds exports of each video where they are asked for, and is sound to the last byte', async () => {
  const { delivered } = await get(`/library/${channel.channelId}`)
  const asked = `/library/${channel.channelId}/files/zip?formats=text&exports=md,jsonl&seconds=30`
  const reply = await ask(asked, { range: 'bytes=0-9' })
  assert.deepEqual([reply.status, reply.headers.get('etag')], [200, null])
  const files = unzipped(Buffer.from(await reply.arrayBuffer()))
  const names = [...files.keys()]
  const countOf = (ending: string) => names.filter((name) => name.endsWith(`.${ending}`)).length
  assert.deepEqual([countOf('md'), countOf('jsonl')], [delivered, delivered])
  assert.deepEqual([countOf('txt'), countOf('csv')], [delivered + 1, 1])
  const plain = unzipped(await bytesOf(asked.replace('&exports=md,jsonl', '')))
  for (const [name, content] of plain) assert.deepEqual(files.get(name), content, name)
  const all = (await bytesOf(asked.replace('zip?', 'export.jsonl?'))).toString()
  const passages = [...files].flatMap(([name, text]) => (name.endsWith('.jsonl') ? [text] : []))
  assert.deepEqual(passages.join('').split('\n').toSorted(), all.split('\n').toSorted())

  const { job, rows } = orders[0] ?? { job: {}, rows: [] }
  const ofJob = unzipped(await bytesOf(`/jobs/${job['id']}/files/zip?exports=md&names=index`))
  const first = rows.find(({ status }) => status === 'success')
  assert.match(
    ofJob.get(`${first?.['index']}.md`) ?? '',
    new RegExp(`^- Video: <.*${first?.['videoId']}>$`, 'm'),
  )
  assert.equal((await ask(`/jobs/${job['id']}/files/zip?exports=pdf`)).status, 400)
})

test('a video named alone brings its channel into the library, and a job its collections', async () => {
  const lone = await customer('1')
  const video = world.uploads(world.channel('german'), 'video').at(0)
  const { job } = await lone.orders({ urls: [video.videoId] })
  const { collections } = await get('/library', lone)
  assert.deepEqual(
    collections.map(({ id, delivered, remaining }: Json) => [id, delivered, remaining]),
    [[video.channel.channelId, 1, null]],
  )
  assert.equal((await get(`/library/${video.channel.channelId}`, lone))['goesOn'], null)
  assert.deepEqual((await get(`/library?job=${job.id}`, lone))['collections'], collections)
  const ofList = (await get(`/library?job=${orders[2]?.job['id']}`))['collections']
  assert.deepEqual(
    ofList.map(({ id }: Json) => id),
    [playlist.playlistId],
  )
})

test("another account's collection is as unknown as one that does not exist", async () => {
  const stranger = await customer('1')
  for (const path of ['', '/videos', '/files/zip', '/files/all.txt', '/files/export.md']) {
    const foreign = await ask(`/library/${channel.channelId}${path}`, {}, stranger)
    const missing = await ask(`/library/UC0000000000000000000000${path}`, {}, stranger)
    assert.deepEqual([foreign.status, missing.status], [404, 404], path)
    assert.equal(await foreign.text(), await missing.text())
  }
  const job = orders[0]?.job['id']
  for (const path of ['videos/1', 'export.md', 'export.jsonl'])
    assert.equal((await ask(`/jobs/${job}/${path}`, {}, stranger)).status, 404)
  // This holds even where both have the same list: whether the job looked at it concerns its owner alone.
  await stranger.orders({ urls: [CHANNEL], maxVideos: 1 })
  assert.equal((await get('/library', stranger))['total'], 1)
  assert.equal((await get(`/library?job=${job}`, stranger))['total'], 0)
})

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
