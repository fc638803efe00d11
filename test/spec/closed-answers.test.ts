/**
 * The answers of the seven operations have the fields of the specification and none beyond, in every state that a job,
 * an order or a key can be in. A customer refuses each answer that is not of its closed shape
 * (tools/conformance/closed-shapes.ts); the orders here see to it that each state is met.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertClosed } from '../../tools/conformance/closed-shapes.ts'
import { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { truthOf } from '../../emulator/truth.ts'
import { issueKey } from '../../src/features/accounts/keys.ts'
import { endJob } from '../../src/features/jobs/attempt.ts'
import { confirmConsent } from '../../src/features/oauth/consent.ts'
import { issueAppTokens } from '../../src/features/oauth/tokens.ts'
import { sweepTexts } from '../../src/features/transcripts/sweep-texts.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { JOB_STATES } from '../../src/model/jobs/job.ts'
import { ROW_STATUSES } from '../../src/model/jobs/video-row.ts'
import { lockJobWithBalance } from '../../src/store/locked-job.ts'
import { findLiveGrant } from '../../src/store/oauth-grants.ts'
import { follows, stops } from '../following/customers.ts'
import { passHours, untilQuiet } from '../following/time.ts'
import { views } from '../previews/previewing.ts'
import { holdAfter } from '../support/held-platform.ts'
import { sharedService } from '../support/shared-service.ts'
import { until } from '../support/until.ts'

const service = await sharedService({ after })
const { platform, database, customer, address } = service
const { db, pool } = database
const { world } = platform
const { videos } = truthOf(world, { limit: 10_000 })
const captioned = videos.filter(({ status }) => status === 'success').map(({ videoId }) => videoId)
const CHANNEL = world.channel('medium').handle!

const seen = { states: new Set<string>(), statuses: new Set<string>() }

/** Reads all that there is of a job, plain and with what parameters add; each answer is held against its shape. */
async function looks(buyer: Customer, { id }: Json): Promise<Json> {
  const job = await buyer.gets(`/jobs/${id}`)
  await buyer.gets(`/jobs/${id}?view=named`)
  for (const view of ['plain', 'named']) await buyer.gets(`/jobs?limit=50&view=${view}`)
  const { videos: rows } = await buyer.gets(`/jobs/${id}/results?limit=200`)
  await buyer.gets(`/jobs/${id}/results?view=rows&status=success`)
  await buyer.gets(`/jobs/${id}/results?limit=200&include=textRow`)
  await buyer.gets(`/jobs/${id}/results?limit=200&view=located`)
  await buyer.gets('/balance')
  const delivered = rows.find(({ files }: Json) => files.segments !== undefined)
  if (delivered !== undefined) await buyer.gets(`/jobs/${id}/files/${delivered.index}.json`)
  seen.states.add(job['state'])
  for (const { status } of rows) seen.statuses.add(status)
  return job
}

/** Orders, reads the job until it is final, and then once more. */
async function orders(buyer: Customer, body: Json, query = '', headers = {}): Promise<Json> {
  const reply = await buyer.asks('POST', `/jobs${query}`, { body, headers })
  assert.equal(reply.status, 201, reply.bytes.toString())
  seen.states.add(reply.body['state'])
  const job = await looks(buyer, await buyer.waitsFor(reply.body))
  return { ...job, notices: reply.body['notices'] }
}

async function refuses(buyer: Customer, body: unknown, code: string, headers = {}): Promise<void> {
  const reply = await buyer.asks('POST', '/jobs', { body, headers })
  assert.equal(reply.body['error']?.code, code)
}

/** Starts a job that is at work until the platform is cleared, and has delivered something. */
async function starts(buyer: Customer, headers = {}): Promise<Json> {
  holdAfter(platform, 2)
  const job = await buyer.startsJob({ urls: CHANNEL }, headers)
  await until('something is delivered', async () => {
    return (await buyer.gets(`/jobs/${job['id']}`))['progress'].delivered > 0
  })
  return job
}

test('limited by the balance, at work, replayed, refused, cancelled', async () => {
  const buyer = await customer('0.085')
  const key = { 'Idempotency-Key': 'once' }
  const job = await starts(buyer, key)
  assert.match(job['notices'].join(' '), /The balance covers 10 of the 500/)
  await looks(buyer, job)
  const replay = await buyer.asks('POST', '/jobs', { body: { urls: CHANNEL }, headers: key })
  assert.deepEqual([replay.status, replay.body['notices']], [200, job['notices']])
  await refuses(buyer, { urls: CHANNEL }, 'job_in_progress')
  await refuses(buyer, { urls: captioned.slice(0, 2) }, 'idempotency_conflict', key)
  await refuses(buyer, { urls: captioned.slice(0, 1) }, 'insufficient_balance')
  await refuses(buyer, { urls: 'https://example.org/' }, 'invalid_url')
  await refuses(buyer, { urls: CHANNEL, more: 1 }, 'invalid_request')
  const { status, body } = await buyer.asks('POST', `/jobs/${job['id']}/cancel`)
  assert.deepEqual([status, body['state']], [202, 'cancelling'])
  seen.states.add(body['state']) // its worker ends it at once
  await looks(buyer, job)
  assert.equal((await looks(buyer, await buyer.waitsFor(job)))['state'], 'cancelled')
  platform.clear()
})

for (const state of ['failed', 'interrupted'] as const) {
  test(`ended by our own fault: ${state}`, async () => {
    const buyer = await customer('1')
    const { accountId } = buyer
    const job = await starts(buyer)
    const error = 'Something went wrong on our side.'
    await transact(db, async (tx) => {
      const locked = await lockJobWithBalance(tx, { jobId: job['id'], accountId })
      await endJob(tx, locked, { state, error })
    })
    platform.clear()
    assert.deepEqual((await looks(buyer, job))['error'], error)
  })
}

test('rows of every status, and a job of which nothing came', async () => {
  const buyer = await customer('1')
  const [one = '', two = '', three = ''] = captioned
  platform.apply({
    faults: [
      { do: 'page_reload', on: 'player', video: one },
      { do: 'unknown_status', video: two },
    ],
  })
  const statuses = Map.groupBy(videos, ({ status }) => status)
  const others = ['private', 'unavailable', 'no_captions', 'language_not_available'].flatMap(
    (status) => statuses.get(status as never)?.[0]?.videoId ?? [],
  )
  const gone = `https://www.youtube.com/playlist?list=PL${'x'.repeat(32)}`
  await orders(buyer, {
    urls: [one, two, ...others, three, gone, ...captioned.slice(3, 5)],
    maxVideos: 8,
  })
  platform.clear()
  const none = await orders(buyer, { urls: three, publishedBefore: '1999-12-31' })
  assert.equal(none['progress'].delivered, 0)
})

test('waited for, previewed, partly owned, asked again, named', async () => {
  const buyer = await customer('1')
  const urls = captioned.slice(0, 3)
  const waited = await orders(buyer, { urls: urls.slice(0, 2) }, '', { Prefer: 'wait=60' })
  assert.equal(waited['progress'].delivered, 2)
  await buyer.asks('PATCH', `/jobs/${waited['id']}`, { body: { name: 'Mine', note: 'Words' } })
  const preview = await views(buyer, { urls }, '?owned=skip')
  const query = `?owned=skip&preview=${preview['id']}`
  const { progress } = await orders(buyer, { urls, language: 'en' }, query)
  assert.equal(progress.counts.unchanged, 2)
  const again = await orders(buyer, { urls, language: 'de' }, '?view=named&preview=none')
  assert.ok(again['notices'].length > 1)
  await looks(buyer, waited)
})

test('jobs of a batch and of a followed channel', async () => {
  const buyer = await customer('1')
  const batch = await buyer.asks('POST', '/batches', {
    body: { urls: captioned.slice(0, 60), maxVideos: 3 },
  })
  assert.equal(batch.status, 201, batch.bytes.toString())
  const made = await follows(buyer, world.channel('small').handle!, { monthlyCap: '1', backlog: 2 })
  await untilQuiet(service)
  await passHours(service, { aheadMs: 0 }, 90_000_000)
  await untilQuiet(service)
  const { jobs } = await buyer.gets('/jobs')
  assert.ok(jobs.some(({ input }: Json) => input.urls[0] === world.channel('small').handle))
  assert.ok(jobs.length > 1)
  for (const job of jobs) await looks(buyer, job)
  await stops(buyer, made)
})

test('ordered by a limited key, and by an app', async () => {
  const { accountId } = await customer('1')
  const limits = { scopes: null, monthlyCapMicros: 16_000n }
  const { apiKey } = await transact(db, (tx) => issueKey(tx, { accountId, name: 'few', limits }))
  const few = await orders(new Customer({ address, accountId, apiKey }), {
    urls: captioned.slice(0, 3),
  })
  assert.match(few['notices'].join(' '), /monthly limit of this key/)
  const app = new Customer({ address, accountId, apiKey: await appToken(accountId) })
  const capped = await orders(app, { urls: captioned.slice(0, 4) })
  assert.match(capped['notices'].join(' '), /monthly limit of this app/)
})

async function appToken(accountId: string): Promise<string> {
  const redirectUri = 'https://app.example/callback'
  const client = {
    id: 'https://app.example/',
    kind: 'document' as const,
    name: 'App',
    redirectUris: [redirectUri],
  }
  const asked = {
    redirectUri,
    state: null,
    challenge: 'c'.repeat(43),
    scopes: ['transcripts:read' as const, 'jobs:write' as const, 'account:read' as const],
    audience: ['api' as const],
  }
  await confirmConsent(db, { accountId, client, asked, monthlyCapMicros: 16_000n })
  const { rows } = await pool.query(
    'select g.id from oauth_grant g join app_connection c on c.id = g.connection_id where c.account_id = $1',
    [accountId],
  )
  return transact(db, async (tx) => {
    const { access_token } = await issueAppTokens(tx, (await findLiveGrant(tx, rows[0].id))!)
    return access_token
  })
}

test('with its texts deleted', async () => {
  const buyer = await customer('1')
  const job = await orders(buyer, { urls: captioned.slice(0, 2) })
  await pool.query(
    `update job set finished_at = finished_at - interval '9999 days' where id = $1`,
    [job['id']],
  )
  await sweepTexts(db, 9000)
  await looks(buyer, job)
  const { videos: rows } = await buyer.gets(`/jobs/${job['id']}/results`)
  assert.deepEqual(
    rows.map(({ text, files }: Json) => [text, files]),
    [
      [null, {}],
      [null, {}],
    ],
  )
})

test('a field more in any object of any answer is named by its path, and so is one that is missing', async () => {
  const buyer = await customer('1')
  const body = { urls: captioned.slice(0, 2) }
  const headers = { Prefer: 'wait=60' }
  const started = await buyer.asks('POST', '/jobs', { body, headers })
  const { id } = started.body
  let tried = 0
  for (const [method, path] of [
    ['POST', '/jobs'],
    ['GET', '/jobs'],
    ['GET', `/jobs/${id}?view=named`],
    ['GET', `/jobs/${id}/results`],
    ['GET', `/jobs/${id}/results?include=textRow`],
    ['GET', `/jobs/${id}/results?view=located`],
    ['GET', `/jobs/${id}/files/1.json`],
    ['GET', '/balance'],
    ['GET', '/jobs/none'],
  ] as const) {
    const reply = method === 'POST' ? started : await buyer.asks(method, path)
    const fails = (named: string): void =>
      assert.throws(() => assertClosed(method, path, reply), new RegExp(`\\b${named}`), named)
    for (const { at, object } of objectsIn(reply.body)) {
      object['more'] = null
      fails(`${at}more is not in the specification`)
      delete object['more']
      const [first = '', value] = Object.entries(object)[0]!
      delete object[first]
      fails(`${at}${first} is missing`)
      object[first] = value
      tried += 2
    }
    assertClosed(method, path, reply)
  }
  assert.ok(tried > 50, `${tried} tries`)
})

/** Returns the objects in an answer with their paths, maps (`counts`, `files`) excepted. */
function objectsIn(value: unknown, at = ''): { at: string; object: Json }[] {
  if (typeof value !== 'object' || value === null || /(counts|files)\/$/.test(at)) return []
  const parts = Object.entries(value).flatMap(([name, part]) => objectsIn(part, `${at}${name}/`))
  return Array.isArray(value) ? parts : [{ at, object: value as Json }, ...parts]
}

test('every state of a job and every status of a row was among them', () => {
  assert.deepEqual([...seen.states].toSorted(), [...JOB_STATES].toSorted())
  assert.deepEqual([...seen.statuses].toSorted(), [...ROW_STATUSES].toSorted())
})
