/** Near misses: what was probably meant is a line that is read, and an id that lacks something says what. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { readOrder } from '../jobs/read-order.ts'
import { suggestionFor } from './near-miss.ts'
import { readSource } from './source.ts'

const ID = 'dQw4w9WgXcQ'
const WATCH = `https://www.youtube.com/watch?v=${ID}`
const SHORT = `https://youtu.be/${ID}`

const MEANT: [string, string | null][] = [
  ['smallworkshop', '@smallworkshop'],
  ['Small.Workshop', '@Small.Workshop'],
  ['taller-pequeño', '@taller-pequeño'],
  ['@small workshop', '@smallworkshop'],
  [`www.youtube/watch?v=${ID}`, WATCH],
  [`https://www.youtube/watch?v=${ID}`, WATCH],
  [`htps://www.youtube.com/watch?v=${ID}`, WATCH],
  [`https//www.youtube.com/watch?v=${ID}`, WATCH],
  [`https:\\\\www.youtube.com\\watch?v=${ID}`, WATCH],
  [`ftp://www.youtube.com/watch?v=${ID}`, WATCH],
  [`youtub.com/watch?v=${ID}`, WATCH],
  [`yuotube.com/watch?v=${ID}`, WATCH],
  [`youtube.co/watch?v=${ID}`, WATCH],
  [`youtube.de/watch?v=${ID}`, WATCH],
  [`www,youtube,com/watch?v=${ID}`, WATCH],
  [`wwww.youtube.com/watch?v=${ID}`, WATCH],
  [`youtu.b/${ID}`, SHORT],
  [`https://youtube.be/${ID}`, SHORT],
  ['youtubecom/@x1y', 'https://www.youtube.com/@x1y'],
  ['not a url', null],
  ['https://vimeo.com/1', null],
  ['example.com', null],
  ['12345', null],
  ['💥', null],
  ['a', null],
]

test('what was probably meant is suggested, and is a line that is read', () => {
  for (const [line, meant] of MEANT) {
    if (meant !== null) assert.equal(readSource(line).kind, 'rejected', line)
    assert.equal(suggestionFor(line), meant, line)
  }
})

test('whatever is suggested is a source, and no line is too odd to ask', () => {
  const line = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[a-z@./?=:w]{0,20}$/))
  fc.assert(
    fc.property(line, (text) => {
      const meant = suggestionFor(text)
      assert.ok(meant === null || readSource(meant).kind === 'source', text)
    }),
  )
})

const LACKING: [string, RegExp][] = [
  ['dQw4w9WgXc', /it looks like a video id, but has 10 characters, and an id has 11\.$/],
  ['dQw4w9WgXcQQ', /it looks like a video id, but has 12 characters, and an id has 11\.$/],
  ['https://youtu.be/dQw4w9WgXc', /its video id has 10 characters, and an id has 11\.$/],
  ['https://www.youtube.com/watch?v=dQw&t=4', /its video id has 3 characters, and an id has 11\.$/],
  ['UCTwECeGqMZee77BjdoYtI2', /like a channel id, but has 23 characters, and such an id has 24\.$/],
  ['smallworkshop', /^Line 2 .* Did you mean @smallworkshop\?$/],
  [
    `www.youtube/watch?v=${ID}`,
    /another site\. Did you mean https:\/\/www\.youtube\.com\/watch\?v=/,
  ],
]

test('a refusal says what an id lacks, or what was probably meant', () => {
  for (const [line, words] of LACKING)
    assert.throws(() => readOrder({ urls: `@x1y\n${line}` }), { message: words }, line)
})
