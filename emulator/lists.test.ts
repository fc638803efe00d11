/** Lists over HTTP: tabs, playlists, continuations, handles, and the traps of real ones. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { at, innertube } from './asking.ts'
import type { JsonObject } from './call.ts'
import { startEmulator } from './server.ts'
import { tokenOf } from './wire/tokens.ts'

const emulator = await startEmulator()
after(() => emulator.close())
const { origin, world } = emulator

const SHORTS_TAB = 'EgZzaG9ydHPyBgUKA5oBAA%3D%3D'
const browse = async (body: JsonObject): Promise<JsonObject> =>
  (await innertube(origin, 'browse', body, { client: 'WEB' })).json()
const resolve = (path: string): ReturnType<typeof innertube> =>
  innertube(
    origin,
    'navigation/resolve_url',
    { url: `https://www.youtube.com${path}` },
    { client: 'WEB' },
  )

/** Returns all video ids and the first token in a reply, wherever they are. */
function found(reply: unknown): { ids: string[]; token: string | null } {
  const ids: string[] = []
  let token: string | null = null
  const walk = (value: unknown, key: string): void => {
    if (value === null || typeof value !== 'object') return
    const things = value as JsonObject
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

async function wholeList(first: JsonObject): Promise<string[]> {
  const ids: string[] = []
  let page = found(await browse(first))
  for (let pages = 1; ; pages++) {
    ids.push(...page.ids)
    if (page.token === null || pages > 500) return ids
    page = found(await browse({ continuation: page.token }))
  }
}

test('hidden entries of a playlist are shown only to those who ask for them', async () => {
  const browseId = `VL${world.playlist('private').playlistId}`
  assert.equal((await wholeList({ browseId })).length, 25)
  assert.equal((await wholeList({ browseId, params: 'wgYCCAA%3D' })).length, 30)
})

test('a missing tab answers with Home, which shows videos all the same', async () => {
  const { channelId } = world.channel('noshorts')
  const reply = await browse({ browseId: channelId, params: SHORTS_TAB })
  const tabs = at(reply, 'contents', 'twoColumnBrowseResultsRenderer', 'tabs') as JsonObject[]
  const selected = tabs.filter((tab) => at(tab, 'tabRenderer', 'selected') === true)
  assert.deepEqual(
    selected.map((tab) => at(tab, 'tabRenderer', 'title')),
    ['Home'],
  )
  assert.ok(found(reply).ids.length > 0)
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
  for (const tokenPlace of ['item', 'short', 'executor', 'button'] as const) {
    emulator.apply({ knobs: { tokenPlace } })
    assert.equal(
      (await wholeList({ browseId: `VL${playlistId}`, params: 'wgYCCAA%3D' })).length,
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

/** Returns the token for a playlist's first page that clients make themselves. */
function ownToken(playlistId: string): string {
  const page = { browseId: `VL${playlistId}`, tab: '', offset: 0, isReload: true }
  return tokenOf(page)
}

test('grids of Shorts end after a hundred without a token, and are whole where another way leads', async () => {
  const channel = world.channel('cutgrid')
  const uploads = (prefix: string): string => `VL${prefix}${channel.channelId.slice(2)}`
  const [cut, lost] = [world.playlist('cutgrid').playlistId, world.playlist('lostgrid').playlistId]
  for (const browseId of [uploads('UU'), `VL${cut}`, `VL${lost}`]) {
    const { ids, token } = found(await browse({ browseId }))
    assert.deepEqual([ids.length, token], [100, null], browseId)
  }
  assert.equal((await wholeList({ browseId: uploads('UUSH') })).length, 350)
  assert.equal((await wholeList({ browseId: channel.channelId, params: SHORTS_TAB })).length, 350)
  assert.equal((await wholeList({ continuation: ownToken(cut) })).length, 350)
  assert.equal((await wholeList({ continuation: ownToken(lost) })).length, 100)
})

test('the list without an end shows its ninety videos again and again, and no token twice', async () => {
  const { playlistId } = world.playlist('endless')
  const tokens = new Set<string>()
  const ids: string[] = []
  let page = found(await browse({ browseId: `VL${playlistId}` }))
  for (let pages = 0; pages < 9; pages += 1) {
    ids.push(...page.ids)
    tokens.add(page.token ?? '')
    page = found(await browse({ continuation: page.token }))
  }
  assert.deepEqual([ids.length, new Set(ids).size, tokens.size], [270, 90, 9])
})
