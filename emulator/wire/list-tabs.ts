/** Tabs of a channel that hold playlists: podcasts, releases and shows. */
import type { Call, JsonObject, Site } from '../call.ts'
import type { Channel } from '../model.ts'

export const LIST_TABS = [
  {
    key: 'podcasts',
    title: 'Podcasts',
    params: 'Eghwb2RjYXN0c_IGBQoDugEA',
    contentType: 'LOCKUP_CONTENT_TYPE_PODCAST',
    playlists: ['seven', 'missing', 'mid'],
  },
  {
    key: 'releases',
    title: 'Releases',
    params: 'EghyZWxlYXNlc_IGBQoDsgEA',
    contentType: 'LOCKUP_CONTENT_TYPE_ALBUM',
    playlists: ['hundred', 'seven'],
  },
  {
    key: 'shows',
    title: 'Shows',
    params: 'EgVzaG93c_IGBQoDogEA',
    contentType: null,
    playlists: ['tongues', 'lostgrid', 'seven'],
  },
] as const

export type ListTab = (typeof LIST_TABS)[number]

/** The channel with these tabs; others answer with Home. */
const OWNER = 'smallworkshop'

export function listTabsOf(channel: Channel): readonly ListTab[] {
  return channel.handle === `@${OWNER}` ? LIST_TABS : []
}

/** Returns all playlists of the tab, as one page. */
export function listGrid(site: Site, call: Call, tab: ListTab): JsonObject {
  if (tab.contentType === null) {
    const items = tab.playlists.map((key) => ({ gridShowRenderer: show(site, key) }))
    const contents = [{ gridRenderer: { items, targetId: `browse-feed-${tab.key}` } }]
    return { sectionListRenderer: { contents: [{ itemSectionRenderer: { contents } }] } }
  }
  const contents = tab.playlists.map((key) => {
    const { playlistId, title } = site.world.playlist(key)
    // The mobile website shows releases as before, podcasts as lockups (captured 2026-07).
    if (call.client.name === 'MWEB' && tab.key === 'releases')
      return { richItemRenderer: { content: { compactPlaylistRenderer: { playlistId } } } }
    const metadata = { lockupMetadataViewModel: { title: { content: title } } }
    const lockupViewModel = { contentId: playlistId, contentType: tab.contentType, metadata }
    return { richItemRenderer: { content: { lockupViewModel } } }
  })
  return { richGridRenderer: { contents, targetId: `browse-feed-${tab.key}` } }
}

/** Returns a show, which names its playlist by the page that it opens only. */
function show(site: Site, key: string): JsonObject {
  const { playlistId, title } = site.world.playlist(key)
  const url = `/show/VL${playlistId}?sbp=QAE%253D`
  const webCommandMetadata = { url, webPageType: 'WEB_PAGE_TYPE_BROWSE', rootVe: 6827 }
  const browseEndpoint = { browseId: `VL${playlistId}`, params: 'QAE%3D' }
  const navigationEndpoint = { commandMetadata: { webCommandMetadata }, browseEndpoint }
  return { title: { simpleText: title }, navigationEndpoint }
}
