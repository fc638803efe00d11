/** List items: what a part of an item is, is told by where it stands, whatever it reads like. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { type ItemPlace, readItem, readPlaylistId } from './list-item.ts'

type Part = string | { name: string } | { link: string } | { avatars: string }

const BADGES = ['Members first', 'New', 'Popular', '4K', 'TODAY', '1.2M views', '3 weeks ago']

const channelLink = {
  innertubeCommand: { browseEndpoint: { browseId: 'UCTwECeGqMZee77BjdoYtI2Q' } },
}

/** Returns a part of a row: text, a link, a channel's name with its link, or several channels behind their pictures. */
function partOf(part: Part): object {
  if (typeof part === 'string') return { text: { content: part } }
  if ('link' in part) return { text: { content: part.link, commandRuns: [{ startIndex: 0 }] } }
  if ('name' in part)
    return { text: { content: part.name, commandRuns: [{ startIndex: 0, onTap: channelLink }] } }
  return { avatarStack: { avatarStackViewModel: { text: { content: part.avatars } } } }
}

function lockup(rows: Part[][], title = 'A title', badges: object[] = []): object {
  const metadataRows = [...rows.map((row) => ({ metadataParts: row.map(partOf) })), ...badges]
  const metadata = { contentMetadataViewModel: { metadataRows } }
  return {
    lockupViewModel: {
      contentId: 'dQw4w9WgXcQ',
      contentType: 'LOCKUP_CONTENT_TYPE_VIDEO',
      metadata: { lockupMetadataViewModel: { title: { content: title }, metadata } },
    },
  }
}

type Told = [channelName: string | null, publishedText: string | null]

function told(item: unknown, place: ItemPlace): Told {
  const video = readItem(item, place)
  assert.ok(video !== null)
  return [video.channelName, video.publishedText]
}

const NAMES = [
  'TODAY',
  'Yesterday',
  'Sep 3, 2024',
  '1/2/26',
  '3 weeks ago',
  '1.2M views',
  '12 watching',
]

test('a channel is called what it is called, in every layout of a playlist', () => {
  for (const name of NAMES) {
    const facts = ['43K views', '2 years ago']
    const expected: Told = [name, '2 years ago']
    assert.deepEqual(told(lockup([[name], facts]), 'playlist'), expected, name)
    assert.deepEqual(told(lockup([[{ name }], facts]), 'playlist'), expected, name)
    assert.deepEqual(told(lockup([[{ avatars: name }], facts]), 'playlist'), expected, name)
    const shortBylineText = { runs: [{ text: name }] }
    const videoInfo = { runs: facts.flatMap((text) => [{ text: ' • ' }, { text }]).slice(1) }
    const renderer = {
      videoId: 'dQw4w9WgXcQ',
      title: { simpleText: name },
      shortBylineText,
      videoInfo,
    }
    assert.deepEqual(told({ playlistVideoRenderer: renderer }, 'playlist'), expected, name)
  }
})

test('the mobile website’s videos are read in both of their forms', () => {
  for (const name of NAMES) {
    const video = {
      shortBylineText: { runs: [{ text: name }] },
      publishedTimeText: { runs: [{ text: 'Streamed 1 day ago' }] },
      shortViewCountText: { runs: [{ text: '3 weeks ago' }] },
      navigationEndpoint: { watchEndpoint: { videoId: 'dQw4w9WgXcQ' } },
    }
    const title = { runs: [{ text: 'A title' }] }
    for (const content of [
      { compactVideoRenderer: { ...video, videoId: 'dQw4w9WgXcQ', title } },
      { videoWithContextRenderer: { ...video, headline: title } },
    ]) {
      const item = { richItemRenderer: { content } }
      assert.deepEqual(told(item, 'tab'), [name, 'Streamed 1 day ago'])
      assert.equal(readItem(item, 'tab')?.title, 'A title')
    }
  }
  const compactPlaylistRenderer = { playlistId: 'OLAK5uy_k7IB6X1KI0yleCwrVVC' }
  const release = { richItemRenderer: { content: { compactPlaylistRenderer } } }
  assert.deepEqual(
    [readPlaylistId(release), readItem(release, 'tab')],
    [compactPlaylistRenderer.playlistId, null],
  )
})

test('a date stands with the views, or alone where the views are hidden', () => {
  for (const date of [
    '2 years ago',
    'Streamed 6 months ago',
    'Premieres 1/2/26, 3:00 PM',
    'Sep 3, 2024',
  ]) {
    assert.deepEqual(told(lockup([['A channel'], ['1 view', date]]), 'playlist'), [
      'A channel',
      date,
    ])
    assert.deepEqual(told(lockup([['A channel'], [date]]), 'playlist'), ['A channel', date])
    assert.deepEqual(told(lockup([['No views', date]]), 'tab'), [null, date])
    assert.deepEqual(told(lockup([[date]]), 'tab'), [null, date])
  }
  assert.deepEqual(told(lockup([['A channel'], ['12 watching']]), 'playlist'), ['A channel', null])
  assert.deepEqual(told(lockup([['12 watching']]), 'tab'), [null, null])
})

test('several channels are the row of the channel, and say nothing of the date', () => {
  const facts = ['43K views', '2 years ago']
  const cases: [Part[], string | null][] = [
    [[{ avatars: 'TODAY and 2 more' }], 'TODAY and 2 more'],
    [[{ name: 'TODAY' }, { name: 'Yesterday' }], 'TODAY'],
    [[{ name: 'TODAY' }, 'Yesterday'], 'TODAY'],
    [['TODAY', 'Yesterday'], null],
  ]
  for (const [row, name] of cases) {
    assert.deepEqual(told(lockup([row, facts]), 'playlist'), [name, '2 years ago'])
    assert.deepEqual(told(lockup([row, facts]), 'tab')[1], name === null ? null : '2 years ago')
    assert.deepEqual(told(lockup([row]), 'playlist'), [name, null])
  }
})

test('where nothing but the words would tell, a video has no date and is asked for it', () => {
  for (const words of [...NAMES, 'No views']) {
    assert.deepEqual(told(lockup([[words]]), 'playlist'), [null, null], words)
    assert.deepEqual(told(lockup([[{ name: words }]]), 'playlist'), [words, null])
    assert.equal(told(lockup([[words], [words]]), 'tab')[1], null, words)
  }
  for (const row of [
    ['43K views', '3 weeks ago'],
    [{ name: 'A channel' }, 'TODAY', 'Yesterday'],
  ])
    assert.equal(told(lockup([row]), 'playlist')[1], null)
  assert.equal(told(lockup([['TODAY'], [{ name: 'Shop' }]]), 'playlist')[1], null)
  assert.deepEqual(told(lockup([], 'Sep 3, 2024'), 'playlist'), [null, null])
})

test('on a tab, where no channel is named, the row of several parts is that of views and date', () => {
  const facts = ['43K views', '3 weeks ago']
  for (const rows of [[facts], [facts, ['Includes paid promotion']], [['TODAY'], facts]])
    assert.deepEqual(told(lockup(rows), 'tab'), [null, '3 weeks ago'])
})

/** Rows beside name and facts: badges, some of which read like a date or like views. */
const besides = fc.array(
  fc.oneof(
    fc.constantFrom<Part>(...BADGES).map((text) => [text]),
    fc.tuple(
      fc.constantFrom<Part>('New', 'CC', { link: 'Shop' }),
      fc.constantFrom<Part>(...BADGES),
    ),
    fc.string({ minLength: 1, maxLength: 20 }).map((text) => [text]),
  ),
  { maxLength: 3 },
)

test('whatever rows stand before and behind, name and date come out right or not at all', () => {
  const name = fc.constantFrom(...NAMES, 'A channel', 'New', 'No views')
  const written = fc.constantFrom<(name: string) => Part>(
    (text) => text,
    (text) => ({ name: text }),
    (text) => ({ avatars: text }),
  )
  const views = fc.constantFrom('43K views', '43k views', '1 view', 'No views', '12 watching')
  const date = fc.constantFrom('2 years ago', 'Streamed 6 months ago', 'Sep 3, 2024')
  const facts = fc.oneof(
    fc.tuple(views, date),
    date.map((text) => [text]),
    views.map((text) => [text]),
  )
  fc.assert(
    fc.property(besides, name, written, facts, besides, (before, text, write, row, behind) => {
      const rows = [...before, [write(text)], row, ...behind]
      const [channelName, publishedText] = told(lockup(rows), 'playlist')
      const right = row.find((each) => !/views?$|watching$/.test(each)) ?? null
      assert.ok(channelName === text || channelName === null, `${channelName} for ${text}`)
      assert.ok(publishedText === right || publishedText === null, `${publishedText} for ${right}`)
    }),
  )
})

test('badges hide neither name nor date, and a link is a name only where it leads to a channel', () => {
  const facts = ['43K views', '2 years ago']
  const shop: Part = { link: 'Visit the shop' }
  const BEFORE: Part[][][] = [
    [],
    [['New']],
    [['Members first'], ['4K', 'CC']],
    [[shop]],
    [['TODAY']],
  ]
  const BEHIND: Part[][][] = [[], [['Popular']], [['Includes paid promotion'], [shop]]]
  for (const name of ['A channel', ...NAMES])
    for (const before of BEFORE)
      for (const behind of BEHIND)
        for (const written of [name, { name }, { avatars: name }] satisfies Part[]) {
          const rows: Part[][] = [...before, [written], facts, ...behind]
          assert.deepEqual(
            told(lockup(rows), 'playlist'),
            [name, '2 years ago'],
            JSON.stringify(rows),
          )
        }
  for (const row of [
    ['43K views', '2 years ago', 'CC'],
    [{ link: '43K views' }, '2 years ago'],
  ])
    assert.deepEqual(told(lockup([['A channel'], row]), 'playlist'), [null, null])
  const [names, date] = [['TODAY', 'Yesterday'], ['2 years ago']]
  assert.deepEqual(told(lockup([['New'], names, date]), 'playlist'), [null, null])
  assert.deepEqual(told(lockup([['New'], ['TODAY'], date]), 'playlist'), [null, null])
  assert.deepEqual(told(lockup([['New'], ['2 years ago']]), 'tab'), [null, '2 years ago'])
})

test('a video is for members where a badge says so, and not where a name does', () => {
  const badge = { badges: [{ badgeViewModel: { badgeStyle: 'BADGE_MEMBERS_ONLY' } }] }
  const facts = ['43K views', '2 years ago']
  assert.equal(
    readItem(lockup([['A channel'], facts], 'A', [badge]), 'playlist')?.isMembersOnly,
    true,
  )
  const name = '"badgeStyle":"BADGE_MEMBERS_ONLY"'
  assert.equal(readItem(lockup([[name], facts]), 'playlist')?.isMembersOnly, false)
})
