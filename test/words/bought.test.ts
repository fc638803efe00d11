/** What comes with captions is bought with them: times of words, the video's tracks, and where the text came from. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json, Reply } from '../../tools/conformance/http.ts'
import { type Line, linesOf } from '../../emulator/captions.ts'
import type { Track, Video } from '../../emulator/model.ts'
import { json3 } from '../../emulator/wire/json3.ts'
import { sweepTexts } from '../../src/features/transcripts/sweep-texts.ts'
import { CLIENT_PROFILES } from '../../src/platform/youtube/clients.ts'
import { packRecorded, unpackRecorded } from '../../src/model/files/recorded-forms.ts'
import { WORD_FILES } from '../../src/model/files/catalogue.ts'
import { sharedService } from '../support/shared-service.ts'
import { unzipped } from '../support/unzipped.ts'

const { platform, customer, database } = await sharedService({ after })
const { db, pool } = database
const { world } = platform
const uploads = world.uploads(world.channel('medium'), null)

/** Returns the first video of a channel of which the platform shows exactly these tracks. */
function videoWith(tracks: string): Video {
  for (let at = 0; at < uploads.length; at += 1) {
    const video = uploads.at(at)
    const own = video.tracks.map(({ languageCode, kind }) => `${kind} ${languageCode}`).join()
    if (video.state === 'ok' && own === tracks) return video
  }
  throw new Error(`no video has ${tracks} alone`)
}

const automatic = videoWith('asr en')
const creators = videoWith('manual en')
const address = ({ videoId }: Video): string => `https://www.youtube.com/watch?v=${videoId}`
const trackOf = ({ tracks }: Video): Track => tracks[0]!
const said = (video: Video): Line[] => linesOf(world.seed, video, trackOf(video))

/** Orders videos, and returns the path of the row of each. */
async function buys(buyer: Customer, ...videos: Video[]): Promise<{ job: Json; paths: string[] }> {
  const { job, rows } = await buyer.orders({ urls: videos.map(address) })
  const paths = videos.map(({ videoId }) => {
    const row = rows.find((one) => one['videoId'] === videoId)
    return `/jobs/${job['id']}/videos/${row?.['index']}`
  })
  return { job, paths }
}

test('the words of an automatic track come with the times that the platform published, and make its text', async () => {
  const buyer = await customer('1')
  const { job, paths } = await buys(buyer, automatic)
  const row = await buyer.gets(paths[0]!)
  assert.equal(row['hasWordTimes'], true)
  const { words } = await buyer.gets(`${paths[0]}/words.json`)
  const expected = said(automatic).flatMap(({ startMs, pieces }) =>
    pieces.map(({ raw, offsetMs }) => [startMs + offsetMs, raw]),
  )
  assert.ok(expected.length > 100)
  assert.deepEqual(
    words.map(({ startMs, text }: Json) => [startMs, text]),
    expected,
  )
  assert.ok(words.every(({ startMs, endMs }: Json) => startMs < endMs))

  const segments: Json[] = JSON.parse(
    String(await buyer.downloads(`/jobs/${job['id']}/files/${row['index']}.json`)),
  )
  for (const { startMs, endMs, text } of segments) {
    const own = words.filter((word: Json) => word.startMs >= startMs && word.startMs < endMs)
    assert.equal(own.map((word: Json) => word.text).join(''), text)
    assert.equal(own.at(-1).endMs, endMs)
  }
})

test('confidences are those of the recognition, where it has some', async () => {
  const buyer = await customer('1')
  const sure = new Map<string, (number | null)[]>()
  for (let at = 0; sure.size < 2 && at < uploads.length; at += 1) {
    const video = uploads.at(at)
    if (video.state !== 'ok' || trackOf(video)?.kind !== 'asr' || video.tracks.length > 1) continue
    const published = said(video).flatMap(({ pieces }) => pieces.map((one) => one.confidence))
    const kind = published.some((one) => one > 0) ? 'some' : 'none'
    if (sure.has(kind)) continue
    const { paths } = await buys(buyer, video)
    const { words } = await buyer.gets(`${paths[0]}/words.json`)
    const read: (number | null)[] = words.map(({ confidence }: Json) => confidence)
    sure.set(kind, read)
    if (kind === 'none') assert.ok(read.every((one) => one === null))
    else
      for (const [nth, one] of read.entries())
        assert.ok(Math.abs((one ?? 9) - (published[nth] ?? 0) / 255) < 0.005)
  }
  assert.deepEqual([...sure.keys()].sort(), ['none', 'some'])
})

test('files of words have a tag and ranges, their size is told before, and strangers get none', async () => {
  const buyer = await customer('1')
  const { paths } = await buys(buyer, automatic)
  for (const file of ['words.json', 'words.vtt']) {
    const path = `${paths[0]}/${file}`
    const whole = await buyer.asks('GET', path)
    assert.equal(whole.status, 200)
    assert.equal(whole.headers.get('content-length'), String(whole.bytes.length))
    const etag = whole.headers.get('etag') ?? ''
    assert.equal(etag, `"${createHash('sha256').update(whole.bytes).digest('hex')}"`)
    assert.match(whole.headers.get('content-disposition') ?? '', /filename="1\.words\./)
    const named = await buyer.asks('HEAD', `${path}?names=title`)
    assert.match(named.headers.get('content-disposition') ?? '', /filename="1 .*\.words\./)
    const head = await buyer.asks('HEAD', path)
    assert.equal(head.headers.get('content-length'), String(whole.bytes.length))
    const part = await buyer.asks('GET', path, {
      headers: { Range: 'bytes=10-19', 'If-Range': etag },
    })
    assert.deepEqual([part.status, String(part.bytes)], [206, String(whole.bytes.subarray(10, 20))])
    const same = await buyer.asks('GET', path, { headers: { 'If-None-Match': etag } })
    assert.equal(same.status, 304)
    assert.equal(
      (await buyer.asks('GET', path, { headers: { Range: 'bytes=99999999-' } })).status,
      416,
    )
    const stranger = await customer('0')
    assert.equal((await stranger.asks('GET', path)).status, 404)
  }
  for (const index of ['0', '2', '99999999999', '2147483648', 'x'])
    for (const file of ['words.json', 'words.vtt', 'words.txt'])
      assert.equal(
        (await buyer.asks('GET', `${paths[0]?.replace(/\d+$/, index)}/${file}`)).status,
        404,
      )
})

test('a creator’s track has no times of words, and says so', async () => {
  const buyer = await customer('1')
  const { paths } = await buys(buyer, creators)
  assert.equal((await buyer.gets(paths[0]!))['hasWordTimes'], false)
  for (const file of ['words.json', 'words.vtt']) {
    const { status, body } = await buyer.asks('GET', `${paths[0]}/${file}`)
    assert.equal(status, 404)
    assert.match(body['error'].message, /^No times of words are kept of this video: /)
  }
})

test('a row says which reply its text was read from, and which tracks its video has', async () => {
  const buyer = await customer('1')
  const several = videoWith('manual es,manual en,asr en')
  const { paths } = await buys(buyer, several, automatic)
  const row = await buyer.gets(paths[0]!)
  const names = row['tracks'].map((track: Json) => `${track.kind} ${track.languageCode}`).join()
  assert.equal(names, 'manual es,manual en,asr en')
  for (const { name, isDefault, isTranslatable } of row['tracks']) {
    assert.match(name, /\w/)
    assert.deepEqual([typeof isDefault, isTranslatable], ['boolean', true])
  }
  assert.equal(row['tracks'].filter(({ isDefault }: Json) => isDefault).length, 1)

  const { source } = await buyer.gets(paths[1]!)
  const video = automatic
  const reply = json3({ video, track: trackOf(video), lines: said(video) })
  assert.equal(source.sha256, createHash('sha256').update(reply).digest('hex'))
  assert.deepEqual([source.format, source.sizeBytes], ['json3', Buffer.byteLength(reply)])
  assert.ok(CLIENT_PROFILES.some(({ name, use }) => name === source.client && use === 'captions'))
  assert.ok(!Number.isNaN(Date.parse(source.fetchedAt)))
})

test('a video without captions in the language lists those that it has', async () => {
  const buyer = await customer('1')
  const { paths } = await buys(buyer, world.special('no-original'))
  const row = await buyer.gets(paths[0]!)
  assert.equal(row['status'], 'language_not_available')
  assert.deepEqual(
    row['tracks'].map(({ languageCode }: Json) => languageCode),
    ['en', 'fr'],
  )
  assert.deepEqual([row['source'], row['hasWordTimes'], row['text']], [null, false, null])
  const { status, body } = await buyer.asks('GET', `${paths[0]}/words.json`)
  assert.equal(status, 404)
  assert.match(body['error'].message, /^This row has no text, /)
})

test('ZIPs of jobs and collections hold the words of each text that has times', async () => {
  const buyer = await customer('1')
  const { job, paths } = await buys(buyer, automatic, creators)
  const exported = '?exports=words,wordsvtt&formats=text'
  for (const zip of [
    `/jobs/${job['id']}/files/zip${exported}`,
    `/library/${automatic.channel.channelId}/files/zip${exported}`,
  ]) {
    const files = unzipped(await buyer.downloads(zip))
    const names = [...files.keys()].filter((name) => name.includes('.words.'))
    assert.deepEqual(
      names.map((name) => name.replace(/^.*\.words/, 'words')),
      ['words.json', 'words.vtt'],
    )
    for (const name of names) {
      const file = name.replace(/^.*\.words/, 'words')
      assert.equal(files.get(name), String(await buyer.downloads(`${paths[0]}/${file}`)))
    }
  }
  const { status, body } = await buyer.asks('GET', `/jobs/${job['id']}/files/zip?exports=word`)
  assert.deepEqual([status, body['error'].code], [400, 'invalid_request'])
})

test('a repeat, and an order that leaves out what is owned, lead to the words that the account has', async () => {
  const buyer = await customer('1')
  const { paths } = await buys(buyer, automatic)
  const words = await buyer.gets(`${paths[0]}/words.json`)
  const again = await buys(buyer, automatic)
  const body = { urls: [address(automatic), address(creators)] }
  const reply = await buyer.asks('POST', '/jobs?owned=skip', { body })
  const job = await buyer.waitsFor(reply.body)
  const { index } = (await buyer.readsRows(job)).find(({ status }) => status === 'unchanged')!
  for (const path of [again.paths[0]!, `/jobs/${job['id']}/videos/${index}`]) {
    const row = await buyer.gets(path)
    assert.deepEqual([row['status'], row['hasWordTimes']], ['unchanged', true])
    assert.match(row['source'].sha256, /^[0-9a-f]{64}$/)
    assert.deepEqual(await buyer.gets(`${path}/words.json`), words)
  }
})

test('word times go with the text that is too old; where it came from stays', async () => {
  const buyer = await customer('1')
  const { job, paths } = await buys(buyer, automatic)
  await pool.query(`update job set finished_at = finished_at - interval '31 days' where id = $1`, [
    job['id'],
  ])
  assert.ok((await sweepTexts(db, 30)) > 0)
  const row = await buyer.gets(paths[0]!)
  assert.equal(row['hasWordTimes'], false)
  assert.match(row['source'].sha256, /^[0-9a-f]{64}$/)
  assert.equal((await buyer.asks('GET', `${paths[0]}/words.json`)).status, 404)
})

test('files of words that an earlier release did not record are measured when they are first asked for', async () => {
  const buyer = await customer('1')
  const { job, paths } = await buys(buyer, automatic)
  const recordedOf = async (): Promise<Buffer> => {
    const asked = 'select recorded from transcript_body where job_id = $1'
    return (await pool.query(asked, [job['id']])).rows[0].recorded
  }
  const expected = new Map<string, Reply>()
  for (const file of WORD_FILES) expected.set(file, await buyer.asks('GET', `${paths[0]}/${file}`))
  const recorded = await recordedOf()
  const earlier = packRecorded(unpackRecorded(recorded, ['txt', 'json', 'text', 'srt', 'vtt']))
  assert.ok(earlier.length < recorded.length)
  for (const method of ['HEAD', 'GET'] as const) {
    await pool.query('update transcript_body set recorded = $2 where job_id = $1', [
      job['id'],
      earlier,
    ])
    for (const [file, whole] of expected) {
      const { headers, bytes } = await buyer.asks(method, `${paths[0]}/${file}`)
      for (const name of ['etag', 'content-length'])
        assert.equal(headers.get(name), whole.headers.get(name))
      if (method === 'GET') assert.deepEqual(bytes, whole.bytes)
      assert.deepEqual(await recordedOf(), recorded)
    }
  }
})

test('a row that an earlier release delivered has no times, no source and no tracks, and its files are made', async () => {
  const buyer = await customer('1')
  const { job, paths } = await buys(buyer, automatic)
  // A release before migration 0067 writes none of these columns.
  await pool.query('update transcript_body set word_times = null where job_id = $1', [job['id']])
  await pool.query(
    `update transcript set source_sha256 = null, source_format = null, source_bytes = null, source_client = null,
      fetched_at = null where job_id = $1`,
    [job['id']],
  )
  await pool.query('update video_details set tracks = null where video_id = $1', [
    automatic.videoId,
  ])
  const row = await buyer.gets(paths[0]!)
  assert.deepEqual([row['hasWordTimes'], row['source'], row['tracks']], [false, null, null])
  const files = unzipped(await buyer.downloads(`/jobs/${job['id']}/files/zip?exports=words,md`))
  assert.ok([...files.keys()].some((name) => name.endsWith('.md')))
  assert.ok(![...files.keys()].some((name) => name.includes('.words.')))
})
