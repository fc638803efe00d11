/** Rules of GET /jobs/{id}/events (decision 45). */
import assert from 'node:assert/strict'
import { createParser } from 'eventsource-parser'
import type { Json, Reply } from '../http.ts'
import type { Kit } from '../kit.ts'
import { type Rule, rule } from '../rule.ts'
import { assertJob } from '../shapes.ts'

type Told = { event: string; id: string; data: Json }

export const eventRules: Rule[] = [
  rule('The events of a job are the job, each of its rows once, and its end', async (kit) => {
    const { id } = await kit.start({ urls: kit.lines(), maxVideos: kit.options.videoIds.length })
    const { reply, told, retryMs } = await follow(kit, id)
    assert.equal(reply.status, 200)
    assert.match(reply.headers.get('content-type') ?? '', /^text\/event-stream\b/)
    assert.match(reply.headers.get('cache-control') ?? '', /no-store/)
    assert.ok(retryMs !== null && retryMs > 0 && retryMs <= 10_000, `retry: ${retryMs}`)
    assert.deepEqual(
      new Set(told.map(({ event }) => event)),
      new Set(['job', 'video', 'end']),
      'no other events',
    )
    assert.equal(told[0]?.event, 'job', 'the job comes first')
    assert.equal(
      told.findIndex(({ event }) => event === 'end'),
      told.length - 1,
    )

    const job = await kit.get(`/jobs/${id}`)
    const jobs = told.filter(({ event }) => event === 'job')
    for (const { data } of jobs) assertJob(data)
    assert.deepEqual(jobs.at(-1)?.data, job, 'the last job told is the final one')
    const { videos } = await kit.get(`/jobs/${id}/results?view=rows&limit=200`)
    assert.deepEqual(
      rowsOf(told).sort((a, b) => a['index'] - b['index']),
      videos,
    )
  }),
  rule('Ids of rows grow, and Last-Event-ID goes on behind the one it names', async (kit) => {
    const { id } = await kit.finished()
    const { told } = await follow(kit, id)
    const ids = told.flatMap((one) => (one.event === 'video' ? [one.id] : []))
    for (const [at, own] of ids.entries()) {
      assert.match(own, /^\d+$/)
      if (at > 0) assert.ok(Number(own) > Number(ids[at - 1]), `${own} after ${ids[at - 1]}`)
    }
    const [first = ''] = ids
    const rest = await follow(kit, id, first)
    assert.deepEqual(rowsOf(rest.told), rowsOf(told).slice(1))
    assert.deepEqual(rest.told.at(-1), told.at(-1))
  }),
  rule('Who has had everything is answered 204, and so does not come again', async (kit) => {
    const { id } = await kit.finished()
    const { told } = await follow(kit, id)
    const last = told.findLast((one) => one.id !== '')?.id
    const { reply } = await follow(kit, id, last)
    assert.deepEqual([reply.status, reply.bytes.length], [204, 0])
  }),
  rule('A Last-Event-ID that is no id of the job is refused, an empty one is none', async (kit) => {
    const { id } = await kit.finished()
    for (const wrong of ['x', '-1', '1.5', '999999']) {
      const { reply } = await follow(kit, id, wrong)
      assert.deepEqual([reply.status, reply.body['error']?.code], [400, 'invalid_request'], wrong)
      assert.match(reply.body['error'].message, /Last-Event-ID/)
    }
    assert.equal((await follow(kit, id, '')).told[0]?.event, 'job')
  }),
  rule('A job that is cancelled ends its events as cancelled and settled', async (kit) => {
    const { id } = await kit.start({ urls: kit.lines() })
    const [{ told }] = await Promise.all([follow(kit, id), kit.ask('POST', `/jobs/${id}/cancel`)])
    const job = await kit.untilFinal(id)
    assert.deepEqual(told.findLast(({ event }) => event === 'job')?.data, job)
    assert.equal(told.at(-1)?.event, 'end')
  }),
  rule('Events of an unknown job are 404, and HEAD opens no stream', async (kit) => {
    assert.equal((await kit.ask('GET', '/jobs/none/events')).status, 404)
    const { id } = await kit.finished()
    const head = await kit.ask('HEAD', `/jobs/${id}/events`)
    assert.deepEqual([head.status, head.bytes.length], [200, 0])
  }),
]

/** Reads one connection to its end: every job ends it within the job's time. */
async function follow(
  kit: Kit,
  id: string,
  lastEventId?: string,
): Promise<{ reply: Reply; told: Told[]; retryMs: number | null }> {
  const headers = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }
  const reply = await kit.ask('GET', `/jobs/${id}/events`, { headers })
  const told: Told[] = []
  let retryMs: number | null = null
  const parser = createParser({
    onEvent({ event = 'message', id: own = '', data }) {
      told.push({ event, id: own, data: JSON.parse(data) as Json })
    },
    onRetry(interval) {
      retryMs = interval
    },
  })
  if (reply.status === 200) parser.feed(reply.bytes.toString())
  return { reply, told, retryMs }
}

/** Returns the rows among the events; none has a text. */
function rowsOf(told: Told[]): Json[] {
  const rows = told.flatMap(({ event, data }) => (event === 'video' ? [data] : []))
  for (const { text, segments } of rows) assert.deepEqual([text, segments], [null, null])
  return rows
}
