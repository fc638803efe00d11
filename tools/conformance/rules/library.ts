/** Rules of /library, its files, and the exports of a job (decisions 46 and 48). */
import assert from 'node:assert/strict'
import type { Json } from '../http.ts'
import { type Rule, rule } from '../rule.ts'
import { fields } from '../shapes.ts'

const COLLECTION: Json = {
  id: 'string',
  kind: 'string',
  title: 'string?',
  channelId: 'string?',
  playlistId: 'string?',
  known: 'integer',
  delivered: 'integer',
  noCaptions: 'integer',
  failed: 'integer',
  remaining: 'integer?',
  newestAt: 'string?',
  oldestAt: 'string?',
  lastLookedAt: 'string?',
  charged: 'string',
  languages: 'array',
}

export const libraryRules: Rule[] = [
  rule('The library counts what jobs delivered, by channel and playlist', async (kit) => {
    const { id } = await kit.finished()
    const { total, collections } = await kit.get(`/library?job=${id}`)
    assert.ok(total >= 1)
    for (const collection of collections as Json[]) {
      fields(collection, COLLECTION)
      assert.equal(collection['id'], collection['channelId'] ?? collection['playlistId'])
      assert.ok(collection['known'] >= collection['delivered'])
      const detail = await kit.get(`/library/${collection['id']}`)
      assert.equal(detail['counts'].success ?? 0, detail['delivered'])
      const { videos } = await kit.get(`/library/${collection['id']}/videos?status=success&limit=1`)
      const [video] = videos as Json[]
      if (video === undefined) continue
      const { text, tracks, source, hasWordTimes, ...row } = await kit.get(
        `/jobs/${video['jobId']}/videos/${video['index']}`,
      )
      assert.deepEqual(row, video)
      assert.ok(
        tracks === null ||
          (tracks as Json[]).some(({ languageCode }) => languageCode === row['languageCode']),
      )
      assert.ok(source === null || /^[0-9a-f]{64}$/.test(source.sha256))
      assert.equal(typeof hasWordTimes, 'boolean')
      assert.deepEqual(text, { jobId: video['jobId'], index: video['index'] })
    }
    assert.equal((await kit.ask('GET', '/library/UC0000000000000000000000')).status, 404)
    assert.equal((await kit.ask('GET', '/library?limit=0')).status, 400)
  }),
  rule('The exports of a job hold each of its texts', async (kit) => {
    const { id } = await kit.finished()
    const { videos } = await kit.get(`/jobs/${id}/results?status=success&limit=200`)
    const lines = await kit.ask('GET', `/jobs/${id}/export.jsonl?seconds=30`)
    const passages = lines.bytes
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Json)
    for (const { url, text } of videos as Json[]) {
      const own = passages.filter(({ metadata }) => metadata.source === url)
      assert.equal(own.map((passage) => passage['text'] as string).join(' '), text)
    }
    const entries = await kit.ask('GET', `/jobs/${id}/export.csl.json`)
    const cited = JSON.parse(entries.bytes.toString()) as Json[]
    const urls = new Set((videos as Json[]).map(({ url }) => url as string))
    assert.deepEqual(new Set(cited.map(({ URL: url }) => url as string)), urls)
    assert.equal((await kit.ask('GET', `/jobs/${id}/notebook.zip?parts=0`)).status, 400)
    const markdown = await kit.ask('GET', `/jobs/${id}/export.md`)
    assert.match(markdown.headers.get('content-type') ?? '', /^text\/markdown/)
    assert.equal((await kit.ask('GET', `/jobs/${id}/export.jsonl?seconds=0`)).status, 400)
  }),
]
