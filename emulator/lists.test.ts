/** Lists over HTTP: tabs, playlists, continuations, handles and the traps that real ones set. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ask, at, innertube } from './asking.ts'
import type { Json } from './call.ts'
import { startEmulator } from './server.ts'

const emulator = await startEmulator()
after(() => emulator.close())
const { origin, world } = emulator

const TABS = {
  videos: 'EgZ2aWRlb3PyBgQKAjoA',
  shorts: 'EgZzaG9ydHPyBgUKA5oBAA%3D%3D',
  live: 'EgdzdHJlYW1z8gYECgJ6AA%3D%3D',
}
const browse = async (body: Json): Promise<Json> =>
  (await innertube(origin, 'browse', body, { client: 'WEB' })).json()
const resolve = (path: string): ReturnType<typeof innertube> =>
  innertube(
    origin,
    'navigation/resolve_url',
    { url: `https://www.youtube.com${path}` },
    { client: 'WEB' },
  )

/** All video ids and the first token in a reply, wherever they stand. */
function found(reply: unknown): { ids: string[]; token: string | null } {
  const ids: string[] = []
  let token: string | null = null
  const walk = (value: unknown, key: string): void => {
    if (value === null || typeof value !== 'object') return
    const things = value as Json
    if (key === 'lockupViewModel') ids.push(String(things.contentId))
    if (key === 'videoRenderer' || key === 'playlistVideoRenderer') ids.push(String(things.videoId))
    if (key === 'shortsLockupViewModel')
      ids.push(String(at(things, 'onTap', 'innertubeCommand', 'reelWatchEndpoint', 'videoId')))
    if (key === 'continuationCommand' && typeof things.token === 'string') token ??= things.token
    if (key === 'chips') return
    for (const [name, below] of Object.entries(things)) walk(below, name)
  }
  walk(reply, '')
  return { ids, token }
}

async function wholeList(first: Json): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = []
  let page = found(await browse(first))
  for (let pages = 1; ; pages++) {
    ids.push(...page.ids)
    if (page.token === null || pages > 500) return { ids, pages }
    page = found(await browse({ continuation: page.token }))
  }
}

function idsOf(list: { length: number; at(position: number): { videoId: string } }): string[] {
  return Array.from({ length: list.length }, (_, position) => list.at(position).videoId)
}

test('twelve thousand uploads are listed whole, a hundred a page', async () => {
  const channel = world.channel('large')
  const { ids, pages } = await wholeList({
    browseId: `VLUU${channel.channelId.slice(2)}`,
    params: 'wgYCCAA%3D',
  })
  assert.deepEqual(ids, idsOf(world.uploads(channel, null)))
  assert.equal(pages, 120)
})

for (const layout of ['lockup', 'legacy', 'mixed'] as const) {
  test(`tabs and playlists are whole in the ${layout} layout`, async () => {
    emulator.apply({ knobs: { layout } })
    const channel = world.channel('medium')
    const tab = (params: string): Promise<{ ids: string[] }> =>
      wholeList({ browseId: channel.channelId, params })
    assert.deepEqual((await tab(TABS.videos)).ids, idsOf(world.uploads(channel, 'video')))
    assert.deepEqual((await tab(TABS.shorts)).ids, idsOf(world.uploads(channel, 'short')))
    assert.deepEqual((await tab(TABS.live)).ids, idsOf(world.uploads(channel, 'live')))
    const { playlistId } = world.playlist('mid')
    const all = await wholeList({ browseId: `VL${playlistId}`, params: 'wgYCCAA%3D' })
    assert.deepEqual(all.ids, idsOf(world.playlist('mid')))
    emulator.clear()
  })
}

test('hidden entries of a playlist are shown only to those who ask for them', async () => {
  const browseId = `VL${world.playlist('private').playlistId}`
  assert.equal((await wholeList({ browseId })).ids.length, 25)
  assert.equal((await wholeList({ browseId, params: 'wgYCCAA%3D' })).ids.length, 30)
})

test('a missing tab answers with Home, which shows videos all the same', async () => {
  const { channelId } = world.channel('noshorts')
  const reply = await browse({ browseId: channelId, params: TABS.shorts })
  const tabs = at(reply, 'contents', 'twoColumnBrowseResultsRenderer', 'tabs') as Json[]
  const selected = tabs.filter((tab) => at(tab, 'tabRenderer', 'selected') === true)
  assert.deepEqual(
    selected.map((tab) => at(tab, 'tabRenderer', 'title')),
    ['Home'],
  )
  assert.ok(found(reply).ids.length > 0)
})

test('chips turn a tab round: Oldest begins with the oldest', async () => {
  const channel = world.channel('noshorts')
  const reply = await browse({ browseId: channel.channelId, params: TABS.videos })
  const tab = (at(reply, 'contents', 'twoColumnBrowseResultsRenderer', 'tabs') as Json[]).find(
    (each) => at(each, 'tabRenderer', 'selected'),
  )
  const chips = at(
    tab,
    'tabRenderer',
    'content',
    'richGridRenderer',
    'header',
    'chipBarViewModel',
    'chips',
  ) as Json[]
  const oldest = chips.find((chip) => at(chip, 'chipViewModel', 'text') === 'Oldest')
  const token = at(
    oldest,
    'chipViewModel',
    'tapCommand',
    'innertubeCommand',
    'continuationCommand',
    'token',
  )
  const { ids } = await wholeList({ continuation: token })
  assert.deepEqual(ids, idsOf(world.uploads(channel, 'video')).toReversed())
})

test('lists that are none say so with 200 and an alert', async () => {
  const alert = async (browseId: string): Promise<unknown> => {
    const text = at(await browse({ browseId }), 'alerts', 0, 'alertRenderer', 'text')
    return at(text, 'simpleText') ?? at(text, 'runs', 0, 'text')
  }
  assert.equal(await alert(`UC${'a'.repeat(22)}`), 'This channel does not exist.')
  assert.match(
    String(await alert(world.channel('terminated').channelId)),
    /^This account has been terminated/,
  )
  assert.match(String(await alert(world.channel('removed').channelId)), /Community Guidelines/)
  assert.equal(
    await alert(`VL${world.playlist('missing').playlistId}`),
    'The playlist does not exist.',
  )
  assert.equal(
    await alert(`VL${world.playlist('unviewable').playlistId}`),
    'This playlist type is unviewable.',
  )
  assert.equal(await alert('VLRDabcdefghijk'), 'This playlist type is unviewable.')
  assert.equal(
    await alert(`VLUU${world.channel('nolists').channelId.slice(2)}`),
    'The playlist does not exist.',
  )
  assert.equal(
    await alert(`VLUUSH${world.channel('noshorts').channelId.slice(2)}`),
    'The playlist does not exist.',
  )
})

test('handles lead to channels: any case, Unicode, legacy names, a hop, and nowhere', async () => {
  const channelId = async (path: string): Promise<unknown> =>
    at((await resolve(path)).json(), 'endpoint', 'browseEndpoint', 'browseId')
  assert.equal(await channelId('/@SMALLworkshop'), world.channel('small').channelId)
  assert.equal(
    await channelId(`/${encodeURIComponent('@中村のあそびば')}/videos`),
    world.channel('unicode').channelId,
  )
  assert.equal(await channelId('/user/oldusername'), world.channel('renamed').channelId)
  const hop = (await resolve('/@OldName')).json()
  assert.equal(at(hop, 'endpoint', 'urlEndpoint', 'url'), 'https://www.youtube.com/oldcustomname')
  assert.equal(
    at(hop, 'endpoint', 'commandMetadata', 'webCommandMetadata', 'webPageType'),
    'WEB_PAGE_TYPE_UNKNOWN',
  )
  assert.equal(await channelId('/oldcustomname'), world.channel('renamed').channelId)
  const live = async (path: string): Promise<unknown> =>
    at((await resolve(path)).json(), 'endpoint', 'watchEndpoint', 'videoId')
  assert.equal(await live('/@captionlab/live'), world.special('live-now').videoId)
  assert.equal(await live('/@nightstream/live'), undefined)
  const nobody = await resolve('/@nobody')
  assert.equal(nobody.status, 404)
  assert.equal(at(nobody.json(), 'error', 'status'), 'NOT_FOUND')
})

test('a channel that moved names the one it moved to', async () => {
  const reply = await browse({ browseId: world.channel('moved').channelId })
  const target = at(
    reply,
    'onResponseReceivedActions',
    0,
    'navigateAction',
    'endpoint',
    'browseEndpoint',
    'browseId',
  )
  assert.equal(target, world.channel('small').channelId)
})

test('continuations of playlists carry contents beside the items', async () => {
  const first = found(await browse({ browseId: `VL${world.playlist('mid').playlistId}` }))
  const reply = await browse({ continuation: first.token })
  assert.notEqual(at(reply, 'contents', 'twoColumnBrowseResultsRenderer'), undefined)
  assert.notEqual(
    at(reply, 'onResponseReceivedActions', 0, 'appendContinuationItemsAction'),
    undefined,
  )
})

test('stray tokens and empty last pages end in pages without items', async () => {
  const seven = { browseId: `VL${world.playlist('seven').playlistId}` }
  assert.equal(found(await browse(seven)).token, null)
  for (const knobs of [{ strayTokens: true }, { emptyLastPage: true }]) {
    emulator.apply({ knobs })
    const first = found(await browse(seven))
    assert.equal(first.ids.length, 7)
    assert.notEqual(first.token, null)
    assert.deepEqual(found(await browse({ continuation: first.token })), { ids: [], token: null })
    emulator.clear()
  }
})

test('the token stands in all the places it was seen', async () => {
  const { playlistId } = world.playlist('mid')
  for (const tokenPlace of ['item', 'short', 'executor'] as const) {
    emulator.apply({ knobs: { tokenPlace } })
    assert.equal(
      (await wholeList({ browseId: `VL${playlistId}`, params: 'wgYCCAA%3D' })).ids.length,
      250,
    )
    emulator.clear()
  }
})

test('a page comes again, and a new upload shifts the pages that follow', async () => {
  const channel = world.channel('medium')
  const browseId = `VLUU${channel.channelId.slice(2)}`
  const first = found(await browse({ browseId, params: 'wgYCCAA%3D' }))
  emulator.apply({ faults: [{ do: 'repeated_page', on: 'browse', times: 1 }] })
  const again = found(await browse({ continuation: first.token }))
  assert.deepEqual(again, first)
  emulator.apply({ faults: [{ do: 'new_upload', on: 'browse', times: 1 }] })
  const second = found(await browse({ continuation: first.token }))
  assert.equal(second.ids[0], first.ids.at(-1))
  emulator.clear()
  assert.equal(found(await browse({ browseId })).ids.length, 100)
})

test('the feed has the fifteen newest with exact dates, marks Shorts, and can be out of order', async () => {
  const channel = world.channel('shortsonly')
  const address = `${origin}/feeds/videos.xml?channel_id=${channel.channelId}`
  const { text } = await ask(address)
  const ids = [...text.matchAll(/<yt:videoId>([^<]+)/g)].map(([, id]) => id)
  assert.deepEqual(ids, idsOf(world.uploads(channel, null)).slice(0, 15))
  assert.equal(text.match(/\/shorts\//g)?.length, 15)
  emulator.apply({ knobs: { rss: 'missing' } })
  assert.equal((await ask(address)).status, 404)
  emulator.apply({ knobs: { rss: 'broken' } })
  assert.equal((await ask(address)).status, 500)
  emulator.clear()
})

test('pages ask for consent where they are told to, and a cookie avoids it', async () => {
  const address = `${origin}/watch?v=${world.special('asr').videoId}`
  assert.match((await ask(address)).text, /ytInitialPlayerResponse/)
  emulator.apply({ knobs: { consent: true } })
  assert.match((await ask(address)).text, /consent\.youtube\.com/)
  assert.match(
    (await ask(address, { headers: { cookie: 'SOCS=CAI' } })).text,
    /ytInitialPlayerResponse/,
  )
  emulator.clear()
})
