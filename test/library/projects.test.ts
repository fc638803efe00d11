/** Projects: collections of an account's own, of any videos that any of its orders delivered. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { truthOf } from '../../emulator/truth.ts'
import type { Customer } from '../../conformance/customer.ts'
import type { Json } from '../../conformance/http.ts'
import { sharedService } from '../support/shared-service.ts'
import { unzipped } from '../support/unzipped.ts'

const service = await sharedService({ after })
const { platform, customer, database, address } = service
const { world } = platform
const small = `https://www.youtube.com/${world.channel('small').handle}`
const german = `https://www.youtube.com/${world.channel('german').handle}`
const NOBODYS = `prj_${'0'.repeat(32)}`

let buyer: Customer
let orders: { job: Json; rows: Json[] }[]

before(async () => {
  buyer = await customer('10')
  orders = [
    await buyer.orders({ urls: [small], maxVideos: 6 }),
    await buyer.orders({ urls: [german], maxVideos: 5 }),
  ]
})

async function sends(method: string, path: string, body?: Json, who = buyer): Promise<Json> {
  const reply = await who.asks(method, path, body === undefined ? {} : { body })
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.bytes.toString()}`)
  return reply.body
}

async function refused(method: string, path: string, body?: Json, who = buyer): Promise<Json> {
  const reply = await who.asks(method, path, body === undefined ? {} : { body })
  assert.ok(reply.status >= 400, `${method} ${path}`)
  return { status: reply.status, ...reply.body['error'] }
}

function fetched(path: string, headers: Record<string, string> = {}): Promise<Response> {
  const authorization = `Bearer ${buyer.apiKey}`
  return fetch(`${address}/api/v1${path}`, { headers: { authorization, ...headers } })
}

async function bytesOf(path: string): Promise<Buffer> {
  const reply = await fetched(path)
  assert.equal(reply.status, 200, path)
  return Buffer.from(await reply.arrayBuffer())
}

/** Returns delivered rows of an order as a project takes them. */
function delivered(order: number): { jobId: string; index: number; row: Json }[] {
  const { job, rows } = orders[order]!
  return rows
    .filter(({ status }) => status === 'success')
    .map((row) => ({ jobId: job['id'], index: row['index'], row }))
}

const keys = (rows: { jobId: string; index: number }[]) =>
  rows.map(({ jobId, index }) => ({ jobId, index }))

const makes = (name: string) => sends('POST', '/projects', { name })

test('a project is named, noted and tagged, changed and deleted, and its texts stay', async () => {
  const words = {
    name: '  Interviews \u202eon housing ',
    note: 'For\r\nchapter 3 ',
    tags: ['a', ' a', '\u200b'],
  }
  const made = await sends('POST', '/projects', words)
  assert.match(made['id'], /^prj_[0-9a-f]{32}$/)
  assert.deepEqual([made['note'], made['tags'], made['videos']], ['For\nchapter 3', ['a'], 0])
  assert.equal(made['name'].trim(), made['name'])
  const path = `/projects/${made['id']}`
  const changed = await sends('PATCH', path, { name: 'Häuser 🏠 שלום', tags: [] })
  assert.deepEqual(
    [changed['name'], changed['note'], changed['tags']],
    ['Häuser 🏠 שלום', 'For\nchapter 3', []],
  )
  assert.equal((await sends('PATCH', path, { note: ' ' }))['note'], null)
  assert.deepEqual((await sends('GET', path))['name'], changed['name'])
  assert.ok((await sends('GET', '/projects'))['projects'].some(({ id }: Json) => id === made['id']))
  await sends('POST', `${path}/videos`, { videos: keys(delivered(0)) })
  await sends('DELETE', path)
  for (const gone of [path, `/library/${made['id']}`])
    assert.equal((await refused('GET', gone))['status'], 404)
  const { jobId, index } = delivered(0)[0]!
  assert.equal((await fetched(`/jobs/${jobId}/files/${index}.txt`)).status, 200)
})

test('blank and overlong words, and bodies that name nothing or two things, are refused', async () => {
  const { id } = await makes('Limits')
  for (const name of ['', ' \u2800 ', 'x'.repeat(121)])
    assert.equal((await refused('POST', '/projects', { name }))['status'], 400)
  assert.equal(
    (await refused('PATCH', `/projects/${id}`, { tags: Array(21).fill('t') }))['status'],
    400,
  )
  assert.equal((await refused('PATCH', `/projects/${id}`, {}))['status'], 400)
  const videos = keys(delivered(0)).slice(0, 1)
  const bodies = [
    {},
    { videos, job: videos[0]!.jobId },
    { videos: [] },
    { videos: Array(501).fill(videos[0]) },
    { videos: [{ jobId: 'x', index: 1e308 }] },
    { videos: [{ jobId: 'x', index: 0 }] },
  ]
  for (const body of bodies.slice(0, 4))
    assert.equal((await refused('POST', `/projects/${id}/videos`, body))['status'], 400)
  assert.equal((await refused('POST', `/projects/${id}/videos`, bodies[5]))['status'], 400)
  // An index that no row can have is a row that the account has not.
  const huge = await sends('POST', `/projects/${id}/videos`, bodies[4])
  assert.deepEqual([huge['added'], huge['refusals']], [0, 1])
  assert.equal((await refused('POST', `/projects/${id}/videos`, { job: 'nobodys' }))['status'], 404)
  assert.equal(
    (await refused('POST', `/projects/${id}/videos`, { collection: NOBODYS }))['status'],
    404,
  )
})

test('videos of any orders are added once, and what was not delivered is refused with the reason', async () => {
  const { id } = await makes('Mixed')
  const path = `/projects/${id}/videos`
  const [one, two] = [delivered(0), delivered(1)]
  const failed = orders[0]!.rows.find(({ status }) => status !== 'success')!
  const missing = { jobId: one[0]!.jobId, index: failed['index'] }
  const first = await sends('POST', path, {
    videos: [...keys(one), ...keys(one), missing, { jobId: 'none', index: 1 }],
  })
  assert.deepEqual([first['added'], first['present'], first['refusals']], [one.length, 0, 2])
  assert.deepEqual(first['refused'], [
    { ...missing, reason: 'It has no transcript of yours.' },
    { jobId: 'none', index: 1, reason: 'You have no such row.' },
  ])
  const second = await sends('POST', path, { videos: keys([...one, ...two]) })
  assert.deepEqual(
    [second['added'], second['present'], second['refusals']],
    [two.length, one.length, 0],
  )
  assert.equal((await sends('GET', `/projects/${id}`))['videos'], one.length + two.length)

  const all = await makes('All')
  const whole = await sends('POST', `/projects/${all['id']}/videos`, { job: one[0]!.jobId })
  assert.equal(whole['added'], one.length)
  const collection = world.channel('german').channelId
  assert.equal(
    (await sends('POST', `/projects/${all['id']}/videos`, { collection }))['added'],
    two.length,
  )
  const copy = await makes('Copy')
  const word = two[0]!.row['title'].slice(0, 8)
  const some = await sends('POST', `/projects/${copy['id']}/videos`, { collection: id, q: word })
  assert.ok(some['added'] >= 1 && some['added'] <= one.length + two.length)
})

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
  const truth = truthOf(world, { video: one!.row['videoId'], limit: 1 }).videos[0]!
  const track = truth.tracks.find(({ languageCode }) => languageCode === one!.row['languageCode'])!
  const word = track.segments.flatMap(({ text }) => text.match(/[a-z]{6,}/g) ?? [])[0]!
  const hits = async (query: string) => {
    for (;;) {
      const found = await sends('GET', `/search?q=${word}${query}`)
      if (found['indexed'] === found['owned']) return found['hits'] as Json[]
    }
  }
  assert.ok((await hits('')).length > 0)
  assert.deepEqual(await hits(`&channel=${id}`), [])
  await sends('POST', `/projects/${id}/videos`, { videos: keys([one!]) })
  assert.deepEqual(
    (await hits(`&channel=${id}`)).map(({ videoId }) => videoId),
    [one!.row['videoId']],
  )
  const mentions = await sends('GET', `/search/mentions?q=${word}&channel=${id}`)
  assert.equal(mentions['transcripts'], 1)
  const csv = (await bytesOf(`/search/mentions.csv?q=${word}&channel=${id}`)).toString()
  assert.equal(csv.trim().split('\r\n').length, mentions['total'] + 1)
  assert.deepEqual(await hits(`&channel=${NOBODYS}`), [])
})

test('a video leaves a project, and its text stays in the library', async () => {
  const { id } = await makes('Shrinking')
  await sends('POST', `/projects/${id}/videos`, { videos: keys(delivered(0)) })
  const { videoId } = delivered(0)[0]!.row as { videoId: string }
  await sends('DELETE', `/projects/${id}/videos/${videoId}`)
  assert.equal((await sends('GET', `/library/${id}`))['delivered'], delivered(0).length - 1)
  assert.equal((await refused('DELETE', `/projects/${id}/videos/${videoId}`))['status'], 404)
})

test('of another account nothing is seen, added or changed', async () => {
  const other = await customer('1')
  const { id } = await makes('Private')
  await sends('POST', `/projects/${id}/videos`, { videos: keys(delivered(0)) })
  const asked: [string, string, Json?][] = [
    ['GET', `/projects/${id}`],
    ['PATCH', `/projects/${id}`, { name: 'Mine' }],
    ['DELETE', `/projects/${id}`],
    ['POST', `/projects/${id}/videos`, { videos: keys(delivered(0)) }],
    ['DELETE', `/projects/${id}/videos/${delivered(0)[0]!.row['videoId']}`],
    ['GET', `/library/${id}`],
    ['GET', `/library/${id}/videos`],
    ['GET', `/library/${id}/files/zip`],
    ['GET', `/library/${id}/files/export.md`],
  ]
  for (const [method, path, body] of asked)
    assert.equal((await refused(method, path, body, other))['status'], 404, `${method} ${path}`)
  const own = await sends('POST', '/projects', { name: 'Theirs' }, other)
  const stolen = await sends(
    'POST',
    `/projects/${own['id']}/videos`,
    { videos: keys(delivered(0)) },
    other,
  )
  assert.deepEqual([stolen['added'], stolen['refusals']], [0, delivered(0).length])
  assert.equal(
    (await refused('POST', `/projects/${own['id']}/videos`, { collection: id }, other))['status'],
    404,
  )
  assert.equal((await sends('GET', '/projects', undefined, other))['total'], 1)
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
    `with gone as (update job set texts_deleted_at = '2026-10-01T12:00:00Z' where id = $1),
      forms as (delete from transcript_form where job_id = $1)
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
  await sends('DELETE', `/projects/${id}/videos/${video.videoId}`)
  assert.equal((await sends('GET', `/projects/${id}`))['videos'], texts - 2)
})

test('an account has at most 200 projects', async () => {
  const other = await customer('1')
  await database.pool.query(
    `insert into project (id, account_id, name)
      select 'prj_' || md5(n::text || account.id), account.id, 'n' from account, generate_series(1, 200) n
      where account.id = $1`,
    [other.accountId],
  )
  const { status, message } = await refused('POST', '/projects', { name: 'One more' }, other)
  assert.deepEqual(
    [status, message],
    [400, 'An account can have at most 200 projects; delete one that is no longer used.'],
  )
})
