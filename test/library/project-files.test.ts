/** A project answers like a collection: its videos, files and searches, and what it says of texts that are gone. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { truthOf } from '../../emulator/truth.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { unzipped } from '../support/unzipped.ts'
import { keys, projectBuyer } from './project-buyer.ts'

const { world, buyer, database, sends, fetched, bytesOf, delivered, makes } = await projectBuyer({
  after,
})
const NOBODYS = `prj_${'0'.repeat(32)}`

/** Returns a word that is said in a row's text. */
function wordOf({ videoId, languageCode }: Json): string {
  const truth = truthOf(world, { video: videoId, limit: 1 }).videos[0]!
  const track = truth.tracks.find((each) => each.languageCode === languageCode)!
  return track.segments.flatMap(({ text }) => text.match(/[a-z]{6,}/g) ?? [])[0]!
}

/** Returns the hits of a word once all is indexed; with a channel or project, those in it. */
async function hits(word: string, channel?: string): Promise<Json[]> {
  const within = channel === undefined ? '' : `&channel=${channel}`
  for (;;) {
    const found = await sends('GET', `/search?q=${word}${within}`)
    if (found['indexed'] === found['owned']) return found['hits']
  }
}

test('it answers like a collection: its counts, its videos, its files', async () => {
  const { id } = await makes('Two channels')
  const texts = [...delivered(0), ...delivered(1)]
  await sends('POST', `/projects/${id}/videos`, { videos: keys(texts) })
  const found = await sends('GET', `/library/${id}`)
  const { kind, title, delivered: had, known, remaining, goesOn, counts, languages } = found
  assert.deepEqual([kind, title, goesOn], ['project', 'Two channels', null])
  assert.deepEqual(
    [had, known, remaining, counts],
    [texts.length, texts.length, 0, { success: texts.length }],
  )
  assert.ok(languages.includes('en') && languages.includes('de'))

  const { total, videos } = await sends('GET', `/library/${id}/videos?limit=100&status=success`)
  assert.equal(total, texts.length)
  const ids = (rows: Json[]) => rows.map(({ videoId }) => videoId).toSorted()
  assert.deepEqual(ids(videos), ids(texts.map(({ row }) => row)))
  const german = await sends('GET', `/library/${id}/videos?language=de`)
  assert.equal(
    german['total'],
    delivered(1).filter(({ row }) => row['languageCode'] === 'de').length,
  )

  const files = `/library/${id}/files`
  const lines = (await bytesOf(`${files}/export.videos.jsonl`)).toString().trim().split('\n')
  assert.deepEqual(ids(lines.map((line) => JSON.parse(line) as Json)), ids(videos))
  assert.match(
    (await bytesOf(`${files}/export.md`)).toString(),
    /^---\ntitle: "Two channels"\nkind: "project"\ntranscripts: /,
  )
  assert.equal(
    (await bytesOf(`${files}/report.csv`)).toString().split('\r\n').length,
    texts.length + 2,
  )
  assert.equal(
    (await bytesOf(`${files}/all.txt`)).toString().match(/^URL: /gm)?.length,
    texts.length,
  )
  // The library lists channels and playlists, as before.
  const { collections } = await sends('GET', '/library')
  assert.ok(collections.every((one: Json) => one['kind'] !== 'project'))
})

test('its ZIP has a folder for each channel and a description, the same bytes each time and in parts', async () => {
  const { id } = await sends('POST', '/projects', {
    name: 'Zipped',
    note: 'Why\nnot',
    tags: ['x', 'y'],
  })
  await sends('POST', `/projects/${id}/videos`, { job: delivered(0)[0]!.jobId })
  await sends('POST', `/projects/${id}/videos`, { job: delivered(1)[0]!.jobId })
  const path = `/library/${id}/files/zip?formats=text`
  const reply = await fetched(path)
  const zip = Buffer.from(await reply.arrayBuffer())
  assert.equal(reply.headers.get('content-length'), String(zip.length))
  const files = unzipped(zip)
  const names = [...files.keys()]
  const folders = new Set(
    names.filter((name) => name.includes('/')).map((name) => name.split('/')[0]),
  )
  assert.deepEqual(
    [...folders].toSorted(),
    [world.channel('german').title, world.channel('small').title].toSorted(),
  )
  assert.deepEqual(names.slice(-3), ['all-transcripts.txt', 'report.csv', 'README.txt'])
  const readme = files.get('README.txt')!
  assert.match(readme, /^Zipped\n\nWhy\nnot\n\nTags: x, y\nData as of: \d{4}-\d\d-\d\d\n/)
  assert.match(readme, /\nLanguages: .*de \(\d+\)/)
  assert.match(readme, /\nWhat is missing\n {2}Nothing\.\n/)
  const part = await fetched(path, { range: 'bytes=50-149' })
  assert.deepEqual(Buffer.from(await part.arrayBuffer()), zip.subarray(50, 150))
  assert.deepEqual(await bytesOf(path), zip)
  const made = unzipped(await bytesOf(`${path}&exports=md`))
  assert.equal(made.get('README.txt'), readme)
  assert.equal(
    [...made.keys()].filter((name) => name.endsWith('.md')).length,
    delivered(0).length + delivered(1).length,
  )
})

test('a search can be narrowed to a project, and finds nothing of others', async () => {
  const { id } = await makes('Searched')
  const [one] = delivered(0)
  const word = wordOf(one!.row)
  assert.ok((await hits(word)).length > 0)
  assert.deepEqual(await hits(word, id), [])
  await sends('POST', `/projects/${id}/videos`, { videos: keys([one!]) })
  assert.deepEqual(
    (await hits(word, id)).map(({ videoId }) => videoId),
    [one!.row['videoId']],
  )
  const mentions = await sends('GET', `/search/mentions?q=${word}&channel=${id}`)
  assert.equal(mentions['transcripts'], 1)
  const csv = (await bytesOf(`/search/mentions.csv?q=${word}&channel=${id}`)).toString()
  assert.equal(csv.trim().split('\r\n').length, mentions['total'] + 1)
  assert.deepEqual(await hits(word, NOBODYS), [])
})

test('an id does not say what a collection is: a project may be called like a list', async () => {
  const { id } = await makes('Renamed')
  const [one] = delivered(1)
  await sends('POST', `/projects/${id}/videos`, { videos: keys([one!]) })
  const named = `PL${'p'.repeat(32)}`
  await database.pool.query(
    `with named as (insert into project (id, account_id, name, videos)
      select $2, account_id, 'Named', videos from project where id = $1)
    insert into project_video (account_id, project_id, video_id, language_code, track_kind, job_id, index, published_at)
    select account_id, $2, video_id, language_code, track_kind, job_id, index, published_at
    from project_video where project_id = $1`,
    [id, named],
  )
  const { videoId } = one!.row
  const { kind, title, counts } = await sends('GET', `/library/${named}`)
  assert.deepEqual([kind, title, counts], ['project', 'Named', { success: 1 }])
  const { videos } = await sends('GET', `/library/${named}/videos`)
  assert.deepEqual(keys(videos), keys([one!]))
  const files = `/library/${named}/files`
  assert.match((await bytesOf(`${files}/report.csv`)).toString(), new RegExp(videoId))
  assert.equal((await bytesOf(`${files}/all.txt`)).toString().match(/^URL: /gm)?.length, 1)
  assert.ok(unzipped(await bytesOf(`${files}/zip?formats=text`)).has('README.txt'))
  const { id: other } = await makes('Other')
  const added = await sends('POST', `/projects/${other}/videos`, { collection: named })
  assert.equal(added['added'], 1)
  const found = await hits(wordOf(one!.row), named)
  assert.deepEqual(
    found.map((hit) => hit['videoId']),
    [videoId],
  )
})

test('a text that was removed for its age is told so, in the list, the report and the README', async () => {
  const old = await buyer.orders({
    urls: [world.uploads(world.channel('medium'), 'video').at(0).videoId],
  })
  const [row] = old.rows
  const { id } = await makes('Old')
  const videos = [{ jobId: old.job['id'], index: row!['index'] }]
  await sends('POST', `/projects/${id}/videos`, { videos: [...videos, ...keys(delivered(0))] })
  await database.pool.query(
    `with gone as (update job set texts_deleted_at = '2026-10-01T12:00:00Z' where id = $1)
    delete from transcript_body where job_id = $1`,
    [old.job['id']],
  )
  const listed = await sends('GET', `/library/${id}/videos?limit=100`)
  const removed = listed['videos'].filter(({ errorMessage }: Json) => errorMessage !== null)
  assert.deepEqual(
    removed.map(({ videoId, errorMessage }: Json) => [videoId, errorMessage]),
    [[row!['videoId'], 'Its text was removed on 2026-10-01']],
  )
  const files = unzipped(await bytesOf(`/library/${id}/files/zip?formats=text`))
  assert.match(files.get('README.txt')!, /1 transcript: Its text was removed on 2026-10-01\n/)
  assert.match(files.get('report.csv')!, /Its text was removed on 2026-10-01/)
  const again = await sends('POST', `/projects/${id}/videos`, { videos })
  assert.deepEqual(again['refused'], [
    { ...videos[0], reason: 'Its text was removed on 2026-10-01' },
  ])
})

test('a video in two languages stands in it twice, under two names', async () => {
  const video = truthOf(world, {
    channel: world.channel('lab').channelId,
    limit: 100,
  }).videos.find(
    ({ tracks, status }) =>
      status === 'success' && new Set(tracks.map((one) => one.languageCode)).size > 1,
  )!
  const [a, b] = [...new Set(video.tracks.map(({ languageCode }) => languageCode))]
  const { id } = await makes('Two languages')
  let texts = 0
  // Another URL set is another order, which brings the other language.
  for (const [language, more] of [
    [a, []],
    [b, [delivered(0)[0]!.row['videoId']]],
  ] as const) {
    const { job } = await buyer.orders({ urls: [video.videoId, ...more], language })
    texts += (await sends('POST', `/projects/${id}/videos`, { job: job['id'] }))['added']
  }
  assert.ok(texts >= 2)
  assert.equal((await sends('GET', `/projects/${id}`))['videos'], texts)
  const names = [...unzipped(await bytesOf(`/library/${id}/files/zip?formats=text`)).keys()]
  assert.equal(names.filter((name) => name.includes(`[${video.videoId}] `)).length, 2)
  const notes = [...unzipped(await bytesOf(`/library/${id}/files/vault.zip`)).keys()]
  assert.equal(new Set(notes.filter((name) => name.includes(`(${video.videoId}) `))).size, 2)
  // It is one video to cite.
  const csl = (await bytesOf(`/library/${id}/files/export.csl.json`)).toString()
  const cited = JSON.parse(csl) as Json[]
  assert.equal(cited.filter((entry) => entry['id'] === video.videoId).length, 1)
  await sends('DELETE', `/projects/${id}/videos/${video.videoId}`)
  assert.equal((await sends('GET', `/projects/${id}`))['videos'], texts - 2)
})
