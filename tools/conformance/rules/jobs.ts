/** Rules of jobs: what POST answers, how a job ends, what it costs, and repeats of a URL set. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type Rule, rule } from '../rule.ts'
import { assertJob, microsOf } from '../shapes.ts'

const ALL_FORMATS = ['text', 'srt', 'vtt', 'segments']

export const jobRules: Rule[] = [
  rule(
    'A job can be named and noted, and is called by what it is about without a name',
    async (kit) => {
      const { body: job } = await kit.post({ urls: kit.lines(1) })
      const path = `/jobs/${job['id']}`
      const named = await kit.ask('PATCH', path, {
        body: { name: ' My  job ', note: 'For chapter two' },
      })
      assert.equal(named.status, 200)
      const { title, name, note, ...rest } = named.body
      assertJob(rest, { isPost: false })
      assert.deepEqual([title, name, note], ['My job', 'My job', 'For chapter two'])
      const cleared = await kit.ask('PATCH', path, { body: { name: null, note: ' ' } })
      assert.deepEqual([cleared.body['name'], cleared.body['note']], [null, null])
      assert.ok(cleared.body['title'].length > 0)
      await kit.untilFinal(job['id'])
      assertJob(await kit.get(path), { isPost: false })
      assert.ok((await kit.get(`${path}?view=named`))['title'].length > 0)
    },
  ),
  rule('POST /jobs answers 201 with the job, its Location and notices', async (kit) => {
    const urls = kit.lines(1)
    const reply = await kit.post({ urls })
    assert.equal(reply.status, 201)
    const job = reply.body
    assertJob(job, { isPost: true })
    assert.equal(reply.headers.get('location'), job['links'].self)
    assert.equal(job['links'].self, `${await publicBase(kit)}/jobs/${job['id']}`)
    assert.equal(job['links'].results, `${job['links'].self}/results`)
    const { maxVideos, ...input } = job['input']
    assert.deepEqual(input, {
      urls,
      language: 'original',
      formats: ALL_FORMATS,
      requestedMaxVideos: 500,
      publishedAfter: null,
      publishedBefore: null,
    })
    assert.ok(maxVideos >= 1 && maxVideos <= 500)
    // An order of what the account owns by another one says so, too.
    const others = job['notices'].filter((notice: string) => !notice.includes('owned=skip'))
    assert.equal(
      others.length > 0,
      maxVideos < 500,
      'a notice says so where the balance lowers maxVideos',
    )
    await kit.untilFinal(job['id'])
  }),
  rule(
    'Addresses side by side on a line, and a JSON list in a string, are as many lines',
    async (kit) => {
      const [line = ''] = kit.lines(1)
      const short = kit.options.videoIds[0] ?? ''
      const urls = [line, `https://youtu.be/${short}`]
      for (const sent of [urls.join(','), urls.join('|'), urls.join(''), JSON.stringify(urls)]) {
        const job = await kit.start({ urls: sent })
        assert.deepEqual(job['input'].urls, urls)
        await kit.untilFinal(job['id'])
      }
    },
  ),
  rule(
    'Everything asked for is echoed: lines are split, trimmed and joined where equal',
    async (kit) => {
      const [line = ''] = kit.lines(1)
      const short = kit.options.videoIds[0] ?? ''
      const job = await kit.start({
        urls: [` ${line}\r\n\n${short} `, line, `${short}\n`],
        language: 'pt-BR',
        formats: ['srt', 'text', 'srt'],
        maxVideos: 5,
        publishedAfter: '2001-02-03',
        publishedBefore: '2091-01-01T00:00:00+02:00',
      })
      const { formats, maxVideos, ...input } = job['input']
      assert.deepEqual(input, {
        urls: [line, short],
        language: 'pt-BR',
        requestedMaxVideos: 5,
        publishedAfter: '2001-02-03',
        publishedBefore: '2091-01-01T00:00:00+02:00',
      })
      assert.deepEqual([...formats].sort(), ['srt', 'text'])
      assert.ok(maxVideos <= 5)
      await kit.untilFinal(job['id'])
    },
  ),
  rule('5.0 is 5, and urls may be one string', async (kit) => {
    const [line] = kit.lines(1)
    const reply = await kit.post(`{"urls":${JSON.stringify(line)},"maxVideos":5.0}`)
    assert.deepEqual([reply.status, reply.body['input']?.requestedMaxVideos], [201, 5])
    await kit.untilFinal(reply.body['id'])
  }),
  rule(
    'The reserve is held while the job runs, and the balance never goes negative',
    async (kit) => {
      const before = await kit.get('/balance')
      const job = await kit.start({ urls: kit.lines(1), maxVideos: 3 })
      assert.equal(microsOf(job['billing'].reserved), job['input'].maxVideos * 8000)
      const during = await kit.get('/balance')
      const now = await kit.get(`/jobs/${job['id']}`)
      if (!now['billing'].settled)
        assert.equal(
          during['balanceMicros'],
          before['balanceMicros'] - microsOf(job['billing'].reserved),
        )
      assert.ok(during['balanceMicros'] >= 0)
      const end = await kit.untilFinal(job['id'])
      assert.equal(
        (await kit.get('/balance'))['balanceMicros'],
        before['balanceMicros'] - microsOf(end['billing'].charged),
      )
    },
  ),
  rule(
    'A job becomes final and settled in one moment and is charged exactly what it delivered',
    async (kit) => {
      const { id } = await kit.start({ urls: kit.lines(), formats: ['text'] })
      for (;;) {
        const job = await kit.get(`/jobs/${id}`)
        assertJob(job)
        if (job['billing'].settled) break
      }
    },
  ),
  rule('notices are in answers of POST only', async (kit) => {
    const { id } = await kit.finished()
    assert.ok(!('notices' in (await kit.get(`/jobs/${id}`))))
    const { jobs } = await kit.get('/jobs?limit=50')
    assert.ok(jobs.every((job: object) => !('notices' in job)))
  }),
  rule(
    'The same URL set again brings delivered videos back as unchanged, uncharged',
    async (kit) => {
      const first = await kit.finished()
      const again = await kit.start({ urls: [...first['input'].urls].reverse(), formats: ['vtt'] })
      const end = await kit.untilFinal(again['id'])
      assert.equal(end['progress'].counts.unchanged ?? 0, first['progress'].delivered)
      assert.equal(end['billing'].charged, '0.000')
      const { videos } = await kit.get(`/jobs/${again['id']}/results`)
      for (const row of videos) {
        if (row.status === 'unchanged')
          assert.deepEqual([row.text, row.segments, row.files], [null, null, {}])
      }
    },
  ),
  rule(
    'A job with the same URL set that is still running answers 409 job_in_progress with its jobId',
    async (kit) => {
      let refused = 0
      // A job this small may be over before the next request arrives: then the rule tries again.
      for (let tries = 0; refused === 0 && tries < 5; tries++) {
        await kit.ready(4)
        const body = { urls: kit.lines(), maxVideos: 2 }
        const replies = await Promise.all(Array.from({ length: 4 }, () => kit.post(body)))
        const ids = replies.filter(({ status }) => status === 201).map(({ body: job }) => job['id'])
        assert.ok(ids.length > 0)
        for (const {
          status,
          body: { error },
        } of replies.filter((reply) => reply.status !== 201)) {
          assert.deepEqual(
            [status, error.code, ids.includes(error.jobId)],
            [409, 'job_in_progress', true],
          )
          refused += 1
        }
        await Promise.all(ids.map((id) => kit.untilFinal(id)))
      }
      assert.ok(refused > 0, 'no request found the job still running')
    },
  ),
  rule('A video id that does not exist is a free row `unavailable`, not an error', async (kit) => {
    const job = await kit.untilFinal(
      (await kit.start({ urls: `https://youtu.be/zzzzzzzzzzz?si=${randomUUID()}` }))['id'],
    )
    const { videos } = await kit.get(`/jobs/${job['id']}/results`)
    assert.deepEqual(
      [videos.length, videos[0]?.status, job['billing'].charged],
      [1, 'unavailable', '0.000'],
    )
  }),
  rule('A video outside the date bounds is skipped and free', async (kit) => {
    const job = await kit.untilFinal(
      (await kit.start({ urls: kit.lines(1), publishedBefore: '1999-12-31' }))['id'],
    )
    assert.equal(job['progress'].counts.skipped, 1)
    assert.equal(job['billing'].charged, '0.000')
  }),
  rule('An unknown job answers 404 not_found', async (kit) => {
    for (const path of [
      '/jobs/none',
      `/jobs/${randomUUID()}`,
      '/jobs/none/results',
      '/jobs/none/files/zip',
    ]) {
      const reply = await kit.ask('GET', path)
      assert.deepEqual([reply.status, reply.body['error'].code], [404, 'not_found'])
    }
  }),
]

/** Returns the address that links begin with: the first server of the description. */
async function publicBase(kit: {
  get(path: string, ask?: object): Promise<Record<string, { url: string }[]>>
}): Promise<string> {
  return (await kit.get('/openapi.json', { key: null }))['servers']?.[0]?.url ?? ''
}
