/** A script that orders the same list again gets the same texts again, and hears of each video without one. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  Scriptorium,
  type TranscriptsOptions,
  type Video,
} from '../../clients/typescript/src/index.ts'
import { sharedService } from '../support/shared-service.ts'

const CHANNEL = 'https://www.youtube.com/@smallworkshop'

const { address, customer } = await sharedService({ after })

test('a script that runs twice gets the same texts twice, for nothing, and hears of every other video', async () => {
  const { apiKey: key } = await customer('1')
  const own = new Scriptorium({ apiKey: key, baseUrl: address })
  const urls = ['zzzzzzzzzz3', CHANNEL]
  const run = async (options: TranscriptsOptions = {}) => {
    const texts = new Map<string, string>()
    const skipped: Video[] = []
    const onSkipped = (video: Video): void => void skipped.push(video)
    for await (const { videoId, text } of own.transcripts(urls, { ...options, onSkipped })) {
      assert.ok(!texts.has(videoId), `${videoId} comes once`)
      texts.set(videoId, text)
    }
    return { texts, skipped, ...(await own.balance()) }
  }
  const first = await run({ maxVideos: 4 })
  assert.ok(first.texts.size > 0)
  assert.equal(
    first.skipped.find(({ videoId }) => videoId === 'zzzzzzzzzz3')?.status,
    'unavailable',
  )
  assert.ok(first.skipped.every(({ label }) => label !== ''))
  const whole = await run()
  for (const [videoId, text] of first.texts) assert.equal(whole.texts.get(videoId), text)
  assert.ok(whole.texts.size > first.texts.size)
  assert.ok(whole.skipped.some(({ status }) => status === 'no_captions'))
  const again = await run()
  assert.deepEqual(sorted(again.texts), sorted(whole.texts))
  assert.equal(again.balance, whole.balance)
  const bare = await run({ earlier: false })
  assert.equal(bare.texts.size, 0)
  assert.equal(bare.skipped.filter(({ status }) => status === 'unchanged').length, again.texts.size)
  const since = await run({ publishedAfter: '2999-01-01' })
  assert.equal(since.texts.size, 0, 'what was delivered before keeps to the dates, too')
})

test('another list yields what other orders delivered, in the language wished, for nothing', async () => {
  const { apiKey: key } = await customer('1')
  const own = new Scriptorium({ apiKey: key, baseUrl: address })
  const texts = async (urls: string[], options: TranscriptsOptions = {}) => {
    const found = new Map<string, string>()
    for await (const { videoId, text } of own.transcripts(urls, options)) found.set(videoId, text)
    return found
  }
  const first = await texts([CHANNEL])
  const { balance } = await own.balance()
  const some = [...first.keys()].slice(0, 3)
  for (const language of ['original', 'en']) {
    const other = await texts([...some, CHANNEL.toUpperCase().replace('HTTPS', 'https')], {
      language,
    })
    assert.deepEqual(sorted(other), sorted(first))
  }
  assert.equal((await own.balance()).balance, balance)
  const { costAgain, sources } = await own.preview({ urls: some }, { owned: 'again' })
  assert.deepEqual([costAgain, sources.map(({ owned }) => owned)], ['0.024', [1, 1, 1]])
  assert.equal((await texts(some, { owned: 'again' })).size, 3)
  assert.equal((Number(balance) - Number((await own.balance()).balance)).toFixed(3), '0.024')
})

function sorted(texts: ReadonlyMap<string, string>): [string, string][] {
  return [...texts].toSorted(([a], [b]) => (a < b ? -1 : 1))
}
