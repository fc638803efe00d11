/** Selections: what is chosen of several lists is downloaded, added to a project and deleted as one, each text once. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { LIMITS } from '../../src/config/limits.ts'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { SEED } from '../support/seed.ts'
import { sharedService } from '../support/shared-service.ts'
import { until } from '../support/until.ts'

const { platform, customer } = await sharedService({ after })
const HANDLE = platform.world.channel('small').handle!

type Part = { name: string; query: [string, string]; gone: Set<string>; held: Set<string> }

/** A text as the account has it, whichever orders brought it. */
const textOf = ({ videoId, languageCode, trackKind }: Json): string =>
  [videoId, languageCode, trackKind].join()
const delivered = (rows: readonly Json[]): Json[] =>
  rows.filter(({ status }) => status === 'success')

/**
 * Jobs that overlap, a batch with one of them, their channel, a project and rows; each with the texts that its deletion
 * names and those that its files hold.
 */
async function shelf() {
  const buyer = await customer('20')
  const orders = async (body: Json, query = ''): Promise<Json> =>
    buyer.waitsFor((await buyer.asks('POST', `/jobs${query}`, { body })).body)
  const first = await orders({ urls: [HANDLE], maxVideos: 5 })
  const rows = await buyer.readsRows(first)
  const urls = delivered(rows)
    .slice(0, 2)
    .map((row): string => row['videoId'])
  const again = await orders({ urls }, '?owned=again')
  const other = await orders({ urls: [HANDLE], maxVideos: 3, language: 'fr' }, '?owned=again')
  const repeat = await orders({ urls: [...urls, '@dailynotes'], maxVideos: 2 }, '?owned=skip')
  const made = await buyer.asks('POST', '/batches', { body: { urls: [HANDLE], maxVideos: 8 } })
  const batchPath = `/batches/${made.body['id']}`
  await until('the batch is over', async () => (await buyer.gets(batchPath)).state === 'finished')
  const batch = await buyer.gets(batchPath)

  const jobs = [first, again, other, repeat, ...batch['jobs']]
  const all = new Map<string, Json[]>()
  for (const job of jobs) all.set(job['id'], await buyer.readsRows(job))
  const rowsOf = (job: Json): Json[] => all.get(job['id']) ?? []
  const owned = [...all.values()].flat()
  const ownedOf = (videoId: string): Json[] =>
    delivered(owned).filter((row) => row['videoId'] === videoId)
  const parts: Part[] = []
  const behind = async (job: Json): Promise<Set<string>> => {
    const { videos } = await buyer.gets(`/jobs/${job['id']}/results?limit=200&include=textRow`)
    const keys: Json[] = videos.flatMap(({ textRow }: Json) => textRow ?? [])
    return new Set(
      keys.map(({ jobId, index }) =>
        textOf(all.get(jobId)!.find((row) => row['index'] === index)!),
      ),
    )
  }
  for (const job of jobs) {
    const gone = new Set(delivered(rowsOf(job)).map(textOf))
    const held = await behind(job)
    parts.push({ name: 'job', query: ['jobs', job['id']], gone, held })
  }
  const ofBatch = batch['jobs'].flatMap(rowsOf)
  parts.push({
    name: 'batch',
    query: ['batches', batch['id']],
    gone: new Set(delivered(ofBatch).map(textOf)),
    held: union(await Promise.all(batch['jobs'].map(behind))),
  })
  for (const { id } of (await buyer.gets('/library')).collections) {
    const { videos } = await buyer.gets(`/library/${id}/videos?limit=200&status=success`)
    const texts = videos.flatMap(({ videoId }: Json) => ownedOf(videoId).map(textOf))
    const query: [string, string] = ['collections', id]
    const held = new Set<string>(videos.map(textOf))
    parts.push({ name: 'collection', query, gone: new Set(texts), held })
  }
  for (const job of [first, other])
    for (const row of delivered(rowsOf(job)).slice(0, 2)) {
      const text = new Set([textOf(row)])
      const query: [string, string] = ['rows', `${job['id']}.${row['index']}`]
      parts.push({ name: 'row', query, gone: text, held: text })
    }
  return { buyer, parts, first, batch, owned, rowsOf }
}

function addressOf(chosen: readonly Part[]): string {
  const lists = Object.entries(Object.groupBy(chosen, ({ query: [field] }) => field))
  return lists
    .map(([field, parts = []]) => `${field}=${parts.map(({ query: [, id] }) => id).join()}`)
    .join('&')
}

const union = (sets: readonly Set<string>[]): Set<string> =>
  new Set(sets.flatMap((set) => [...set]))

async function reportOf(buyer: Customer, query: string): Promise<string[]> {
  const { status, bytes } = await buyer.asks('GET', `/library/selection/files/report.csv?${query}`)
  assert.equal(status, 200, bytes.toString())
  return bytes.toString().trim().split('\r\n').slice(1)
}

test('whatever is chosen is downloaded, added and counted as one, each text once', async () => {
  const { buyer, parts, owned } = await shelf()
  const names = new Set(parts.map(({ name }) => name))
  assert.deepEqual([...names], ['job', 'batch', 'collection', 'row'])
  const { body: made } = await buyer.asks('POST', '/projects', { body: { name: 'Chosen' } })
  await fc.assert(
    fc.asyncProperty(fc.subarray(parts, { minLength: 1 }), async (chosen) => {
      const query = addressOf(chosen)
      const held = union(chosen.map((part) => part.held))
      assert.equal((await reportOf(buyer, query)).length, held.size, query)

      const gone = union(chosen.map((part) => part.gone))
      const going = delivered(owned).filter((row) => gone.has(textOf(row)))
      const plan = await buyer.asks('DELETE', `/library/selection/texts?${query}&dryRun=true`)
      assert.equal(plan.status, 200, plan.bytes.toString())
      const { videos, texts } = plan.body
      const ids = new Set(going.map(({ videoId }) => videoId))
      assert.deepEqual([videos, texts], [ids.size, going.length], query)

      const lists = Object.groupBy(chosen, ({ query: [field] }) => field)
      const idsOf = (field: string) => lists[field]?.map(({ query: [, id] }) => id)
      const videosChosen = idsOf('rows')?.map((row) => {
        const [jobId, index] = row.split('.')
        return { jobId, index: Number(index) }
      })
      const body = {
        jobs: idsOf('jobs'),
        batches: idsOf('batches'),
        collections: idsOf('collections'),
        videos: videosChosen,
      }
      const path = `/projects/${made['id']}/videos`
      const { videos: before } = await buyer.gets(`/library/${made['id']}/videos?limit=200`)
      const had = new Set<string>(before.map(textOf))
      const { status, body: told } = await buyer.asks('POST', path, { body })
      assert.equal(status, 200)
      const fresh = [...held].filter((text) => !had.has(text)).length
      assert.deepEqual(
        [told['added'], told['present'], told['refusals']],
        [fresh, held.size - fresh, 0],
      )
    }),
    { seed: SEED, numRuns: 12 },
  )
})

test('jobs with their batch and other orders of the same texts go at once, and are told apart before', async () => {
  const { buyer, parts, first, batch, owned, rowsOf } = await shelf()
  const { body: project } = await buyer.asks('POST', '/projects', { body: { name: 'All' } })
  const ids = [first['id'], ...batch['jobs'].map(({ id }: Json) => id)]
  await buyer.asks('POST', `/projects/${project['id']}/videos`, { body: { jobs: ids } })
  const query = `jobs=${ids.join()},${first['id']}&batches=${batch['id']}`
  const gone = union(parts.filter(({ query: [, id] }) => ids.includes(id)).map((part) => part.gone))
  const going = delivered(owned).filter((row) => gone.has(textOf(row)))
  const { body: plan } = await buyer.asks('DELETE', `/library/selection/texts?${query}&dryRun=true`)
  const jobsOf = (rows: readonly Json[]) => new Set(rows.map(({ videoId }) => videoId)).size
  assert.deepEqual([plan['texts'], plan['videos']], [going.length, jobsOf(going)])
  assert.equal(plan['otherJobs'], 1, 'the job that bought two of them again')
  assert.deepEqual(plan['projects'], [{ id: project['id'], name: 'All', texts: gone.size }])
  const other = delivered(rowsOf(first))[0]!
  assert.equal((await buyer.asks('DELETE', `/library/selection/texts?${query}`)).status, 204)
  const after = await buyer.readsRows(first)
  assert.deepEqual(
    delivered(after).map(({ text }) => text),
    delivered(after).map(() => null),
  )
  assert.equal((await buyer.gets(`/jobs/${first['id']}`)).billing.charged, first['billing'].charged)
  const row = `rows=${first['id']}.${other['index']}`
  const file = await buyer.asks('GET', `/library/selection/files/zip?${row}`)
  assert.equal(file.status, 404)
  assert.match(file.body['error'].message, /^None of these has a text/)
})

test('what is not the account’s is named, and too much, nothing and a misspelling are refused', async () => {
  const buyer = await customer('1')
  const { job } = await buyer.orders({ urls: [HANDLE], maxVideos: 1 })
  const neighbour = await customer('1')
  const { job: theirs } = await neighbour.orders({ urls: [HANDLE], maxVideos: 1 })
  const { collections } = await neighbour.gets('/library')
  const own = `jobs=${job['id']}`
  const cases: [string, number, RegExp][] = [
    [`jobs=${job['id']},${theirs['id']},nothing`, 404, new RegExp(`no job ${theirs['id']};`)],
    [`${own}&batches=batch_none`, 404, /no batch batch_none;/],
    [`${own}&collections=PLnothing&rows=x.1`, 404, /no collection PLnothing;/],
    [`${own}&rows=${theirs['id']}.1`, 404, new RegExp(`no row 1 of job ${theirs['id']};`)],
    [`rows=${job['id']}.4294967296`, 404, /no row 4294967296 of job /],
    [`rows=${job['id']}`, 400, /./],
    ['', 400, /Nothing is chosen/],
    [`jobs=${numbered(LIMITS.selectionMax + 1)}`, 400, /at most 100 parts, and this one has 101/],
    [`jobs=${numbered(99)}&rows=a.1,a.2`, 400, /has 101/],
    [`jobs=${numbered(100)}`, 404, /no job id-0;/],
    [`jobs=${numbered(100)},id-0`, 404, /no job id-0;/],
  ]
  assert.ok(collections.length > 0)
  const { paths } = await buyer.gets('/openapi.json')
  for (const [query, status, message] of cases)
    for (const [method, path] of [
      ['GET', '/library/selection/files/zip'],
      ['GET', '/library/selection/files/export.md'],
      ['DELETE', '/library/selection/texts'],
    ] as const) {
      const reply = await buyer.asks(method, `${path}?${query}`)
      assert.equal(reply.status, status, `${method} ${path}?${query}: ${reply.bytes.toString()}`)
      assert.match(reply.body['error'].message, message)
      const { responses } =
        paths[path.replace(/\/files\/.+/, '/files/{file}')][method.toLowerCase()]
      assert.ok(status in responses, `${method} ${path} may answer ${status}`)
    }
  const misspelt = await buyer.asks('DELETE', `/library/selection/texts?${own}&dryrun=true`)
  assert.equal(misspelt.status, 400)
  const { body: project } = await buyer.asks('POST', '/projects', { body: { name: 'P' } })
  const path = `/projects/${project['id']}/videos`
  const refused = await buyer.asks('POST', path, { body: { jobs: [job['id'], theirs['id']] } })
  assert.deepEqual(
    [refused.status, (await buyer.gets(`/projects/${project['id']}`)).videos],
    [404, 0],
  )
  const two = await buyer.asks('POST', path, { body: { jobs: [job['id']], job: job['id'] } })
  assert.equal(two.status, 400)
  for (const filter of [{ q: 'no title' }, { language: 'fr' }]) {
    const filtered = await buyer.asks('POST', path, { body: { jobs: [job['id']], ...filter } })
    assert.equal(filtered.status, 400)
    assert.match(filtered.body['error'].message, /choose of one collection/)
  }
  const untaken = (await buyer.readsRows(job)).find((row) => row['status'] === 'truncated')
  const none = `rows=${job['id']}.${untaken?.['index']}`
  const file = await buyer.asks('GET', `/library/selection/files/zip?${none}`)
  assert.match(file.body['error'].message, /nothing of them was delivered, or it is deleted/)
})

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, at) => `id-${at}`).join()

test('nothing of a selection is deleted while one of its jobs is open, and the refusal names which', async () => {
  const buyer = await customer('1')
  const { job, rows } = await buyer.orders({ urls: [HANDLE], maxVideos: 1 })
  platform.apply({ faults: [{ do: 'hang', on: 'browse' }] })
  const { body: open } = await buyer.asks('POST', '/jobs', { body: { urls: ['@endlessarchive'] } })
  const query = `jobs=${job['id']},${open['id']}`
  for (const dry of ['', '&dryRun=true']) {
    const reply = await buyer.asks('DELETE', `/library/selection/texts?${query}${dry}`)
    const { code, jobId, message } = reply.body['error']
    assert.deepEqual([reply.status, code, jobId], [409, 'job_in_progress', open['id']])
    assert.ok(message.includes(open['id']) && !message.includes(job['id']), message)
  }
  assert.equal((await reportOf(buyer, query)).length, 1, 'what is there can be downloaded')
  platform.clear()
  await buyer.asks('POST', `/jobs/${open['id']}/cancel`)
  await buyer.waitsFor(open)
  assert.deepEqual(await buyer.readsRows(job), rows)
})
