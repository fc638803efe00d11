/** The platform's words, whatever they are, stand in one quotation of one line that says whose they are. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { hasVisible, visibleLine } from '../../kit/text/invisible.ts'
import { platformSays } from './platform-says.ts'

const QUOTED: [words: string | null, told: string | null][] = [
  [null, null],
  ['', null],
  [' \u200b\u202e\n', null],
  ['This video is private', 'YouTube says: “This video is private”.'],
  ['It violated our Terms of Service.', 'YouTube says: “It violated our Terms of Service.”'],
  ['Wirklich?', 'YouTube says: “Wirklich?”'],
  ['この動画は再生できません。', 'YouTube says: “この動画は再生できません。”'],
  ['“Quoted” and "plain"', 'YouTube says: “‘Quoted’ and "plain"”.'],
  ['Gone.” We sell it: “call', 'YouTube says: “Gone.’ We sell it: ‘call”.'],
  ['two\n lines\u00a0here', 'YouTube says: “two lines here”.'],
  ['first\nsecond\r\nthird\tfourth\u2028fifth', 'YouTube says: “first second third fourth fifth”.'],
  ['a\u202eb\u200bc\u00add', 'YouTube says: “abcd”.'],
  ['See HTTPS://user:pass@host.example/x now', 'YouTube says: “See … now”.'],
  ['h\u200bttps://host.example/x', 'YouTube says: “…”'],
  ['half a pair \ud83d', 'YouTube says: “half a pair \ufffd”.'],
]

test('each word of the platform is quoted, on one line, without addresses', () => {
  for (const [words, told] of QUOTED) assert.equal(platformSays(words), told)
})

test('a long text is cut between characters, and the sentence ends there', () => {
  const told = platformSays('🎬'.repeat(50_000)) ?? ''
  assert.equal(told, `YouTube says: “${'🎬'.repeat(299)}…”`)
  assert.equal(platformSays('🎬'.repeat(300)), `YouTube says: “${'🎬'.repeat(300)}”.`)
})

test('whatever the platform says, the quotation is one, bounded, and the platform’s', () => {
  const signs = fc.constantFrom('“', '”', '"', '.', ' ', '\n', '\u202e', '\ud800', 'http://a', 'x')
  const unit = fc.oneof(fc.string({ unit: 'binary' }), signs)
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 400 }), (parts) => {
      const words = parts.join('')
      const told = platformSays(words)
      if (told === null) return assert.equal(visibleLine(words), '')
      assert.match(told, /^YouTube says: “[^“”\n]+”\.?$/u)
      assert.ok(Array.from(told).length <= 320 && told.isWellFormed())
      assert.doesNotMatch(told, /https?:\/\/\S|[\u202a-\u202e\u2066-\u2069]/)
      assert.ok(hasVisible(words))
    }),
  )
})
