/** What narrows a search costs no more than the search: SQLite asks for the words once, not once for each text. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { conditionOf } from '../../src/features/search/condition.ts'
import { readQuery, type SearchQuery } from '../../src/model/search/search-query.ts'
import { addJob, testIndex, textRow } from './index-files.ts'

const ANY = { channel: null, videoId: null, language: null, dates: null }
const TEXTS = [{ videoId: 'aaaaaaaaaaa', textHash: '0'.repeat(64) }]

test('a search in a project looks its matches up in the texts of the project', () => {
  const index = testIndex({ after })
  addJob(index, 'a', [textRow(1, ['a talk'])])
  const query = readQuery('talk') as SearchQuery
  const planOf = (filter: object): string => {
    const found = conditionOf(index, query, { ...ANY, ...filter })
    assert.ok(found !== null)
    const { sql, values } = found
    const steps = index.db
      .prepare(`explain query plan select rowid from texts where ${sql}`)
      .all(...values)
    return steps.map(({ detail }) => String(detail)).find((detail) => detail.includes('texts'))!
  }
  const everywhere = planOf({})
  assert.equal(planOf({ texts: TEXTS }), everywhere)
  // The few texts of one video are asked for by their numbers.
  assert.notEqual(planOf({ videoId: 'aaaaaaaaaaa' }), everywhere)
})
