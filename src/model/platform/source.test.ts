/** Sources: every form of address, every trap, and the same source behind every wrapping. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { readSource, type Source } from './source.ts'

const ID = 'dQw4w9WgXcQ'
const UC = 'UCTwECeGqMZee77BjdoYtI2Q'
const PL = 'PLWwAypAcFRgKAIIFqBr9oy-ZYZnixa_Fj'

function told(line: string): string {
  const reading = readSource(line)
  if (reading.kind === 'rejected') return `! ${reading.reason}`
  const { source } = reading
  if (source.kind === 'video') {
    return `video ${source.videoId}${source.besidePlaylistId === null ? '' : ` beside ${source.besidePlaylistId}`}`
  }
  if (source.kind === 'playlist') return `playlist ${source.playlistId}`
  return `${source.kind} ${source.name} ${source.tab ?? 'all'}`
}

const VIDEOS = [
  ID,
  ` ${ID}\t`,
  `https://www.youtube.com/watch?v=${ID}`,
  `http://youtube.com/watch?v=${ID}`,
  `HTTPS://WWW.YOUTUBE.COM/watch?v=${ID}`,
  `//www.youtube.com/watch?v=${ID}`,
  `youtube.com/watch?v=${ID}`,
  `www.youtube.com:443/watch?v=${ID}`,
  `https://www.youtube.com./watch?v=${ID}`,
  `m.youtube.com/watch?v=${ID}&feature=share`,
  `https://music.youtube.com/watch?v=${ID}&si=abc`,
  `https://gaming.youtube.com/watch?v=${ID}`,
  `https://www.youtubekids.com/watch?v=${ID}`,
  `https://www.youtube.com/watch?feature=player_embedded&v=${ID}&t=42s`,
  `https://www.youtube.com/watch?feature=x&amp;v=${ID}`,
  `https://www.youtube.com/watch/${ID}`,
  `https://www.youtube.com/watch_popup?v=${ID}`,
  `https://www.youtube.com/movie?v=${ID}`,
  `https://www.youtube.com/?v=${ID}`,
  `https://www.youtube.com/#!v=${ID}`,
  `https://www.youtube.com/#/watch?v=${ID}`,
  `https://www.youtube.com/shorts/${ID}`,
  `https://www.youtube.com/shorts/${ID}?feature=share`,
  `https://www.youtube.com/live/${ID}?si=x`,
  `https://www.youtube.com/embed/${ID}?start=3`,
  `https://www.youtube-nocookie.com/embed/${ID}`,
  `https://www.youtube.com/v/${ID}`,
  `https://www.youtube.com/e/${ID}`,
  `https://www.youtube.com/w/${ID}`,
  `https://youtube.googleapis.com/v/${ID}`,
  `https://youtu.be/${ID}`,
  `youtu.be/${ID}?si=abc&t=10`,
  `https://youtu.be/watch?v=${ID}`,
  `https://y2u.be/${ID}`,
  `vnd.youtube:${ID}`,
  `vnd.youtube://${ID}`,
  `https://www.youtube.com/watch?v=${ID}sharePLED17F32AD9753930`,
  `https://www.youtube.com/watch?v=${ID}?feature=shared`,
  `<https://youtu.be/${ID}>`,
  `"https://youtu.be/${ID}"`,
]

test('every form of a video address is that video', () => {
  for (const line of VIDEOS) assert.equal(told(line), `video ${ID}`, line)
})

const LISTS: [string, string][] = [
  [PL, `playlist ${PL}`],
  [`https://www.youtube.com/playlist?list=${PL}`, `playlist ${PL}`],
  [`youtube.com/playlist?list=VL${PL}`, `playlist ${PL}`],
  [
    `https://music.youtube.com/playlist?list=OLAK5uy_mPBQePobkU9UZ100tOChv-_IHHLMzRMqQ`,
    'playlist OLAK5uy_mPBQePobkU9UZ100tOChv-_IHHLMzRMqQ',
  ],
  [`https://music.youtube.com/browse/VL${PL}`, `playlist ${PL}`],
  [`https://www.youtube.com/show/VL${PL}?sbp=KgtEbmV3S01WeWZsRUAB`, `playlist ${PL}`],
  [`m.youtube.com/show/VL${PL}?season=1&sbp=QAE%253D`, `playlist ${PL}`],
  ['https://www.youtube.com/show/VLPLAjjW8_0oG4M', 'playlist PLAjjW8_0oG4M'],
  ['https://www.youtube.com/show/videos', 'channel /show videos'],
  ['https://www.youtube.com/@x1y/shows', 'lists /@x1y shows'],
  [`https://www.youtube.com/embed/videoseries?list=${PL}`, `playlist ${PL}`],
  [`https://www.youtube.com/watch?list=${PL}`, `playlist ${PL}`],
  [`https://www.youtube.com/watch?v=&list=${PL}`, `playlist ${PL}`],
  [`https://www.youtube.com/?list=${PL}`, `playlist ${PL}`],
  ['UUTwECeGqMZee77BjdoYtI2Q', 'playlist UUTwECeGqMZee77BjdoYtI2Q'],
  ['UULFTwECeGqMZee77BjdoYtI2Q', 'playlist UULFTwECeGqMZee77BjdoYtI2Q'],
  [`https://www.youtube.com/watch?v=${ID}&list=${PL}&index=3`, `video ${ID} beside ${PL}`],
  [`https://youtu.be/${ID}?list=${PL}`, `video ${ID} beside ${PL}`],
  [`https://www.youtube.com/embed/${ID}?list=${PL}`, `video ${ID} beside ${PL}`],
  [`https://www.youtube.com/watch?v=${ID}&list=RDdQw4w9WgXcQ&start_radio=1`, `video ${ID}`],
  [UC, `channel ${UC} all`],
  [`https://www.youtube.com/channel/${UC}`, `channel ${UC} all`],
  [`https://www.youtube.com/channel/${UC}/videos?view=0`, `channel ${UC} videos`],
  [`https://www.youtube.com/embed/live_stream?channel=${UC}`, `channel ${UC} live`],
  ['@creativecommons', 'channel /@creativecommons all'],
  ['https://www.youtube.com/@CreativeCommons', 'channel /@CreativeCommons all'],
  ['https://www.youtube.com/@a.b-c_d/shorts', 'channel /@a.b-c_d shorts'],
  ['https://www.youtube.com/@x1y/streams', 'channel /@x1y streams'],
  ['https://www.youtube.com/@x1y/live', 'channel /@x1y live'],
  ['https://www.youtube.com/@x1y/podcasts', 'lists /@x1y podcasts'],
  ['https://www.youtube.com/c/x1y/releases', 'lists /c/x1y releases'],
  [`https://www.youtube.com/channel/${UC}/courses`, `lists ${UC} courses`],
  ['https://www.youtube.com/@x1y/featured', 'channel /@x1y all'],
  ['https://www.youtube.com/@x1y/about', 'channel /@x1y all'],
  ['https://www.youtube.com/@%E4%B8%AD%E6%9D%91/videos', 'channel /@中村 videos'],
  ['@中村悠一のあそびば', 'channel /@中村悠一のあそびば all'],
  ['https://www.youtube.com/c/NamedChannel', 'channel /c/NamedChannel all'],
  ['https://www.youtube.com/user/creativecommons/videos', 'channel /user/creativecommons videos'],
  ['https://www.youtube.com/gronkh', 'channel /gronkh all'],
]

test('every form of a playlist or channel address is that list', () => {
  for (const [line, expected] of LISTS) assert.equal(told(line), expected, line)
})

const TRAPS: [string, string][] = [
  ['', 'blank'],
  ['   ', 'blank'],
  ['x'.repeat(5000), 'too_long'],
  ['hello world', 'not_a_link'],
  ['dQw4w9WgXc', 'not_a_link'],
  [`ftp://youtube.com/watch?v=${ID}`, 'not_a_link'],
  ['javascript:alert(1)', 'not_a_link'],
  [`https://www.youtube.com@evil.example/watch?v=${ID}`, 'not_a_link'],
  [`https://notyoutube.com/watch?v=${ID}`, 'other_site'],
  [`https://youtube.com.evil.example/watch?v=${ID}`, 'other_site'],
  ['https://vimeo.com/12345678901', 'other_site'],
  [`https://yewtu.be/watch?v=${ID}`, 'other_site'],
  ['https://rr1---sn-abc.googlevideo.com/videoplayback?id=1', 'other_site'],
  ['https://www.youtube.com/watch?v=short', 'bad_video_id'],
  ['https://www.youtube.com/watch', 'bad_video_id'],
  ['https://youtu.be/', 'bad_video_id'],
  ['https://www.youtube.com/shorts/abc', 'bad_video_id'],
  ['https://www.youtube.com/playlist', 'bad_playlist_id'],
  ['https://www.youtube.com/playlist?list=abc', 'bad_playlist_id'],
  ['https://www.youtube.com/playlist?list=RDdQw4w9WgXcQ', 'mix'],
  ['RDAMVMdQw4w9WgXcQ', 'mix'],
  ['https://www.youtube.com/playlist?list=WL', 'personal_list'],
  ['https://www.youtube.com/playlist?list=LL', 'personal_list'],
  ['https://music.youtube.com/playlist?list=LM', 'personal_list'],
  ['https://www.youtube.com/playlist?list=TLGGabcdefghijklmn', 'temporary_list'],
  ['https://www.youtube.com/channel/UCshort', 'bad_channel'],
  ['https://www.youtube.com/', 'home'],
  ['youtube.com', 'home'],
  ['https://www.youtube.com/results?search_query=x', 'search'],
  ['https://www.youtube.com/@x1y/search?query=x', 'search'],
  ['https://www.youtube.com/hashtag/music', 'hashtag'],
  ['https://www.youtube.com/feed/subscriptions', 'feed'],
  ['https://www.youtube.com/post/UgkxAbc', 'post'],
  ['https://www.youtube.com/@x1y/community', 'post'],
  ['https://www.youtube.com/clip/UgkxAbc', 'clip'],
  ['https://www.youtube.com/@x1y/playlists', 'list_of_lists'],
  ['https://www.youtube.com/@x1y/shop', 'no_videos_page'],
  ['https://www.youtube.com/show/SCG2QET_lsEE-lsp4Kjk7HjA', 'no_videos_page'],
  ['https://www.youtube.com/show/VLPLshort', 'bad_playlist_id'],
  ['https://www.youtube.com/show/VLRDdQw4w9WgXcQ', 'mix'],
  ['https://www.youtube.com/premium', 'no_videos_page'],
  ['https://www.youtube.com/gaming', 'no_videos_page'],
  ['https://www.youtube.com/t/terms', 'no_videos_page'],
]

test('what is no source is refused for a reason that has a name and a sentence', () => {
  for (const [line, reason] of TRAPS) assert.equal(told(line), `! ${reason}`, line.slice(0, 80))
})

test('reading never throws, whatever was pasted', () => {
  const lines = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.string().map((tail) => `https://www.youtube.com/${tail}`),
    fc.string().map((tail) => `youtube.com/watch?v=${tail}`),
    fc.string().map((tail) => `https://www.youtube.com/attribution_link?u=${tail}`),
  )
  fc.assert(
    fc.property(lines, (line) => {
      const reading = readSource(line)
      assert.ok(reading.kind === 'source' || reading.sentence.length > 10)
    }),
    { numRuns: 2000 },
  )
})

const WRAPPINGS: ((link: string) => string)[] = [
  (link) => `https://consent.youtube.com/m?continue=${encodeURIComponent(link)}&gl=DE`,
  (link) => `https://www.google.com/url?sa=t&url=${encodeURIComponent(link)}&usg=x`,
  (link) => `https://www.google.co.uk/url?q=${encodeURIComponent(link)}`,
  (link) => `https://www.youtube.com/redirect?event=x&q=${encodeURIComponent(link)}`,
  (link) => `https://www.youtube.com/oembed?url=${encodeURIComponent(link)}&format=json`,
  (link) =>
    `https://www.youtube.com/attribution_link?a=x&u=${encodeURIComponent(new URL(link).pathname + new URL(link).search)}`,
  (link) =>
    `https://accounts.google.com/ServiceLogin?continue=${encodeURIComponent(`https://www.youtube.com/signin?next=${encodeURIComponent(new URL(link).pathname + new URL(link).search)}`)}`,
  (link) => `  ${link}  `,
  (link) => `<${link}>`,
  (link) => link.replaceAll('&', '&amp;'),
  (link) => link.replace('https://www.', ''),
]

test('a wrapped link is the source it wraps, however often it was wrapped', () => {
  const id = fc.stringMatching(/^[\w-]{11}$/)
  const list = fc.stringMatching(/^PL[\w-]{32}$/)
  const links = fc.oneof(
    id.map((v) => `https://www.youtube.com/watch?v=${v}&t=1`),
    fc.tuple(id, list).map(([v, l]) => `https://www.youtube.com/watch?v=${v}&list=${l}`),
    list.map((l) => `https://www.youtube.com/playlist?list=${l}`),
    fc.constantFrom(
      'https://www.youtube.com/@creativecommons/videos',
      `https://www.youtube.com/channel/${UC}`,
    ),
  )
  const wraps = fc.array(fc.constantFrom(...WRAPPINGS.slice(0, 5)), { maxLength: 2 })
  fc.assert(
    fc.property(links, wraps, fc.constantFrom(...WRAPPINGS), (link, outer, inner) => {
      const plain = sourceOf(link)
      const wrapped = outer.reduce((text, wrap) => wrap(text), inner(link).trim())
      assert.deepEqual(sourceOf(wrapped), plain, wrapped)
    }),
  )
})

function sourceOf(line: string): Source | string {
  const reading = readSource(line)
  return reading.kind === 'source' ? reading.source : reading.reason
}
