/** A text is found, left out, counted and quoted by its letters, however they and the query are typed. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { askMentions } from '../../src/features/search/ask-mentions.ts'
import { findMentions } from '../../src/model/search/quote.ts'
import { segmentsOfStored } from '../../src/model/transcripts/transcript-body.ts'
import { addJob, askAll, testIndex, textRow } from './index-files.ts'

const TEXTS = [
  ['開始ﾕｰｻﾞｰ認証', '開始ユーザー認証'],
  ['㍿ﾄﾖﾀ', '株式会社トヨタ'],
  ['من می\u200cخواهم بدانم', 'من می خواهم بدانم', 'من میخواهم بدانم'],
  ['קצין צה״ל בכיר', 'קצין צה"ל בכיר', 'קצין צהל בכיר'],
  ['वह ज़रा हिन्दी', 'वह जरा हिंदी'],
  ['سنة ٢٠٢٣ المدرسة', 'سنه 2023 المدرسه'],
]
const QUERIES = [
  ['ユーザー', 'ﾕｰｻﾞｰ'],
  ['株式会社', '㍿', '㍿トヨタ'],
  ['می\u200cخواهم', 'می خواهم', 'میخواهم', '"من می خواهم"', '"من میخواهم"'],
  ['צה״ל', 'צה"ל', 'צהל', '"צה"ל"', '"קצין צה"ל"'],
  ['ज़रा', 'जरा हिंदी', '"ज़रा हिन्दी"'],
  ['2023', '٢٠٢٣', '"۲۰۲۳ المدرسة"'],
]

test('however a text is typed, each way of typing its words finds, counts and quotes it', () => {
  const index = testIndex({ after })
  const rows = TEXTS.flat().map((text, at) => textRow(at + 1, ['zoo', text]))
  addJob(index, 'job', rows)
  for (const [at, asked] of QUERIES.entries()) {
    const before = TEXTS.slice(0, at).flat().length
    const numbers = (TEXTS[at] ?? []).map((_, next) => before + next + 1)
    for (const q of asked) {
      const { hits, query } = askAll(index, q)
      assert.deepEqual(hits.map((hit) => hit.index).sort(byNumber), numbers, q)
      const said = numbers.map((number) => {
        const segments = segmentsOfStored(rows[number - 1]?.stored ?? Buffer.alloc(0))
        return findMentions(segments, query, { skip: 0, take: 9 }).length
      })
      assert.ok(said.every((count) => count > 0))
      const counted = askMentions(index, { query, filter: ANY, offset: 0, limit: 9 })
      assert.equal(
        counted.total,
        said.reduce((sum, count) => sum + count, 0),
      )
      const isOne = !q.includes(' ') || q.startsWith('"')
      if (isOne) assert.equal(askAll(index, `zoo -${q}`).total, rows.length - numbers.length, q)
    }
  }
})

const ANY = { channel: null, videoId: null, language: null, dates: null }
const byNumber = (one: number, other: number): number => one - other
