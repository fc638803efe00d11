/**
 * Texts that their owner deletes: no answer of any route, file or tool has the words any more, and row, charge, receipt
 * and history stay as they are.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { issueKey } from '../../src/features/accounts/keys.ts'
import {
  deleteTexts,
  finishDeletions,
  planDeletion,
} from '../../src/features/library/delete-texts.ts'
import { formsOfJob } from '../../src/features/transcripts/read-transcripts.ts'
import type { TextSource } from '../../src/features/transcripts/read-stored.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { sharedService } from '../support/shared-service.ts'
import { until } from '../support/until.ts'
import { ownLines, surfacesWith } from './every-surface.ts'

const { platform, customer, database } = await sharedService({ after })
const SMALL = `https://www.youtube.com/${platform.world.channel('small').handle}`
const isDelivered = ({ status }: Json): boolean => status === 'success'

async function deletes(buyer: Customer, path: string, status = 204): Promise<Json> {
  const reply = await buyer.asks('DELETE', path)
  assert.equal(reply.status, status, `${path}: ${reply.bytes.toString()}`)
  return reply.body
}

/** Adds rows to a new project; returns its id. */
async function projectOf(buyer: Customer, jobId: string): Promise<string> {
  const { body } = await buyer.asks('POST', '/projects', { body: { name: 'All' } })
  await buyer.asks('POST', `/projects/${body['id']}/videos`, { body: { job: jobId } })
  return body['id']
}

/** Two orders of a channel, of which the second bought the first text again, and a project. */
async function bought() {
  const buyer = await customer('10')
  const first = await buyer.orders({ urls: [SMALL], maxVideos: 4 })
  const row = first.rows.find(isDelivered)!
  const again = await buyer.asks('POST', '/jobs?owned=again', { body: { urls: [row['videoId']] } })
  const second = await buyer.waitsFor(again.body)
  const project = await projectOf(buyer, first.job['id'])
  const { collections } = await buyer.gets('/library')
  const lines = ownLines(row, first.rows)
  const things = {
    jobs: [first.job['id'], second['id']] as string[],
    library: [...collections.map(({ id }: Json) => id), project] as string[],
    projects: [project],
    index: row['index'] as number,
    q: lines[0]!.trim().split(' ').slice(0, 4).join(' '),
  }
  return { buyer, ...first, row, second, project, lines, things }
}

test('after a deletion no route, file, search or tool answers the words, and the row says when they went', async () => {
  const { buyer, job, row, lines, things, project } = await bought()
  const { index } = row
  const one = `/jobs/${job['id']}/videos/${index}/text`
  const before = await surfacesWith(buyer, lines, things)
  assert.ok(before.length >= 30, before.join('\n'))
  const doors = '/search /mentions zip export.md /results read_transcript resource'.split(' ')
  const passed = doors.filter((door) => !before.some((path) => path.includes(door)))
  assert.deepEqual(passed, [], 'each of them is asked')
  const etag = (await buyer.asks('GET', `/jobs/${job['id']}/files/zip`)).headers.get('etag') ?? ''
  const receipt = await buyer.gets(`/jobs/${job['id']}/receipt`)

  const { bytes, ...plan } = await deletes(buyer, `${one}?dryRun=true`, 200)
  assert.ok(bytes > 100)
  const ofProject = [{ id: project, name: 'All', texts: 1 }]
  const counts = { videos: 1, texts: 2, otherTexts: 0, jobs: 2, otherJobs: 1 }
  assert.deepEqual(plan, { ...counts, projects: ofProject })
  assert.deepEqual(await surfacesWith(buyer, lines, things), before, 'a dry run changes nothing')

  await deletes(buyer, one)
  assert.deepEqual(await surfacesWith(buyer, lines, things), [])
  const { rows } = await database.pool.query(
    'select from transcript_body where job_id = any($1) and index = $2',
    [things.jobs, index],
  )
  assert.equal(rows.length, 0)
  const now = (await buyer.readsRows(job)).find((each) => each['index'] === index)!
  assert.match(now['label'], /^Text deleted on \d{4}-\d\d-\d\d$/)
  assert.match(now['errorMessage'], /^You deleted this text on /)
  assert.deepEqual(
    [now['status'], now['text'], now['segments'], now['files']],
    ['success', null, null, {}],
  )
  const cached = await buyer.asks('GET', `/jobs/${job['id']}/files/zip`, {
    headers: { 'If-None-Match': etag },
  })
  assert.equal(cached.status, 200, 'the ZIP is another one')
  const { processed } = job['progress']
  const empty = await buyer.asks('GET', `/jobs/${job['id']}/files/zip?after=${processed}`)
  assert.equal(empty.status, 200, 'a part without texts is of a job that has others')
  assert.deepEqual(await buyer.gets(`/jobs/${job['id']}/receipt`), receipt)
  assert.deepEqual((await buyer.gets(`/jobs/${job['id']}`))['billing'], job['billing'])
  const named = await buyer.gets(`/jobs/${job['id']}?view=named`)
  assert.equal(named['deletedTexts'], 1)
  const gone = await buyer.asks('GET', `/jobs/${job['id']}/files/${index}.txt`)
  assert.deepEqual([gone.status, gone.body['error'].message], [404, now['errorMessage']])

  await deletes(buyer, one)
  const nothing = await deletes(buyer, `${one}?dryRun=true`, 200)
  assert.deepEqual([nothing['texts'], nothing['bytes']], [0, 0])
})

test('a repeat does not bring a deleted text again, and another order buys it at its price', async () => {
  const { buyer, job, row } = await bought()
  const other: string = row['videoId']
  const lines = [other, platform.world.special('no-captions').videoId]
  const ownedNow = async (): Promise<number> => {
    const path = '/previews?owned=skip'
    const { body } = await buyer.asks('POST', path, { body: { urls: lines } })
    const { sources } = await buyer.gets(`/previews/${body['id']}?wait=10`)
    return sources.reduce((sum: number, { owned = 0 }: Json) => sum + owned, 0)
  }
  assert.equal(await ownedNow(), 1)
  await deletes(buyer, `/jobs/${job['id']}/videos/${row['index']}/text`)
  assert.equal(await ownedNow(), 0, 'what was previewed before is counted anew')
  const repeat = await buyer.orders({ urls: [SMALL], maxVideos: 4 })
  const repeated = repeat.rows.find(({ videoId }) => videoId === row['videoId'])!
  assert.equal(repeated['status'], 'unchanged')

  const fresh = await buyer.waitsFor(
    (await buyer.asks('POST', '/jobs?owned=skip', { body: { urls: lines } })).body,
  )
  const rows = await buyer.readsRows(fresh)
  const back = rows.find(({ videoId }) => videoId === other)!
  assert.deepEqual([back['status'], typeof back['text']], ['success', 'string'])
  // The channel leads to the text that was bought again.
  const { collections } = await buyer.gets('/library')
  const channel = collections.find(({ title }: Json) => title === row['channelName'])
  const { videos } = await buyer.gets(`/library/${channel.id}/videos`)
  const shown = videos.find(({ videoId }: Json) => videoId === other)
  assert.equal(shown.jobId, fresh['id'])
})

test('the texts of a job, a channel and a project with it go together, and those of another account stay', async () => {
  const { buyer, job, rows, project, lines, things } = await bought()
  const neighbour = await customer('10')
  const theirs = await neighbour.orders({ urls: [SMALL], maxVideos: 4 })
  const count = rows.filter(isDelivered).length

  const plan = await deletes(buyer, `/jobs/${job['id']}/texts?dryRun=true`, 200)
  assert.deepEqual([plan['videos'], plan['texts'], plan['otherJobs']], [count, count + 1, 1])
  for (const path of [
    `/jobs/${job['id']}/texts`,
    `/jobs/${job['id']}/videos/1/text`,
    `/library/${things.library[0]}/texts`,
  ]) {
    const { status, body } = await neighbour.asks(
      'DELETE',
      path.replace(things.library[0]!, project),
    )
    assert.deepEqual([status, body['error'].code], [404, 'not_found'], path)
  }
  const kept = await deletes(buyer, `/projects/${project}?dryRun=true`, 200)
  assert.equal(kept['texts'], 0)
  const all = await deletes(buyer, `/projects/${project}?texts=true&dryRun=true`, 200)
  assert.deepEqual([all['videos'], all['projects'][0].texts], [count, count])
  await deletes(buyer, `/projects/${project}?texts=true`)
  assert.equal((await buyer.asks('GET', `/projects/${project}`)).status, 404)
  assert.deepEqual(await surfacesWith(buyer, lines, { ...things, projects: [] }), [])
  const { status, body } = await buyer.asks('GET', `/jobs/${job['id']}/files/zip`)
  assert.deepEqual(
    [status, body['error'].message],
    [404, 'You deleted all texts of this order; its rows say when.'],
  )
  assert.equal((await buyer.gets('/search?q=the'))['owned'], 0)
  const now = await neighbour.readsRows(theirs.job)
  assert.deepEqual(now, theirs.rows)
})

test('the texts of a channel go in all languages, by a worker where the request could not finish', async () => {
  const { buyer, row, lines, things } = await bought()
  const { collections } = await buyer.gets('/library')
  const channel = collections.find(({ title }: Json) => title === row['channelName'])
  const other = await buyer.asks('POST', '/jobs?owned=again', {
    body: { urls: [SMALL], maxVideos: 1, language: 'fr' },
  })
  await buyer.waitsFor(other.body)
  const asked = { collectionId: channel.id }
  const begun = await deleteTexts(database.db, buyer.accountId, asked, -1)
  assert.ok((begun?.left?.texts ?? 0) > 0, 'a request without time leaves all')
  assert.equal(await finishDeletions(database.db, 0), 1)
  assert.equal(await finishDeletions(database.db, 0), 0)
  assert.deepEqual(await surfacesWith(buyer, lines, things), [])
  await deletes(buyer, `/library/${channel.id}/texts`)
})

test('a job and a project leave no text to a worker, since none would finish them', async () => {
  for (const kind of ['job', 'project'] as const) {
    const { buyer, job, project } = await bought()
    const asked = kind === 'job' ? { jobId: job['id'] } : { collectionId: project }
    const plan = async () => (await planDeletion(database.db, buyer.accountId, asked))?.texts ?? 0
    assert.ok((await plan()) > 0)
    assert.deepEqual(await deleteTexts(database.db, buyer.accountId, asked, -1), { left: null })
    assert.equal(await plan(), 0)
  }
})

test('no text goes while a job that holds it is open, and no app or restricted key deletes any', async () => {
  const { buyer, job, row, project } = await bought()
  const one = `/jobs/${job['id']}/videos/${row['index']}/text`
  platform.apply({ faults: [{ do: 'hang', on: 'browse' }] })
  const urls = [row['videoId'], '@endlessarchive']
  const { body: open } = await buyer.asks('POST', '/jobs?owned=again', { body: { urls } })
  await until('the open job has the text', async () => {
    const { progress } = await buyer.gets(`/jobs/${open['id']}`)
    return progress.delivered === 1
  })
  const ofOpen = `/jobs/${open['id']}/texts`
  for (const path of [ofOpen, one, `/jobs/${job['id']}/texts`, `/library/${project}/texts`])
    for (const query of ['', '?dryRun=true']) {
      const { status, body } = await buyer.asks('DELETE', path + query)
      const { code, jobId } = body['error']
      assert.deepEqual([status, code, jobId], [409, 'job_in_progress', open['id']], path)
    }
  platform.clear()
  await buyer.asks('POST', `/jobs/${open['id']}/cancel`)
  await buyer.waitsFor(open)

  const { accountId } = buyer
  for (const limits of [
    { scopes: ['jobs:write' as const, 'transcripts:read' as const], monthlyCapMicros: null },
    { scopes: null, monthlyCapMicros: 1_000_000n },
  ]) {
    const key = await transact(database.db, (tx) => issueKey(tx, { accountId, name: 'k', limits }))
    const headers = { Authorization: `Bearer ${key.apiKey}` }
    for (const path of [
      one,
      `/jobs/${job['id']}/texts`,
      `/library/${project}/texts`,
      `/projects/${project}?texts=true`,
    ])
      assert.equal((await buyer.asks('DELETE', path, { headers })).status, 403, path)
  }
  for (const misspelt of ['?dryrun=true', '?dryRun=yes', '?dry_run=true'])
    assert.equal((await buyer.asks('DELETE', one + misspelt)).status, 400, misspelt)
  assert.equal(typeof (await buyer.readsRows(job))[0], 'object')
  assert.equal((await deletes(buyer, `${one}?dryRun=true`, 200))['texts'], 3, 'nothing is gone')
})

test('a file whose text is deleted while it is sent says so', async () => {
  const { buyer, job, row } = await bought()
  const { index } = row
  const textReader = { writeForms: () => assert.fail('nothing is left to write') }
  const read = formsOfJob({ db: database.db, textReader } as unknown as TextSource, job['id'])
  await deletes(buyer, `/jobs/${job['id']}/videos/${index}/text`)
  const facts = { sizeBytes: 1, crc32: 0, sha256: '' }
  const asked = async () =>
    (await read([{ index, form: 'txt', facts }]))({ index, form: 'txt', facts })
  await assert.rejects(asked, { code: 'not_found', message: /deleted/ })
})
