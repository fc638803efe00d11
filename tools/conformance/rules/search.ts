/** Rules of GET /search and GET /search/mentions. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Json } from '../http.ts'
import type { Kit } from '../kit.ts'
import { type Rule, rule } from '../rule.ts'
import { fields } from '../shapes.ts'

const PATIENCE_MS = 60_000
const PAUSE_MS = 250

export const searchRules: Rule[] = [
  rule('What a delivered text says is found, with the moment and the words marked', async (kit) => {
    const { row, words } = await saidWord(kit)
    const found = await searched(kit, { q: `"${words}"`, limit: '50' })
    fields(found, {
      indexed: 'integer',
      owned: 'integer',
      total: 'integer',
      offset: 'integer',
      limit: 'integer',
      nextOffset: 'integer?',
      hits: 'array',
      channels: 'array',
      months: 'array',
    })
    const hit = found['hits'].find(({ videoId }: Json) => videoId === row['videoId'])
    assert.ok(hit !== undefined, `"${words}" is found in ${row['videoId']}`)
    fields(hit, {
      jobId: 'string',
      index: 'integer',
      videoId: 'string',
      title: 'string?',
      channelName: 'string?',
      channelId: 'string?',
      publishedAt: 'string?',
      languageCode: 'string',
      startMs: 'integer',
      snippet: 'array',
      mentions: 'integer',
      url: 'string',
    })
    assert.ok(hit.url.includes(`t=${Math.floor(hit.startMs / 1000)}`))
    assert.ok(hit.snippet.some(({ isMatch }: Json) => isMatch))
    for (const list of [found['channels'], found['months']]) {
      const counts = list.map(({ count }: Json) => count)
      assert.equal(
        counts.reduce((sum: number, count: number) => sum + count, 0),
        found['total'],
      )
    }
  }),
  rule('Every mention is listed, counted and in the CSV', async (kit) => {
    const { row, words } = await saidWord(kit)
    const q = `"${words}"`
    await searched(kit, { q })
    const query = new URLSearchParams({ q, video: row['videoId'], limit: '200' })
    const found = await kit.get(`/search/mentions?${query}`)
    fields(found, {
      indexed: 'integer',
      owned: 'integer',
      transcripts: 'integer',
      total: 'integer',
      offset: 'integer',
      limit: 'integer',
      nextOffset: 'integer?',
      mentions: 'array',
      videos: 'array',
      channels: 'array',
      months: 'array',
    })
    assert.ok(found['total'] > 0)
    for (const list of [found['channels'], found['months']]) {
      const counts = list.map(({ mentions }: Json) => mentions)
      assert.equal(
        counts.reduce((sum: number, count: number) => sum + count, 0),
        found['total'],
      )
    }
    const csv = await kit.ask(
      'GET',
      `/search/mentions.csv?${new URLSearchParams({ q, video: row['videoId'] })}`,
    )
    assert.equal(csv.status, 200)
    const links = csv.bytes.toString().split('https://').length - 1
    assert.ok(links >= found['total'], `${links} links of ${found['total']} mentions`)
  }),
  rule(
    'A search without a word, or with a value out of bounds, is refused by name',
    async (kit) => {
      for (const [query, name] of [
        ['', 'q'],
        ['q=', 'q'],
        ['q=-zoo', 'q'],
        ['q=zoo&limit=51', 'limit'],
        ['q=zoo&offset=-1', 'offset'],
        ['q=zoo&sort=best', 'sort'],
        ['q=zoo&after=never', 'after'],
      ] as const) {
        const reply = await kit.ask('GET', `/search?${query}`)
        assert.deepEqual([reply.status, reply.body['error']?.code], [400, 'invalid_request'], query)
        assert.equal(reply.headers.get('x-invalid-field'), name, query)
      }
    },
  ),
]

/** Returns a word of a delivered text. */
async function saidWord(kit: Kit): Promise<{ row: Json; words: string }> {
  const { id } = await kit.finished()
  const { videos } = await kit.get(`/jobs/${id}/results`)
  const row = videos.find(({ status }: Json) => status === 'success')
  assert.ok(row !== undefined, 'the job delivered a transcript')
  const words = (row['text'] as string).match(/\p{L}[\p{L}\p{M}]*/gu) ?? []
  const at = Math.floor(words.length / 2)
  return { row, words: words[at] ?? '' }
}

/** Returns the answer of a search over everything that was delivered. */
async function searched(kit: Kit, asked: Record<string, string>): Promise<Json> {
  for (const startedAt = performance.now(); performance.now() - startedAt < PATIENCE_MS;) {
    const found = await kit.get(`/search?${new URLSearchParams(asked)}`)
    if (found['indexed'] === found['owned']) return found
    await sleep(PAUSE_MS)
  }
  throw new Error('the delivered transcripts were not indexed in time')
}
