/** Phrases are found exactly: also those of common words, which the index has as pairs (model/search/frequent-words.ts). */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { commonPairs } from '../../src/model/search/frequent-words.ts'
import { randomOf } from '../../emulator/random.ts'
import { addJob, askAll, testIndex, textRow } from './index-files.ts'

const WORDS = ['of', 'the', 'in', 'a', 'to', 'zebra', 'lion']
const TEXTS = 300
const PHRASES = 250

const random = randomOf(20_261_123)
const someWords = (most: number): string =>
  Array.from({ length: random.between(1, most) }, () => random.pick(WORDS)).join(' ')

test('a phrase has exactly the texts that hold it, whichever of its words are common', () => {
  const index = testIndex({ after })
  const texts = Array.from({ length: TEXTS }, () => someWords(14))
  addJob(
    index,
    'job',
    texts.map((text, at) => textRow(at + 1, [text])),
  )
  const seen = { ofPairs: 0, found: 0, without: 0 }
  for (let round = 0; round < PHRASES; round += 1) {
    const phrase = someWords(4)
    const holding = texts.flatMap((text, at) =>
      ` ${text} `.includes(` ${phrase} `) ? [at + 1] : [],
    )
    assert.deepEqual(indexes(askAll(index, `"${phrase}"`)), holding, phrase)
    const others = texts.flatMap((text, at) =>
      text.split(' ').includes('of') && !holding.includes(at + 1) ? [at + 1] : [],
    )
    assert.deepEqual(indexes(askAll(index, `of -"${phrase}"`)), others, phrase)
    if (commonPairs(phrase.split(' ')).length > 0) seen.ofPairs += 1
    if (holding.length > 0) seen.found += 1
    else seen.without += 1
  }
  assert.ok(Math.min(...Object.values(seen)) > 20, JSON.stringify(seen))
})

test('runs of common words that meet in a pair are not taken for one', () => {
  const index = testIndex({ after })
  addJob(index, 'job', [textRow(1, ['to the zebra the end of the zebra the in'])])
  assert.equal(askAll(index, '"of the in"').total, 0)
  assert.equal(askAll(index, '"to the the"').total, 0)
  assert.equal(askAll(index, '"of the"').total, 1)
})

test('pairs are not found by the beginning of a word', () => {
  const index = testIndex({ after })
  addJob(index, 'job', [textRow(1, ['of the of the']), textRow(2, ['the often'])])
  assert.deepEqual(indexes(askAll(index, 'th*')), [1, 2])
  assert.deepEqual(indexes(askAll(index, 'oft*')), [2])
  assert.deepEqual(indexes(askAll(index, '"of the*"')), [1])
})

function indexes({ hits }: ReturnType<typeof askAll>): number[] {
  return hits.map(({ index }) => index).sort((a, b) => a - b)
}
