/**
 * Lines as people paste them: each form is read or refused for its reason, and lines that were read before read the
 * same.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import fc from 'fast-check'
import { lineTexts, numberIn, readUrlSet } from '../../../test/support/orders.ts'
import { partsOf } from './line-parts.ts'
import { readSource, type Source } from './source.ts'

const ID = 'dQw4w9WgXcQ'
const UC = 'UCTwECeGqMZee77BjdoYtI2Q'
const PL = 'PLWwAypAcFRgKAIIFqBr9oy-ZYZnixa_Fj'
const EDITORS = 'RDCLAK5uy_kmPRjHDECIcuVwnKsx2Ng7fyNgFKWNJFs'
const POPULAR = `PU${UC.slice(2)}`

const READ: [string, string][] = [
  [`- https://youtu.be/${ID}`, `video ${ID}`],
  [`* ${ID}`, `video ${ID}`],
  [`1. https://www.youtube.com/watch?v=${ID}`, `video ${ID}`],
  [`12) www.youtube.com/@x1y`, 'channel /@x1y'],
  [`• @creativecommons`, 'channel /@creativecommons'],
  [`- [ ] https://youtu.be/${ID}`, `video ${ID}`],
  [`- [x] https://youtu.be/${ID}`, `video ${ID}`],
  [`[A talk (part [2])](https://youtu.be/${ID})`, `video ${ID}`],
  [`- [A talk](https://youtu.be/${ID} "hint"),`, `video ${ID}`],
  [`[list](<https://www.youtube.com/playlist?list=${PL}>)`, `playlist ${PL}`],
  [`![](https://img.youtube.com/vi/${ID}/0.jpg)`, `video ${ID}`],
  ['@creativecommons,', 'channel /@creativecommons'],
  [`https://www.youtube.com/playlist?list=${PL},`, `playlist ${PL}`],
  ['https://www.youtube.com/@x1y/videos;', 'channel /@x1y videos'],
  [`"https://www.youtube.com/channel/${UC}",`, `channel ${UC}`],
  [encodeURIComponent(`https://www.youtube.com/watch?v=${ID}`), `video ${ID}`],
  [
    encodeURIComponent(encodeURIComponent(`https://www.youtube.com/playlist?list=${PL}`)),
    `playlist ${PL}`,
  ],
  [`https://www.youtube.com/watch%3Fv%3D${ID}`, `video ${ID}`],
  [`youtube.com%2F@x1y`, 'channel /@x1y'],
  ['https://youtu.be/@creativecommons', 'channel /@creativecommons'],
  [`https://youtu.be/playlist?list=${PL}`, `playlist ${PL}`],
  [`youtu.be/shorts/${ID}?feature=share`, `video ${ID}`],
  [`https://studio.youtube.com/video/${ID}/edit`, `video ${ID}`],
  [`https://i.ytimg.com/vi/${ID}/hqdefault.jpg`, `video ${ID}`],
  [`https://i9.ytimg.com/vi_webp/${ID}/maxresdefault.webp?sqp=x`, `video ${ID}`],
  [`https://img.youtube.com/vi/${ID}/0.jpg`, `video ${ID}`],
  [`https://www.youtube.com/feeds/videos.xml?channel_id=${UC}`, `channel ${UC}`],
  [`https://www.youtube.com/feeds/videos.xml?playlist_id=${PL}`, `playlist ${PL}`],
  ['https://www.youtube.com/feeds/videos.xml?user=gronkh', 'channel /user/gronkh'],
  [`https://music.youtube.com/browse/MPSP${PL}`, `playlist ${PL}`],
  [POPULAR, `playlist ${POPULAR}`],
  [`https://www.youtube.com/playlist?list=${POPULAR}`, `playlist ${POPULAR}`],
  [EDITORS, `playlist ${EDITORS}`],
  [`https://music.youtube.com/playlist?list=${EDITORS}`, `playlist ${EDITORS}`],
  [`https://www.youtube.com/view_play_list?p=${PL}`, `playlist ${PL}`],
  ['https://www.youtube.com/view_play_list?p=D19BCF9D57320E03', 'playlist PLD19BCF9D57320E03'],
  [`https://www.youtube.com/course?list=EC${PL.slice(2)}`, `playlist EC${PL.slice(2)}`],
  [`https://www.youtube.com/live_chat?v=${ID}&is_popout=1`, `video ${ID}`],
]

test('what people paste around an address, and every further form of one, is read', () => {
  for (const [line, expected] of READ) assert.equal(told(line), expected, line)
})

const REFUSED: [string, string][] = [
  ['https://music.youtube.com/search?q=lofi', 'search'],
  [`https://www.youtube.com/watch_videos?video_ids=${ID},jNQXAC9IVRw`, 'temporary_list'],
  ['https://www.youtube.com/view_play_list?p=abc', 'bad_playlist_id'],
  ['https://www.youtube.com/course', 'bad_playlist_id'],
  ['https://www.youtube.com/live_chat', 'bad_video_id'],
  ['https://www.youtube.com/podcasts', 'no_videos_page'],
  ['https://music.youtube.com/library', 'feed'],
  ['https://www.youtube.com/shared?ci=1nEzmT-M4fU', 'shared'],
  [`https://www.youtube.com:8443/watch?v=${ID}`, 'port'],
  [`youtu.be:80/${ID}`, 'port'],
  [`http://www.youtube.com:443/redirect?q=https%3A%2F%2Fyoutu.be%2F${ID}`, 'port'],
  [`https://example.com:8443/watch?v=${ID}`, 'other_site'],
  ['https://studio.youtube.com/', 'no_videos_page'],
  ['https://i.ytimg.com/an_image.jpg', 'no_videos_page'],
  ['https://music.youtube.com/playlist?list=RDAMVMdQw4w9WgXcQ', 'mix'],
  ['- https://vimeo.com/1', 'other_site'],
  ['- hello', 'not_a_link'],
  ['[hello](', 'not_a_link'],
  [`Watch this https://youtu.be/${ID}`, 'not_a_link'],
  ['https://www.youtube.com/@x1y/playlists,', 'list_of_lists'],
]

test('marks that nobody sees are no part of an address, wherever a copy put them', () => {
  for (const mark of ['\u202a', '\u2069', '\u00ad', '\ufe0f', '\u3164', '\u2800', '\u200e']) {
    const address = `https://www.youtube.com/watch?v=${ID}`
    for (const line of [
      `${mark}${address}`,
      `${address}${mark}`,
      `${mark}${mark} ${address} ${mark}`,
      `${mark}- ${address}`,
      `1.${mark} [A talk](${mark}${address})`,
      address.replace('youtube', `you${mark}tube`),
    ])
      assert.equal(told(line), `video ${ID}`, JSON.stringify(line))
    assert.equal(told(`@x1y${mark}`), 'channel /@x1y')
    const encoded = `https://www.youtube.com/@x1y${encodeURIComponent(mark)}`
    assert.equal(told(encoded), 'channel /@x1y', encoded)
    assert.equal(told(mark), '! blank')
  }
})

test('what is no video, playlist or channel is refused for its own reason', () => {
  for (const [line, reason] of REFUSED) {
    const reading = readSource(line)
    assert.equal(reading.kind === 'rejected' ? reading.reason : told(line), reason, line)
  }
})

test('several addresses between blanks are as many lines, each as it was pasted', () => {
  const [one, two] = [`https://youtu.be/${ID}`, 'www.youtube.com/@x1y/videos,']
  for (const line of [`${one} ${two}`, `- ${one} | ${two}`, `${one}  ,  ${two}`, `${one}\t${two}`])
    assert.deepEqual(partsOf(line).parts, [one, two], line)
  const marked = `\u200e \u202a${one}\u202c \u2060 \u200b${two}`
  assert.deepEqual(partsOf(marked).parts, [one, two.replace(',', '')])
  for (const line of [one, 'a b', `- ${one}`, 'Programming Fundamental'])
    assert.deepEqual(partsOf(line), { parts: [line], unclear: [] })
  const many = Array.from({ length: 51 }, () => 'https://youtu.be/x').join(' ')
  assert.equal(readUrlSet(many).lineCount, 51)
  assert.equal(numberIn(`a\n\n${one} ${two}`, two), 3)
})

const FIXTURE = path.join(import.meta.dirname, '../../../test/platform/accepted-lines.jsonl')
/** Lines that releases up to 1.0 accepted, with what they read; never to be written anew. */
const BEFORE = readFileSync(FIXTURE, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as [string, Source])

/** Lines of which earlier releases read the first address only. */
const TWO = /https:.*,https:/

test('every line that was accepted before reads the same way, alone and in any set, with the same hash', () => {
  assert.equal(BEFORE.length, 640)
  for (const [line, source] of BEFORE)
    assert.deepEqual(readSource(line), { kind: 'source', source }, line)
  const lines = fc.subarray(
    BEFORE.map(([line]) => line).filter((line) => !TWO.test(line)),
    { minLength: 1, maxLength: 50 },
  )
  fc.assert(
    fc.property(lines, (urls) => {
      const trimmed = [...new Set(urls.map((line) => line.trim()))]
      const hash = createHash('sha256').update(trimmed.toSorted().join('\n')).digest('hex')
      const { lines: read, lineCount, hash: ofSet } = readUrlSet(urls.join('\n'))
      assert.deepEqual([lineTexts(read), lineCount, ofSet], [trimmed, urls.length, hash])
    }),
  )
})

test('an address in a list, in Markdown, escaped or before a comma is the source that it is alone', () => {
  const wraps: ((address: string) => string)[] = [
    (address) => `- ${address}`,
    (address) => `3. ${address}`,
    (address) => `[any [title] (at all)](${address})`,
    (address) => `* [title](${address} "hint"),`,
    (address) => `${address},`,
    (address) => encodeURIComponent(address),
  ]
  const addresses = BEFORE.map(([line]) => line).filter((line) => /^https?:[^%;,)]*$/.test(line))
  assert.ok(addresses.length > 50)
  fc.assert(
    fc.property(fc.constantFrom(...addresses), fc.constantFrom(...wraps), (address, wrap) => {
      assert.equal(told(wrap(address)), told(address), wrap(address))
    }),
    { numRuns: 2000 },
  )
})

function told(line: string): string {
  const reading = readSource(line)
  if (reading.kind === 'rejected') return `! ${reading.reason}`
  const { source } = reading
  if (source.kind === 'video') return `video ${source.videoId}`
  return source.kind === 'playlist'
    ? `playlist ${source.playlistId}`
    : `channel ${source.name}${source.tab === null ? '' : ` ${source.tab}`}`
}
