/** Ids in every place of an address: read, asked or refused as what they are whole, and never cut to another. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { suggestionFor } from './near-miss.ts'
import { readSource } from './source.ts'

const V = 'dQw4w9WgXcQ'
const TAIL = 'TwECeGqMZee77BjdoYtI2Q'
const LONG = 'WwAypAcFRgKAIIFqBr9oy-ZYZnixa_Fj'

const LISTS = [
  `PL${LONG}`,
  'PLD19BCF9D57320E03',
  ...['UU', 'UULF', 'UUSH', 'UULV', 'FL', 'PU'].map((kind) => `${kind}${TAIL}`),
  `EC${LONG}`,
  `SP${LONG}`,
  'OLAK5uy_mPBQePobkU9UZ100tOChv-_IHHLMzRMqQ',
  'RDCLAK5uy_kmPRjHDECIcuVwnKsx2Ng7fyNgFKWNJFs',
]
/** Ids of each kind with what is told of them where a video's belongs: the address that is asked, or a reason. */
const KINDS: [string, string][] = [
  ...LISTS.map((id): [string, string] => [id, `playlist?list=${id}`]),
  ...LISTS.map((id): [string, string] => [`VL${id}`, `playlist?list=${id}`]),
  [`MPSPPL${LONG}`, `playlist?list=PL${LONG}`],
  [`UC${TAIL}`, `channel/UC${TAIL}`],
  ['RDdQw4w9WgXcQ', '! mix'],
  ['RDAMVMdQw4w9WgXcQ', '! mix'],
  ['VLRDdQw4w9WgXcQ', '! mix'],
  ['TLGGabcdefghijklmn', '! temporary_list'],
  ['MLCTabcdefghijklmn', '! temporary_list'],
  [`LL${TAIL}`, '! personal_list'],
]

const HOST = 'https://www.youtube.com'
const VIDEO_PLACES: ((id: string) => string)[] = [
  ...'watch?v= watch?t=1&v= watch_popup?v= movie?v= live_chat?v= ?v= #!v= #/watch?v='.split(' '),
  ...'watch/ shorts/ embed/ live/ v/ e/ w/ vi/'.split(' '),
].map((place) => (id: string) => `${HOST}/${place}${id}`)
VIDEO_PLACES.push(
  (id) => `https://youtu.be/${id}`,
  (id) => `youtu.be/watch?v=${id}`,
  (id) => `https://y2u.be/${id}`,
  (id) => `vnd.youtube:${id}`,
  (id) => `https://m.youtube.com/watch?v=${id}`,
  (id) => `https://studio.youtube.com/video/${id}/edit`,
  (id) => `https://i.ytimg.com/vi/${id}/hqdefault.jpg`,
  (id) => `${HOST}/attribution_link?u=${encodeURIComponent(`/watch?v=${id}`)}`,
  (id) => `- [A talk](https://youtu.be/${id})`,
)

/** Ways to write an id that change nothing of it. */
const SAME: ((id: string) => string)[] = [
  (id) => id,
  (id) => `${id}%3Fx`,
  (id) => `${id}.`,
  (id) => `${id.slice(0, 5)}%E2%80%8B${id.slice(5)}`,
  (id) => `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`,
]

function told(line: string): string {
  const reading = readSource(line)
  if (reading.kind === 'source')
    return reading.source.kind === 'video' ? reading.source.videoId : JSON.stringify(reading.source)
  const meant = suggestionFor(line)
  return meant === null ? `! ${reading.reason}` : meant.replace(`${HOST}/`, '')
}

test('where a video belongs, eleven characters are one, and the id of a list or channel is asked or refused', () => {
  for (const place of VIDEO_PLACES)
    for (const write of SAME) {
      const isAddressOnly = place('x').endsWith(')') || place('x').includes('attribution')
      if (isAddressOnly && write !== SAME[0]) continue
      for (const [id, expected] of [[V, V], ['PLxxxxxxxxx', 'PLxxxxxxxxx'], ...KINDS])
        assert.equal(told(place(write(id!))), expected, place(write(id!)))
    }
})

test('a part of another id, or such an id with rubbish behind it, is no video', () => {
  for (const place of VIDEO_PLACES)
    for (const [id] of KINDS)
      for (const text of [id.slice(0, -1), id.slice(0, 12), `${id}sharePLED17F32AD9753930`]) {
        const reading = readSource(place(text))
        assert.equal(reading.kind, 'rejected', place(text))
      }
})

test('rubbish behind the id of a video is cut off', () => {
  for (const place of VIDEO_PLACES)
    for (const rubbish of ['sharePLED17F32AD9753930', 'x', 'feature', '.', '%20', '%22'])
      assert.equal(told(place(V + rubbish)), V, place(V + rubbish))
})

/** Places of lists, channels and names with an id that belongs elsewhere, and the address that is asked. */
const ELSEWHERE: [string, string, string][] = [
  ...['playlist?list=', 'watch?list=', 'embed/videoseries?list=', '?list=', 'course?list='].flatMap(
    (place): [string, string, string][] => [
      [place, V, `watch?v=${V}`],
      [place, `UC${TAIL}`, `channel/UC${TAIL}`],
    ],
  ),
  ...['channel/', 'feeds/videos.xml?channel_id=', 'embed/live_stream?channel='].flatMap(
    (place): [string, string, string][] => [
      [place, V, `watch?v=${V}`],
      [place, '@x1y', '@x1y'],
      ...LISTS.map((id): [string, string, string] => [place, id, `playlist?list=${id}`]),
    ],
  ),
  ...['@', 'c/', 'user/', ''].flatMap((place): [string, string, string][] => [
    [place, `UC${TAIL}`, `channel/UC${TAIL}`],
    [place, `PL${LONG}`, `playlist?list=PL${LONG}`],
    [place, `UU${TAIL}`, `playlist?list=UU${TAIL}`],
  ]),
  ['c/', '@x1y', '@x1y'],
  ['live/', '@x1y', '@x1y'],
]

test('where a list, a channel or a name belongs, another id is asked', () => {
  for (const [place, id, expected] of ELSEWHERE)
    assert.equal(told(`${HOST}/${place}${id}`), expected, `${place}${id}`)
  assert.equal(told(`@UC${TAIL}`), `channel/UC${TAIL}`)
  for (const name of ['PLanetEarthFilmsAndMore', 'ECommerceNation', 'dQw4w9WgXcQ', 'UCBerkeley'])
    for (const place of ['@', 'c/', ''])
      assert.match(told(`${HOST}/${place}${name}`), /"channel"/, `${place}${name}`)
})

test('no reading of an address is ever the beginning of a longer id of another kind', () => {
  const word = (from: number, to: number) =>
    fc.string({
      unit: fc.constantFrom(...'abcXYZ019_-'),
      minLength: from,
      maxLength: to,
    })
  const kinds = 'PL UU FL EC SP EL PU RD TL MLCT RLTD LL OLAK5uy_ UC VLPL VLUU MPSPPL'.split(' ')
  const ids = fc.tuple(fc.constantFrom(...kinds), word(11, 40)).map((parts) => parts.join(''))
  const behind = fc.constantFrom('', '?si=x', '&t=4', '#t=4', '/x', '.', ',', '%20x')
  fc.assert(
    fc.property(fc.constantFrom(...VIDEO_PLACES), ids, behind, (place, id, rest) => {
      const line = place(id) + (place('x').endsWith('x') ? rest : '')
      const reading = readSource(line)
      if (reading.kind === 'source') assert.notEqual(reading.source.kind, 'video', line)
    }),
    { numRuns: 2000 },
  )
})

const BARE: [string, string][] = [
  ...[...'.,;"!?。，；：！？、）」』】》»،؛؟۔।॥', '...', '".', ').', '」。'].map(
    (end): [string, string] => [V + end, V],
  ),
  [`PL${LONG}.`, JSON.stringify({ kind: 'playlist', playlistId: `PL${LONG}` })],
  ['information.', '! not_a_link'],
  ['@x1y/videos', '@x1y/videos'],
  ['@x1y/shorts', '@x1y/shorts'],
  ['/@x1y/streams', '@x1y/streams'],
  ['x1y/videos', '@x1y/videos'],
  ['@x1y/playlists', '! not_a_link'],
  ['and/or', '! not_a_link'],
  [`watch?v=${V}`, `watch?v=${V}`],
  [`/shorts/${V}`, `shorts/${V}`],
  [`v=${V}`, `watch?v=${V}`],
  [`${V}?si=abc`, `https://youtu.be/${V}?si=abc`],
  [`channel/UC${TAIL}`, `channel/UC${TAIL}`],
]

test('an id at the end of a sentence is read, and a path without its host is asked', () => {
  for (const [line, expected] of BARE) assert.equal(told(line), expected, line)
})
