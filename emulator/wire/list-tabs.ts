/** Tabs of a channel that hold playlists: podcasts and releases. */
import type { JsonObject, Site } from '../call.ts'
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
] as const

export type ListTab = (typeof LIST_TABS)[number]

/** The channel with these tabs; others answer with Home. */
const OWNER = 'smallworkshop'

export function listTabsOf(channel: Channel): readonly ListTab[] {
  return channel.handle === `@${OWNER}` ? LIST_TABS : []
}

/** Returns all playlists of the tab, as one page. */
export function listGrid(site: Site, tab: ListTab): JsonObject {
  const contents = tab.playlists.map((key) => {
    const { playlistId, title } = site.world.playlist(key)
    const metadata = { lockupMetadataViewModel: { title: { content: title } } }
    const lockupViewModel = { contentId: playlistId, contentType: tab.contentType, metadata }
    return { richItemRenderer: { content: { lockupViewModel } } }
  })
  return { richGridRenderer: { contents, targetId: `browse-feed-${tab.key}` } }
}
