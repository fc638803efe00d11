/** Phrases are found exactly, whichever words they are made of. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { randomOf } from '../../emulator/random.ts'
import { addJob, askAll, testIndex, textRow } from './index-files.ts'

const WORDS = ['of', 'the', 'in', 'a', 'to', 'zebra', 'lion']
const TEXTS = 300
const PHRASES = 250

const random = randomOf(20_261_123)
const someWords = (most: number): string =>
  Array.from({ length: random.between(1, most) }, () => random.pick(WORDS)).join(' ')

test('a phrase has exactly the texts that hold it', () => {
  const index = testIndex({ after })
  const texts = Array.from({ length: TEXTS }, () => someWords(14))
  addJob(
    index,
    'job',
    texts.map((text, at) => textRow(at + 1, [text])),
  )
  const seen = { found: 0, without: 0 }
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
    if (holding.length > 0) seen.found += 1
    else seen.without += 1
  }
  assert.ok(Math.min(...Object.values(seen)) > 20, JSON.stringify(seen))
})

function indexes({ hits }: ReturnType<typeof askAll>): number[] {
  return hits.map(({ index }) => index).sort((a, b) => a - b)
}
