/** Texts are joined as their script is written. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { alwaysBlank, joinedText } from './joined-text.ts'

const JOINED: [string[], string][] = [
  [['one', 'two'], 'one two'],
  [['日本', 'の話'], '日本の話'],
  [['カタ', 'カナー', 'です'], 'カタカナーです'],
  [['今日は、', '元気です。', '「はい」'], '今日は、元気です。「はい」'],
  [['今天很好！', '我们走'], '今天很好！我们走'],
  [['𠮷野', '家'], '𠮷野家'],
  [['家', '𠮷野'], '家𠮷野'],
  [['한국어는', '띄어 쓴다'], '한국어는 띄어 쓴다'],
  [['漢字。', '한글'], '漢字。 한글'],
  [['GDP', 'は上がる'], 'GDP は上がる'],
  [['上がる', 'GDP'], '上がる GDP'],
  [['[音楽]', '日本'], '[音楽] 日本'],
  [['a·', '日本'], 'a· 日本'],
  [['ภาษา', 'ไทย'], 'ภาษา ไทย'],
  [['one'], 'one'],
  [[], ''],
]

test('a blank parts what is joined, but for Chinese and Japanese', () => {
  for (const [texts, joined] of JOINED) assert.equal(joinedText(texts), joined)
})

test('a blank always parts where it is said so', () => {
  assert.equal(joinedText(['日本', 'の話'], alwaysBlank), '日本 の話')
})
