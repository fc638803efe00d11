/**
 * Agents at POST /mcp: the official clients of both eras order, wait, read and cancel, and are refused as any caller
 * is.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Json } from '../../tools/conformance/http.ts'
import { type Agent, legacyAgent, modernAgent, pipedAgent } from './agents.ts'
import { holdAfter } from '../support/held-platform.ts'
import { sharedService } from '../support/shared-service.ts'

const ELEVEN_HOURS = 'https://www.youtube.com/watch?v=TKWVJ9FIq-8'
const CHANNEL = 'https://www.youtube.com/@smallworkshop'

const { platform, customer, database } = await sharedService({ after })

/** The customer of the tests that read, with one long job, whose video takes a second to fetch. */
const reader = await customer()
const CONNECTS = { modern: modernAgent, legacy: legacyAgent }
const agents = { modern: await modernAgent(reader), legacy: await legacyAgent(reader) }
after(() => Promise.all(Object.values(agents).map((agent) => agent.close())))
const started = await agents.modern.asks('start_job', { urls: ELEVEN_HOURS })
const long = { jobId: started['jobId'], index: 1 }

test('an agent orders a video and waits; only that video is reserved and charged', async () => {
  assert.equal(agents.legacy.client.getServerVersion()?.name, 'scriptorium')
  assert.deepEqual([started['maxVideos'], started['reservedUsd']], [1, '0.008'])
  let job = started
  while (job['isFinal'] !== true)
    job = await agents.legacy.asks('get_job', { jobId: long.jobId, waitSeconds: 45 })
  assert.deepEqual([job['state'], job['chargedUsd']], ['finished', '0.008'])
  const { content } = await agents.modern.calls('get_transcript', { video: ELEVEN_HOURS })
  assert.match(
    content[0]?.['text'],
    /^1, .*, characters 0 to \d{5} of \d{6}, next cursor \d{5}\nYours already, /,
  )
  const { videos, complete } = await agents.modern.asks('list_results', { jobId: long.jobId })
  assert.deepEqual([complete, videos.length, videos[0].status], [true, 1, 'success'])
  const delivered = { jobId: long.jobId, status: 'success' }
  assert.deepEqual((await agents.modern.asks('list_results', delivered))['videos'], videos)
})

for (const [era, agent] of Object.entries(agents)) {
  test(`an agent (${era}) reads eleven hours whole by cursors; a resource gives them at once`, async () => {
    const file = (await reader.downloads(`/jobs/${long.jobId}/files/1.txt`)).toString()
    const read = await readWhole(agent, { ...long, maxChars: 60_000 })
    assert.ok(read.text.length > 300_000 && read.pages > 5, `${read.text.length} characters`)
    assert.ok(read.text === file, 'pages joined are the file')
    const { content } = await agent.calls('list_results', { jobId: long.jobId })
    const { uri } = content[1] ?? {}
    const { contents } = (await agent.client.readResource({ uri })) as { contents: Json[] }
    assert.ok(contents[0]?.['text'] === file)
  })
}

for (const era of ['modern', 'legacy'] as const) {
  test(`the command \`mcp\` (${era}) has the tools of the service, and passes on what is refused`, async () => {
    const piped = await pipedAgent(reader, era)
    assert.deepEqual(await piped.client.listTools(), await agents[era].client.listTools())
    assert.deepEqual(await piped.asks('get_balance'), await agents[era].asks('get_balance'))
    const { content } = await piped.calls('read_transcript', { ...long, maxChars: 100 })
    assert.match(content[0]?.['text'], /^1, .*, characters 0 to \d+ of \d+, next cursor \d+\n\n/)
    assert.equal((await piped.isRefused('get_job', { jobId: 'none' }))['code'], 'not_found')
    await piped.close()
  })
}

test('lines with times, joined, are the segments; a cursor is a number or its digits', async () => {
  const who = await customer()
  const agent = await modernAgent(who)
  const { job, rows } = await who.orders({ urls: [CHANNEL], maxVideos: 1 })
  const video = rows.find((row) => row['status'] === 'success')
  const segments: Json[] = video?.['segments']
  const about = { jobId: job['id'], index: video?.['index'], timestamps: true, maxChars: 1_000 }
  const { text, pages } = await readWhole(agent, about)
  assert.ok(pages > 3)
  const lines = text.split('\n').slice(0, -1)
  assert.deepEqual(
    lines,
    segments.map(({ startMs, text: words }) => `[${clockOf(startMs)}] ${words}`),
  )
  const page = (cursor: unknown) => agent.calls('read_transcript', { ...about, cursor })
  assert.deepEqual(await page(50), await page('50'))
  const behind = await agent.isRefused('read_transcript', { ...about, cursor: 9_999_999 })
  assert.equal(behind['code'], 'invalid_request')
  assert.match(behind['message'], /^cursor 9999999 is behind the end: the text has \d+ /)
  await agent.close()
})

/** `0:01:02`, for videos shorter than a day. */
const clockOf = (ms: number): string => new Date(ms).toISOString().slice(11, 19).replace(/^0/, '')

test('a list without maxVideos starts nothing and is answered with a preview and what it may cost', async () => {
  const who = await customer('0.08')
  const agent = await modernAgent(who)
  const { isError, content } = await agent.calls('start_job', { urls: [CHANNEL] })
  const [{ error }, preview] = content.map(({ text }) => JSON.parse(text))
  assert.deepEqual([isError, error.code], [true, 'invalid_request'])
  assert.match(error.message, /^maxVideos is required .* up to 10 videos for \$0\.08 /)
  assert.deepEqual(
    [preview.state, preview.wouldTake, preview.costAtMostUsd],
    ['ready', 10, '0.080'],
  )
  assert.deepEqual([preview.sourceCount, preview.sources[0].kind], [1, 'channel'])
  assert.equal((await who.gets('/jobs'))['total'], 0)

  const order = { urls: [CHANNEL], maxVideos: 2, previewId: preview.previewId, waitSeconds: 45 }
  const started = await agent.asks('start_job', order)
  assert.deepEqual(
    [started['state'], started['delivered'], started['balanceUsd'], started['notices']],
    ['finished', 2, '0.064', undefined],
  )
  const again = await agent.asks('preview_job', { urls: [CHANNEL], maxVideos: 3 })
  const [source] = again['sources']
  assert.deepEqual([source.line, source.delivered], [CHANNEL, 2])
  assert.deepEqual([again['balanceUsd'], again['monthlyCapLeftUsd']], ['0.064', undefined])
  const byRest = (await who.asks('GET', `/previews/${again['previewId']}`)).body
  assert.deepEqual([byRest['wouldTake'], byRest['costAtMost']], [3, again['costAtMostUsd']])
  await agent.close()
})

test('an agent with a limited key is told what is left of its cap', async () => {
  const who = await customer('1')
  const { rowCount } = await database.pool.query(
    'update api_key set monthly_cap_micros = 24000 where account_id = $1',
    [who.accountId],
  )
  assert.equal(rowCount, 1)
  const agent = await modernAgent(who)
  assert.equal((await agent.asks('get_balance'))['monthlyCapLeftUsd'], '0.024')
  const { message } = await agent.isRefused('start_job', { urls: [CHANNEL] })
  assert.match(
    message,
    /up to 3 videos for \$0\.024 .* of this key's monthly limit \$0\.024 is left/,
  )
  const order = { urls: [CHANNEL], maxVideos: 1, waitSeconds: 45 }
  assert.equal((await agent.asks('start_job', order))['monthlyCapLeftUsd'], '0.016')
  await agent.close()
})

test('an agent finds where something is said in what it has, as the API does', async () => {
  const who = await customer()
  const agent = await legacyAgent(who)
  const { rows } = await who.orders({ urls: [CHANNEL], maxVideos: 2 })
  const word = /\b\w{6,}\b/.exec(rows.find(({ status }) => status === 'success')?.['text'])?.[0]
  const asked = { q: word, limit: 1, sort: 'newest' }
  let found = await agent.asks('search_transcripts', asked)
  while (found['indexed'] < found['owned']) found = await agent.asks('search_transcripts', asked)
  const { q: query, ...rest } = asked
  assert.deepEqual(await agent.asks('search_transcripts', { ...rest, query }), found)
  const byRest = await who.gets(`/search?q=${word}&limit=1&sort=newest`)
  const [hit] = found['hits']
  assert.equal(found['total'], byRest['total'])
  for (const name of ['jobId', 'index', 'title', 'startMs', 'url'])
    assert.equal(hit[name], byRest['hits'][0][name], name)
  assert.match(hit.quote, new RegExp(`\\*\\*${word}\\*\\*`, 'i'))
  const wrong = await agent.isRefused('search_transcripts', { q: '-only' })
  assert.deepEqual({ error: wrong }, (await who.asks('GET', '/search?q=-only')).body)
  await agent.close()
})

for (const era of ['modern', 'legacy'] as const) {
  test(`a repeat by key (${era}) is the same job, also by REST; without one a running job is joined`, async () => {
    holdAfter(platform, 0)
    const who = await customer()
    const agent = await CONNECTS[era](who)
    const order = { urls: [CHANNEL], maxVideos: 3 }
    const first = await agent.asks('start_job', { ...order, idempotencyKey: 'mine' })
    const again = await agent.asks('start_job', { ...order, idempotencyKey: 'mine' })
    assert.equal(again['jobId'], first['jobId'])
    const byRest = await who.asks('POST', '/jobs', {
      body: order,
      headers: { 'Idempotency-Key': 'mine' },
    })
    assert.deepEqual([byRest.status, byRest.body['id']], [200, first['jobId']])
    const other = await agent.isRefused('start_job', {
      ...order,
      maxVideos: 4,
      idempotencyKey: 'mine',
    })
    assert.equal(other['code'], 'idempotency_conflict')

    const joined = await agent.asks('start_job', order)
    assert.equal(joined['jobId'], first['jobId'])
    assert.match(joined['notices'][0], /Nothing new was started/)
    const withKey = await agent.isRefused('start_job', { ...order, idempotencyKey: 'another' })
    assert.deepEqual([withKey['code'], withKey['jobId']], ['job_in_progress', first['jobId']])

    const cancelled = await agent.asks('cancel_job', { jobId: first['jobId'] })
    assert.ok(['cancelling', 'cancelled'].includes(cancelled['state']))
    platform.clear()
    const ended = await agent.asks('get_job', { jobId: first['jobId'], waitSeconds: 45 })
    assert.equal(ended['state'], 'cancelled')
    const { jobs } = await agent.asks('list_jobs')
    assert.deepEqual(
      jobs.map((job: Json) => job['jobId']),
      [first['jobId']],
    )
    await agent.close()
  })
}

test('wrong arguments and what is not there are refused in the words of the API', async () => {
  const who = await customer()
  const stranger = await customer()
  const { id } = await who.startsJob({ urls: ['60vNGGwFgvk'] })
  await who.waitsFor({ id })
  const agent = await modernAgent(stranger)
  const rest = async (body: Json): Promise<Json> =>
    (await stranger.asks('POST', '/jobs', { body })).body
  for (const body of [
    { urls: [] },
    { urls: ['https://example.org/'] },
    { urls: [CHANNEL], maxVideos: 0 },
    { urls: [CHANNEL], maxVideos: 5, publishedAfter: 'yesterday' },
    { maxVideos: 3 },
  ])
    assert.deepEqual({ error: await agent.isRefused('start_job', body) }, await rest(body))
  for (const tool of ['get_job', 'cancel_job', 'list_results'])
    assert.deepEqual(
      await agent.isRefused(tool, { jobId: id }),
      await agent.isRefused(tool, { jobId: 'none' }),
    )
  await assert.rejects(
    agent.calls('spend_everything'),
    /Unknown tool spend_everything; there are get_transcript, preview_job, start_job/,
  )
  await assert.rejects(
    agent.client.readResource({ uri: `scriptorium://jobs/${id}/transcripts/1.txt` }),
    /not found/i,
  )
  await agent.close()
})

type Read = { text: string; pages: number }

/** Reads the whole text: the first line of each page names the next one's cursor. */
async function readWhole(agent: Agent, about: Json): Promise<Read> {
  let text = ''
  for (let pages = 1, cursor = '0'; ; pages += 1) {
    const { content } = await agent.calls('read_transcript', { ...about, cursor })
    const page: string = content[0]?.['text']
    const [head = ''] = page.split('\n', 1)
    text += page.slice(head.length + 2)
    const next = /, next cursor (\d+)$/.exec(head)?.[1]
    if (next === undefined) return { text, pages }
    cursor = next
  }
}
