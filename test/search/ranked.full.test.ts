/** More hits than are ranked: all are counted, and the newest are ranked. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { askIndex } from '../../src/features/search/ask-mentions.ts'
import { readQuery } from '../../src/model/search/search-query.ts'
import { addJob, testIndex, textRow } from './index-files.ts'

const RANKED = 20_000
const MORE = 7
const START_MS = Date.UTC(2001, 0)

test('of more than 20,000 hits all are counted, and the newest 20,000 are ranked', () => {
  const index = testIndex({ after })
  const oldest = RANKED + MORE
  const rows = Array.from({ length: oldest }, (_, at) => {
    // The first row is the newest. The best match is too old to be ranked, the next best is not.
    const words =
      at === oldest - 1 ? 'said said said' : at === RANKED - 1 ? 'said said' : 'said once'
    const publishedAt = new Date(START_MS + (oldest - at) * 3_600_000).toISOString()
    return textRow(at + 1, [words], { publishedAt, channelName: `Channel ${at % 3}` })
  })
  addJob(index, 'job', rows)
  const query = readQuery('said')
  assert.ok('terms' in query)
  const filter = { channel: null, videoId: null, language: null, dates: null }
  const all = askIndex(index, { query, filter, sort: 'relevance', offset: 0, limit: 3 })
  assert.equal(all.total, oldest)
  assert.deepEqual(
    all.hits.map((hit) => hit.index),
    [RANKED, 1, 2],
  )
  assert.deepEqual(all.channels.map(({ count }) => count).sort(), [6_669, 6_669, 6_669])
  const few = askIndex(index, { query, filter, sort: 'newest', offset: oldest - 1, limit: 3 })
  assert.deepEqual(
    few.hits.map((hit) => hit.index),
    [oldest],
  )
  assert.deepEqual(few.months, all.months)
})
