/** Several sources of one job: what each adds, which cannot be read, and which find no slot. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Json } from '../../tools/conformance/http.ts'
import { holdAfter } from '../support/held-platform.ts'
import { testService } from '../support/service.ts'
import { respelled } from '../support/respelled.ts'
import { asker, channelUrl, playlistUrl, uploadsOf, withStatus } from './asking-again.ts'

const service = await testService({ after })
const { platform } = service
const { world } = platform
const FINAL = ['finished', 'cancelled', 'failed', 'interrupted']

const ids = (rows: Json[]): (string | null)[] => rows.map(({ videoId }) => videoId)

test('a list that does not exist is a row of its own and the rest of the job goes on', async () => {
  const buyer = await asker(service)
  const gone = [
    playlistUrl(world.playlist('missing')),
    channelUrl(world.channel('terminated')),
    'https://www.youtube.com/@nobodyatall',
  ]
  const video = uploadsOf(world, world.channel('small'))[0]!.videoId
  const { job, rows } = await buyer.asks({
    urls: [gone[0], video, gone[1], gone[2], playlistUrl(world.playlist('seven'))],
  })

  assert.equal(job.state, 'finished')
  assert.deepEqual(
    rows.filter(({ status }) => status === 'invalid_url').map(({ url }) => url),
    gone,
  )
  for (const row of rows.filter(({ status }) => status === 'invalid_url')) {
    assert.deepEqual(
      [row.videoId, row.title, row.label],
      [null, null, 'No such channel or playlist'],
    )
    assert.ok(row.errorMessage.length > 5)
  }
  assert.equal(
    rows.filter(({ videoId }) => videoId !== null).length,
    7,
    'the video is the first of the seven',
  )
})

test('a tab of playlists brings their videos, list after list, by handle or by id', async () => {
  const { handle, channelId } = world.channel('small')
  const lists = ['seven', 'mid'].map((key) => world.playlist(key))
  const wanted = lists
    .flatMap((list) => Array.from({ length: list.length }, (_, at) => list.at(at).videoId))
    .slice(0, 12)
  for (const name of [handle, `channel/${channelId}`]) {
    const buyer = await asker(service)
    const { rows } = await buyer.asks({
      urls: [`https://www.youtube.com/${name}/podcasts`],
      maxVideos: 12,
    })
    const taken = rows.filter(({ status }) => status !== 'truncated')
    assert.deepEqual(ids(taken), wanted)
  }
})

test('a channel that is not live brings nothing, one that is brings that video', async () => {
  const buyer = await asker(service)
  const { job, rows } = await buyer.asks({
    urls: [
      `https://www.youtube.com/${world.channel('streams').handle}/live`,
      `https://www.youtube.com/${world.channel('lab').handle}/live`,
    ],
  })
  assert.deepEqual(ids(rows), [world.special('live-now').videoId])
  assert.equal(job.billing.charged, '0.000')
})

test('a list that breaks off keeps its rows, says so in one row, and a repeat gets the rest', async () => {
  const buyer = await asker(service)
  const list = world.playlist('mid')
  const other = uploadsOf(world, world.channel('arabic'))
    .slice(0, 2)
    .map(({ videoId }) => videoId)
  const body = { urls: [playlistUrl(list), ...other], maxVideos: 500 }
  platform.apply({
    faults: [
      { do: 'unknown_alert', on: 'browse', list: `VL${list.playlistId}`, after: 1, per: 'all' },
    ],
  })
  const first = await buyer.asks(body)
  platform.clear()

  assert.equal(first.job.state, 'finished')
  const broken = first.rows.filter(({ videoId }) => videoId === null)
  assert.deepEqual(
    broken.map(({ status, url }) => [status, url]),
    [['failed', playlistUrl(list)]],
  )
  assert.match(broken[0]!.label, /List cut short/)
  assert.deepEqual(ids(first.rows).slice(-2), other, 'the job went on with what stood behind it')
  assert.equal(first.rows.length, 100 + 1 + 2)

  const second = await buyer.asks(body)
  const wanted = Array.from({ length: list.length }, (_, at) => list.at(at).videoId)
  const taken = new Set([...ids(first.rows), ...ids(second.rows)])
  assert.deepEqual(
    wanted.filter((videoId) => !taken.has(videoId)),
    [],
  )
  assert.deepEqual(withStatus(second.rows, 'failed'), [])
})

test('a list that is blocked at its start is one row that says so', async () => {
  const buyer = await asker(service)
  platform.apply({ faults: [{ do: 'forbidden', on: 'browse' }] })
  const { job, rows } = await buyer.asks({ urls: [playlistUrl(world.playlist('seven'))] })
  platform.clear()
  assert.equal(job.state, 'finished')
  assert.deepEqual(
    rows.map(({ status, videoId }) => [status, videoId]),
    [['blocked_suspect', null]],
  )
})

test('a video of two sources has one row, at its first place, and is charged once', async () => {
  const buyer = await asker(service)
  const seven = world.playlist('seven')
  const [first, second] = [seven.at(0).videoId, seven.at(1).videoId]
  const { rows } = await buyer.asks({
    urls: [
      second,
      `https://youtu.be/${second}`,
      playlistUrl(seven),
      channelUrl(world.channel('small')),
      first,
    ],
    maxVideos: 9,
  })
  assert.deepEqual(ids(rows).slice(0, 2), [second, first])
  assert.equal(rows.filter(({ status }) => status !== 'truncated').length, 9)
})

test('each named video over the limit is a truncated row, told of beforehand, and the repeat goes on there', async () => {
  const buyer = await asker(service)
  const named = uploadsOf(world, world.channel('noshorts'))
    .slice(0, 8)
    .map(({ videoId }) => videoId)
  const body = { urls: [...named, channelUrl(world.channel('small'))], maxVideos: 5 }
  const first = await buyer.asks(body)
  assert.deepEqual(withStatus(first.rows, 'truncated'), named.slice(5))
  assert.deepEqual(ids(first.rows), named, 'the list behind them has no place')
  assert.equal(first.job.notices.length, 2)
  assert.match(first.job.notices[0], /name 8 videos and this job takes at most 5/)
  assert.match(first.job.notices[1], /after the first 5 videos are read only if/)
  assert.match(first.rows.at(-1)!.label, /send the same URLs again/)

  const second = await buyer.asks(body)
  const taken = second.rows.filter(({ status }) => status !== 'unchanged' && status !== 'truncated')
  assert.deepEqual(ids(taken).slice(0, 3), named.slice(5))
  assert.equal(taken.length, 5, 'what is left goes to the list')
})

test('a balance that covers less than was asked for is told, and the limit of the job is the lower one', async () => {
  const buyer = await asker(service, '0.017')
  const named = uploadsOf(world, world.channel('noshorts'))
    .slice(0, 3)
    .map(({ videoId }) => videoId)
  const { job, rows } = await buyer.asks({ urls: named, maxVideos: 3 })
  assert.equal(job.input.maxVideos, 2)
  assert.match(job.notices[0], /covers 2 of the 3 videos requested; adding \$0\.007 /)
  assert.match(job.notices[1], /name 3 videos and this job takes at most 2/)
  assert.deepEqual(withStatus(rows, 'truncated'), named.slice(2))
})

test('a list names its videos once, however often it holds them', async () => {
  const buyer = await asker(service)
  const { job, rows } = await buyer.asks({ urls: [playlistUrl(world.playlist('dups'))] })
  assert.equal(rows.length, 20)
  assert.equal(job.progress.discovered, 20)
})

/** Looks while the last rows of a job are held back: all others are seen to arrive. */
const LOOKS_HELD = 40

test('at every moment the counts of a job are its rows, and results neither skip nor repeat one', async () => {
  const buyer = await asker(service)
  const channel = world.channel('spanish')
  await buyer.asks({ urls: [channelUrl(channel)], maxVideos: 20 })
  holdAfter(platform, 16)
  platform.apply({ knobs: { latencyMs: 15 } }) // rows arrive one by one
  const job = await (await buyer.key()).startsJob({ urls: [channelUrl(channel)], maxVideos: 20 })
  const seen: Json[] = []
  let looks = 0
  for (let isFinal = false; !isFinal; looks += 1) {
    const key = await buyer.key()
    if (looks === LOOKS_HELD) {
      platform.clear()
      await key.waitsFor(job)
    }
    const page = await key.gets(`/jobs/${job.id}/results?limit=200&offset=${seen.length}`)
    const { state, progress } = await key.gets(`/jobs/${job.id}`)
    const counted = Object.values<number>(progress.counts).reduce((sum, count) => sum + count, 0)
    assert.equal(progress.processed, counted)
    assert.equal(progress.delivered, progress.counts.success ?? 0)
    assert.ok(progress.discovered === null || progress.discovered >= counted)
    isFinal = page.complete
    if (!isFinal) {
      seen.push(...page.videos)
      assert.equal(page.total, seen.length)
      assert.ok(counted >= seen.length)
    }
    assert.equal(FINAL.includes(page.state), page.complete)
    if (isFinal) assert.equal(FINAL.includes(state), true)
  }
  platform.clear()
  assert.equal(new Set(ids(seen)).size, seen.length)
  const all = await (await buyer.key()).readsRows(job)
  assert.deepEqual(
    seen.filter(({ videoId }) => !ids(all).includes(videoId)),
    [],
  )
})

test('an id in another spelling is delivered under the platform’s own, and never charged twice', async () => {
  const [own] = uploadsOf(world, world.channel('small'))
  const { videoId } = own!
  const [other, third] = [respelled(videoId, 1), respelled(videoId, 2)]
  const statuses = async (urls: string[], buyer = asker(service)): Promise<(string | null)[][]> =>
    (await (await buyer).asks({ urls })).rows.map(({ status, videoId: id }) => [status, id])

  const buyer = asker(service)
  assert.deepEqual(await statuses([other], buyer), [['success', videoId]])
  assert.deepEqual(await statuses([other], buyer), [['unchanged', videoId]])

  for (const urls of [
    [other, videoId],
    [videoId, other],
    [other, third],
    [other, videoId, third],
  ]) {
    const rows = await statuses(urls)
    const delivered = rows.filter(([status]) => status === 'success')
    assert.deepEqual(delivered, [['success', videoId]], 'one video, one charge')
    const rest = rows.filter(([status]) => status !== 'success')
    assert.ok(rest.every(([status]) => status === 'skipped'))
    assert.equal(rows.length, urls.length)
  }
})
