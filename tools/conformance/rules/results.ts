/** Rules of GET /jobs/{id}/results (specification 2.2, 2.3, 4.4; decisions 20, 21, 39, 40). */
import assert from 'node:assert/strict'
import zlib from 'node:zlib'
import type { Json } from '../http.ts'
import { type Rule, rule } from '../rule.ts'
import { assertResults } from '../shapes.ts'

const EXTENSION = { text: 'txt', srt: 'srt', vtt: 'vtt', segments: 'json' } as const

export const resultRules: Rule[] = [
  rule('Results of a final job are complete and hold a row for each video counted', async (kit) => {
    const job = await kit.finished()
    const results = await kit.get(`/jobs/${job['id']}/results`)
    assertResults(results)
    assert.deepEqual(
      [results['id'], results['state'], results['complete']],
      [job['id'], job['state'], true],
    )
    assert.deepEqual(
      [results['offset'], results['limit'], results['total'], results['nextOffset']],
      [0, 50, job['progress'].processed, null],
    )
    const counted: Json = {}
    for (const { status } of results['videos']) counted[status] = (counted[status] ?? 0) + 1
    for (const [status, count] of Object.entries(job['progress'].counts))
      assert.equal(counted[status] ?? 0, count, status)
    assert.ok(
      job['progress'].delivered > 0,
      'no transcript was delivered: name videos with captions by --videos',
    )
  }),
  rule('Rows of a final job stand in order of index', async (kit) => {
    const { id } = await kit.finished()
    const indexes = (await kit.get(`/jobs/${id}/results`))['videos'].map(
      (row: Json) => row['index'],
    )
    assert.deepEqual(
      indexes,
      [...indexes].sort((a, b) => a - b),
    )
  }),
  rule(
    'Download links are absolute, keyed by format, and there for delivered videos only',
    async (kit) => {
      const job = await kit.finished()
      const { videos, downloads } = await kit.get(`/jobs/${job['id']}/results`)
      const base = `${job['links'].self}/files`
      assert.deepEqual(downloads, {
        zip: `${base}/zip`,
        allText: `${base}/all.txt`,
        reportCsv: `${base}/report.csv`,
      })
      for (const row of videos) {
        const files = Object.entries(EXTENSION).map(([format, ending]) => [
          format,
          `${base}/${row.index}.${ending}`,
        ])
        assert.deepEqual(row.files, row.status === 'success' ? Object.fromEntries(files) : {})
      }
    },
  ),
  rule(
    'Pages by limit 1 are the whole, in the same order; past the end there is an empty page',
    async (kit) => {
      const { id } = await kit.finished()
      const whole = await kit.get(`/jobs/${id}/results?limit=200`)
      const rows: Json[] = []
      for (let offset: number | null = 0; offset !== null;) {
        const page: Json = await kit.get(`/jobs/${id}/results?limit=1&offset=${offset}`)
        assert.deepEqual(
          [page['offset'], page['limit'], page['total']],
          [offset, 1, whole['total']],
        )
        rows.push(...page['videos'])
        offset = page['nextOffset']
      }
      assert.deepEqual(rows, whole['videos'])
      for (const offset of [
        whole['total'],
        whole['total'] + 1,
        2 ** 31,
        2 ** 33,
        Number.MAX_SAFE_INTEGER,
      ]) {
        const page = await kit.get(`/jobs/${id}/results?offset=${offset}`)
        assert.deepEqual(
          [page['videos'], page['nextOffset'], page['offset'], page['total']],
          [[], null, offset, whole['total']],
        )
      }
    },
  ),
  rule('Results of a running job are those so far, and complete is false', async (kit) => {
    const { id } = await kit.start({ urls: kit.lines(), maxVideos: 5 })
    for (let isComplete = false; !isComplete;) {
      const results = await kit.get(`/jobs/${id}/results`)
      assertResults(results)
      isComplete = results['complete']
      assert.equal(isComplete, !['queued', 'running', 'cancelling'].includes(results['state']))
      assert.equal(results['videos'].length, Math.min(results['total'], 50))
    }
  }),
  rule('view=rows leaves text and segments null and nothing else', async (kit) => {
    const { id } = await kit.finished()
    const [rows, full] = [
      await kit.get(`/jobs/${id}/results?view=rows`),
      await kit.get(`/jobs/${id}/results?view=full`),
    ]
    assert.deepEqual(rows, {
      ...full,
      videos: full['videos'].map((row: Json) => ({ ...row, text: null, segments: null })),
    })
  }),
  rule('status and q filter the rows, and total counts those that match', async (kit) => {
    const { id } = await kit.finished()
    const { videos } = await kit.get(`/jobs/${id}/results`)
    for (const wanted of ['success', 'private', 'success,private']) {
      const page = await kit.get(`/jobs/${id}/results?status=${wanted}`)
      assert.deepEqual(
        page['videos'],
        videos.filter((row: Json) => wanted.split(',').includes(row['status'])),
      )
      assert.equal(page['total'], page['videos'].length)
    }
    const word: string = videos.find((row: Json) => row['title'] !== null)?.title.slice(1, 5) ?? 'x'
    const has = (row: Json): boolean =>
      row['title']?.toLowerCase().includes(word.toLowerCase()) === true
    const found = await kit.get(`/jobs/${id}/results?q=${encodeURIComponent(word.toUpperCase())}`)
    assert.deepEqual(found['videos'], videos.filter(has))
    assert.equal(
      (await kit.get(`/jobs/${id}/results?q=${encodeURIComponent('%_no such title_%')}`))['total'],
      0,
    )
    const one = await kit.get(`/jobs/${id}/results?status=success&limit=1`)
    assert.equal(one['nextOffset'], one['total'] > 1 ? 1 : null)
  }),
  rule('Unknown views, statuses and malformed filters answer 400 and are named', async (kit) => {
    const { id } = await kit.finished()
    for (const [name, query] of [
      ['view', 'view=none'],
      ['view', 'view='],
      ['status', 'status=done'],
      ['status', 'status='],
      ['status', 'status=success,'],
      ['status', 'status=success&status=private'],
      ['q', `q=${'x'.repeat(201)}`],
      ['q', 'q=%00'],
      ['q', 'q=a&q=b'],
    ] as const) {
      const reply = await kit.ask('GET', `/jobs/${id}/results?${query}`)
      assert.deepEqual([reply.status, reply.body['error']?.code], [400, 'invalid_request'], query)
      assert.ok(reply.body['error'].message.startsWith(name), reply.body['error'].message)
    }
  }),
  rule('A compressed page is the same page', async (kit) => {
    const { id } = await kit.finished()
    const plain = await kit.ask('GET', `/jobs/${id}/results`)
    const packed = await kit.ask('GET', `/jobs/${id}/results`, {
      headers: { 'Accept-Encoding': 'gzip' },
    })
    const bytes =
      packed.headers.get('content-encoding') === 'gzip'
        ? zlib.gunzipSync(packed.bytes)
        : packed.bytes
    assert.deepEqual(bytes, plain.bytes)
  }),
]
