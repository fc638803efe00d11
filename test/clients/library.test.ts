/** The client library against the real service: jobs, rows, files, errors, aborts. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  ApiError,
  ConnectionError,
  IdempotencyConflictError,
  InsufficientBalanceError,
  InvalidRequestError,
  InvalidUrlError,
  JobEndedError,
  type JobEvent,
  JobInProgressError,
  NotFoundError,
  ReceiptError,
  Scriptorium,
  TimeoutError,
  UnauthorizedError,
  verifyReceipt,
} from '../../clients/typescript/src/index.ts'
import { retryDelayMs } from '../../clients/typescript/src/retry.ts'
import { truthOf } from '../../emulator/truth.ts'
import { type Fault, faultyProxy } from '../support/faulty-proxy.ts'
import { sharedService } from '../support/shared-service.ts'

const CHANNEL = 'https://www.youtube.com/@smallworkshop'

const { platform, address, customer } = await sharedService({ after })
const faults: Fault[] = []
const proxy = await faultyProxy({ after }, address, { choose: () => faults.shift() ?? 'none' })
const [{ apiKey }, rested] = await Promise.all([customer('10'), customer('1')])
const client = new Scriptorium({ apiKey, baseUrl: address })
const shaken = new Scriptorium({ apiKey, baseUrl: `${proxy.address}/`, backoffMs: 5 })

test('a list of URLs becomes the delivered videos with their texts', async () => {
  const transcripts = client.transcripts(CHANNEL, { maxVideos: 10 })
  const texts = new Map<string, string>()
  let next = await transcripts.next()
  for (; next.done !== true; next = await transcripts.next()) {
    texts.set(next.value.videoId, next.value.text)
  }
  const job = next.value
  assert.equal(job.progress.delivered, texts.size)
  assert.ok(texts.size > 0)
  for (const [videoId, text] of texts) {
    const [video] = truthOf(platform.world, { video: videoId }).videos
    const published = video?.tracks.map(({ segments }) => segments.map((one) => one.text).join(' '))
    assert.ok(published?.includes(text), videoId)
  }
})

test('a second order of the same URLs joins the job that runs, and is told so by `start`', async () => {
  const urls = `${CHANNEL}/videos`
  const job = await client.jobs.start({ urls })
  const refusal = await errorOf(client.jobs.start({ urls }))
  assert.ok(refusal instanceof JobInProgressError)
  assert.equal(refusal.jobId, job.id)
  assert.equal((await client.jobs.startOrJoin({ urls })).id, job.id)
  const seen: string[] = []
  const done = await client.jobs.wait(job.id, { onProgress: ({ state }) => seen.push(state) })
  assert.equal(done.state, 'finished')
  assert.equal(seen.at(-1), 'finished')
  const { jobs, total } = await client.jobs.list({ limit: 1 })
  assert.deepEqual([jobs[0]?.id, total], [job.id, 2])
  assert.equal((await client.balance()).currency, 'USD')
  const preview = await client.preview({ urls })
  assert.deepEqual([preview.state, preview.sources.length], ['ready', 1])
})

test('a job is followed by its events, each row once, over connections that break', async () => {
  const job = await client.jobs.start({ urls: `${CHANNEL}?followed` })
  const told: JobEvent[] = []
  faults.push('cut before', 'cut within')
  for await (const event of shaken.jobs.events(job.id)) told.push(event)
  assert.deepEqual(faults, [])
  assert.deepEqual([told[0]?.type, told.at(-1)?.type], ['job', 'end'])
  const videos = told.filter((event) => event.type === 'video')
  const { videos: rows } = await client.jobs.resultsPage(job.id, { limit: 200, view: 'rows' })
  assert.deepEqual(
    videos.map(({ video }) => video).toSorted((a, b) => a.index - b.index),
    rows,
  )
  const rest: JobEvent[] = []
  const lastEventId = videos.at(-4)!.id
  for await (const event of client.jobs.events(job.id, { lastEventId })) rest.push(event)
  assert.deepEqual(
    rest.filter((event) => event.type === 'video'),
    videos.slice(-3),
  )
})

test('a job that was cancelled ends the iterator with an error that holds it', async () => {
  const urls = `${CHANNEL}/shorts`
  const first = client.transcripts(urls, { maxVideos: 500 })[Symbol.asyncIterator]()
  const ending = errorOf(
    (async () => {
      while ((await first.next()).done !== true);
    })(),
  )
  const job = await until(async () => {
    const { jobs } = await client.jobs.list({ limit: 1 })
    return jobs[0]?.input.urls[0] === urls ? jobs[0] : null
  })
  await client.jobs.cancel(job.id)
  const error = await ending
  if (error !== null) {
    assert.ok(error instanceof JobEndedError)
    assert.deepEqual([error.code, error.jobId, error.job.state], ['job_ended', job.id, 'cancelled'])
  } else assert.equal((await client.jobs.get(job.id)).state, 'finished')
})

test('what is followed is made, found by its line, changed and removed', async () => {
  const { subscriptions } = client
  const made = await subscriptions.create({ url: '@dailynotes', monthlyCap: '0.5', everyHours: 6 })
  assert.equal((await subscriptions.find(' @dailynotes'))?.id, made.id)
  const changed = await subscriptions.change(made.id, { everyHours: null, state: 'paused' })
  assert.deepEqual([made.everyHours, changed.everyHours, changed.state], [6, undefined, 'paused'])
  assert.deepEqual(await subscriptions.get(made.id), changed)
  await subscriptions.remove(made.id)
  assert.equal((await subscriptions.list()).total, 0)
})

test('each refusal has its class, with code, status, request id and field', async () => {
  const poor = new Scriptorium({ apiKey: (await customer('0.001')).apiKey, baseUrl: address })
  const key = { idempotencyKey: 'one' }
  await client.jobs.wait((await client.jobs.start({ urls: 'zzzzzzzzzz1', maxVideos: 1 }, key)).id)
  const stranger = new Scriptorium({ apiKey: 'sk_none', baseUrl: address })
  const cases: [() => Promise<unknown>, typeof ApiError, string, number, string | null][] = [
    [() => client.jobs.get('none'), NotFoundError, 'not_found', 404, null],
    [() => client.jobs.get('../balance'), NotFoundError, 'not_found', 404, null],
    [
      () => client.jobs.start({ urls: 'https://example.org' }),
      InvalidUrlError,
      'invalid_url',
      400,
      'urls',
    ],
    [
      () => client.jobs.start({ urls: 'zzzzzzzzzz1', maxVideos: 0 }),
      InvalidRequestError,
      'invalid_request',
      400,
      'maxVideos',
    ],
    [
      () => client.jobs.start({ urls: 'zzzzzzzzzz2' }, key),
      IdempotencyConflictError,
      'idempotency_conflict',
      409,
      null,
    ],
    [
      () => poor.jobs.start({ urls: CHANNEL }),
      InsufficientBalanceError,
      'insufficient_balance',
      402,
      null,
    ],
    [() => stranger.balance(), UnauthorizedError, 'unauthorized', 401, null],
  ]
  for (const [call, Refusal, code, status, field] of cases) {
    const error = await errorOf(call())
    assert.ok(error instanceof Refusal, `${code}: ${error}`)
    assert.deepEqual([error.code, error.status, error.field], [code, status, field])
    assert.match(error.requestId ?? '', /^[\w-]{36}$/)
    assert.equal(error.name, Refusal.name)
  }
})

test('a request that failed in passing is sent again, with the same key', async () => {
  faults.push('cut before', 'cut after')
  const urls = 'zzzzzzzzzz3'
  const job = await shaken.jobs.start({ urls, maxVideos: 1 })
  assert.deepEqual(faults, [])
  await client.jobs.wait(job.id)
  const { jobs } = await client.jobs.list()
  assert.equal(jobs.filter(({ input }) => input.urls[0] === urls).length, 1)
})

test('a request that goes on failing ends with what failed last', async () => {
  faults.push('cut before', 'cut within', 'cut after')
  const lost = await errorOf(shaken.balance())
  assert.ok(lost instanceof ConnectionError && !(lost instanceof TimeoutError))
  assert.deepEqual([lost.code, lost.status], ['connection_lost', null])
  faults.push('503')
  const once = new Scriptorium({ apiKey, baseUrl: proxy.address, maxRetries: 0 })
  const busy = await errorOf(once.balance())
  assert.ok(busy instanceof ApiError)
  assert.deepEqual([busy.code, busy.retryAfter], ['server_busy', 1])
  const slow = await faultyProxy({ after }, address, { choose: () => 'delay' }) // its own: unmet faults stay
  const hasty = new Scriptorium({ apiKey, baseUrl: slow.address, maxRetries: 0, timeoutMs: 10 })
  assert.ok((await errorOf(hasty.balance())) instanceof TimeoutError)
})

test('a file that is cut goes on where it broke off, byte for byte', async () => {
  const { jobs } = await client.jobs.list({ limit: 50 })
  const { id } = jobs.find(({ progress }) => progress.delivered > 5)!
  for (const name of ['zip', 'text', 'report'] as const) {
    const whole = await bytesOf(await client.files[name](id))
    faults.push('cut within', 'cut before', 'cut within')
    const stream = await shaken.files[name](id)
    const pieced = await bytesOf(stream)
    assert.ok(whole.equals(pieced), name)
    assert.deepEqual(faults, [], name)
    if (name === 'zip') assert.equal(stream.sizeBytes, whole.length)
  }
  const [row] = (await client.jobs.resultsPage(id, { limit: 1 })).videos
  const segments = await bytesOf(await client.files.video(id, row!.index, 'segments'))
  assert.deepEqual(JSON.parse(segments.toString()), row?.segments)
})

test('a receipt holds, with the texts it is about; a changed one, or one of another issuer, does not', async () => {
  const { jobs } = await client.jobs.list({ limit: 50 })
  const { id } = jobs.find(({ progress }) => progress.delivered > 5)!
  const receipt = await client.jobs.receipt(id)
  const { issuer } = receipt
  const { videos } = await client.jobs.resultsPage(id)
  await verifyReceipt(receipt, { issuer: `${issuer}/`, videos })

  const other = videos.map((video) => ({ ...video, text: `${video.text}!` }))
  const moved = structuredClone(receipt)
  moved.ledger.entries[0]!.createdAt = '2020-01-01T00:00:00.000Z'
  const cases: [Parameters<typeof verifyReceipt>, RegExp][] = [
    [[{ ...receipt, charged: '0.000' }, { issuer }], /signature.*charged is not transcripts/],
    [[moved, { issuer }], /signature.*entry \d+ was changed/],
    [[receipt, { issuer, videos: other }], /^The receipt is not valid: the text of \d+ is not/],
    [[receipt, { keys: [] }], /publishes no key/],
    [[{ ...receipt, issuer: 'https://example.org' }, { issuer }], /names https:\/\/example.org/],
  ]
  for (const [call, sentence] of cases) {
    const error = await errorOf(verifyReceipt(...call))
    assert.ok(error instanceof ReceiptError)
    assert.match(error.message, sentence)
  }
})

test('a signal ends a call, a wait and an iteration with its own reason', async () => {
  const reason = new Error('enough')
  const signal = AbortSignal.abort(reason)
  await assert.rejects(client.balance({ signal }), reason)
  await assert.rejects(client.jobs.wait('any', { signal }), reason)
  await assert.rejects(client.transcripts(CHANNEL, { signal }).next(), reason)
  const later = new AbortController()
  faults.push('503')
  const retrying = shaken.balance({ signal: later.signal })
  later.abort(reason)
  await assert.rejects(retrying, reason)
})

test('a key from a function is asked for anew once it is refused', async () => {
  const refusals: (string | null)[] = []
  const rotating = new Scriptorium({
    baseUrl: address,
    apiKey: (refused) => {
      refusals.push(refused)
      return refused === null ? 'sk_old' : rested.apiKey // its bucket is full: a 429 would ask again
    },
  })
  assert.equal((await rotating.balance()).currency, 'USD')
  assert.deepEqual(refusals, [null, 'sk_old'])
})

test('the delay before a retry grows, obeys Retry-After and has an end', () => {
  const lost = new ConnectionError({ code: 'connection_lost', message: '' })
  const refused = (status: number, retryAfter: number | null): ApiError =>
    new ApiError({ code: 'x', message: '', status, retryAfter })
  const cases: [Error, number, number | null][] = [
    [lost, 0, 500],
    [lost, 1, 1_000],
    [lost, 9, 8_000],
    [refused(429, 3), 0, 3_000],
    [refused(503, 61), 0, null],
    [refused(500, null), 0, 500],
    [refused(408, null), 0, 500],
    [refused(404, null), 0, null],
    [refused(409, null), 0, null],
    [new Error('other'), 0, null],
  ]
  for (const [error, retries, delay] of cases)
    assert.equal(retryDelayMs(error, { retries, random: 1 }), delay, String(error))
  assert.equal(retryDelayMs(lost, { retries: 0, random: 0 }), 250)
})

async function errorOf(pending: Promise<unknown>): Promise<unknown> {
  return pending.then(
    () => null,
    (error: unknown) => error,
  )
}

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  return Buffer.from(await new Response(stream).arrayBuffer())
}

async function until<T>(look: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== null) return found
  }
}
