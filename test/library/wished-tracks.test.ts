/** Orders of a kind of track: it is taken where a video has both, and nothing that the account has is bought again. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { sharedService } from '../support/shared-service.ts'

const { platform, customer } = await sharedService({ after })
const { world } = platform
const KEYS = ['both', 'manual', 'asr', 'regions', 'dubs'] as const
const ID_OF = Object.fromEntries(KEYS.map((key) => [key, world.special(key).videoId]))
const URLS = KEYS.map((key) => `https://youtu.be/${ID_OF[key]}`)

/** Kinds that each video brings by its wish, and whether the label says that it is not the wished one. */
const TAKEN: Record<string, Record<(typeof KEYS)[number], string>> = {
  '': { both: 'manual', manual: 'manual', asr: 'asr', regions: 'manual', dubs: 'asr' },
  manual: { both: 'manual', manual: 'manual', asr: 'asr!', regions: 'manual', dubs: 'asr!' },
  asr: { both: 'asr', manual: 'manual!', asr: 'asr', regions: 'asr', dubs: 'asr' },
}

async function ordersKind(buyer: Customer, query: string, urls: string[]) {
  const { body, status } = await buyer.asks('POST', `/jobs${query}`, { body: { urls } })
  assert.equal(status, 201)
  const job = await buyer.waitsFor(body)
  const rows = await buyer.readsRows(job)
  const became = (key: string): string => {
    const row = rows.find(({ videoId }) => videoId === ID_OF[key])!
    if (row['status'] !== 'success') return row['status']
    const isTold = /automatic/.test(row['label'])
    return `${row['trackKind']}${isTold ? '!' : ''}`
  }
  const kinds = Object.fromEntries(KEYS.map((key) => [key, became(key)]))
  const { id } = job
  return {
    id,
    kinds,
    charged: job['billing'].chargedTranscripts,
    notices: body['notices'] as Json[],
  }
}

const spelled = (mark: string): string[] =>
  URLS.map((url) => `${url}?si=${encodeURIComponent(mark)}`)
const queryOf = (wish: string, more: string): string =>
  `?${new URLSearchParams({ ...(wish === '' ? {} : { track: wish }), ...(more === '' ? {} : { owned: more }) })}`

test('each wish brings its kind where a video has both, and a label says where it has not', async () => {
  for (const [wish, expected] of Object.entries(TAKEN)) {
    const buyer = await customer('1')
    const { kinds, charged } = await ordersKind(buyer, queryOf(wish, ''), URLS)
    assert.deepEqual([kinds, charged], [expected, KEYS.length], wish)
    const { jobs } = await buyer.gets('/jobs?view=named')
    assert.equal(jobs[0].track, wish === '' ? undefined : wish)
  }
})

test('what is owned of the other kind is no reason to leave a video out, and no text is bought twice', async () => {
  for (const [first, bought] of Object.entries(TAKEN))
    for (const [second, expected] of Object.entries(TAKEN)) {
      const buyer = await customer('1')
      await ordersKind(buyer, queryOf(first, ''), spelled('first'))
      const { id, kinds, charged } = await ordersKind(
        buyer,
        queryOf(second, 'skip'),
        spelled('then'),
      )
      const plain = (kind: string): string => kind.replace('!', '')
      const isSame = (key: (typeof KEYS)[number]): boolean =>
        second === '' || plain(bought[key]) === plain(expected[key])
      const wanted = KEYS.map((key) => [key, isSame(key) ? 'unchanged' : expected[key]])
      assert.deepEqual(kinds, Object.fromEntries(wanted), `${first}, then ${second}`)
      assert.equal(charged, KEYS.filter((key) => !isSame(key)).length)
      const { videos } = await buyer.gets(`/jobs/${id}/results?include=textRow&view=rows`)
      assert.ok(
        videos.every(({ textRow }: Json) => textRow !== null),
        `${first}, then ${second}`,
      )
    }
})

test('the same URLs with another wish come back unchanged, and a notice says the way out', async () => {
  const buyer = await customer('1')
  await ordersKind(buyer, '', URLS)
  const again = await ordersKind(buyer, '?track=asr', URLS)
  assert.ok(Object.values(again.kinds).every((kind) => kind === 'unchanged'))
  assert.match(String(again.notices), /whatever the language or track.*different set of URLs/)
  const { notices } = await ordersKind(buyer, '', URLS)
  assert.doesNotMatch(String(notices), /whatever the language or track/)
})

test('a batch says the kind that it was asked for', async () => {
  const buyer = await customer('1')
  for (const [query, track] of [
    ['', undefined],
    ['?track=asr&owned=again', 'asr'],
  ] as const) {
    const { body } = await buyer.asks('POST', `/batches${query}`, {
      body: { urls: spelled(query) },
    })
    assert.equal(body['track'], track)
    const state = async (): Promise<Json> => buyer.gets(`/batches/${body['id']}`)
    for (let batch = await state(); batch['state'] === 'running';) batch = await state()
    const { batches } = await buyer.gets('/batches')
    assert.equal(batches[0].track, track)
    const [job] = (await state())['jobs']
    const { videos } = await buyer.gets(`/jobs/${job.id}/results?view=rows`)
    const both = videos.find(({ videoId }: Json) => videoId === ID_OF['both'])
    assert.equal(both.trackKind, track ?? 'manual')
  }
})
