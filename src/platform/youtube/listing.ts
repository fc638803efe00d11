/**
 * Reads a list page: its videos in order, the token of the next page, and what the platform says instead.
 *
 * Old renderers and the lockups of mid-2026 are read at once, mixed on one page if need be. Only the item list's own
 * token counts: recommendations below it and sort chips bring others.
 */
import type { ListedVideo } from '../platform.ts'
import { at, labelAt, listAt, textAt } from './json.ts'
import { type ListCount, readCount } from './list-count.ts'
import { isShort, type ItemPlace, readItem, readPlaylistId } from './list-item.ts'

export type ListReading = {
  videos: ListedVideo[]
  /** How many entries are videos, repeated ones counted each time. */
  entries: number
  /** Whether all of them come as Shorts, of which a grid shows a hundred only. */
  isOfShorts: boolean
  /** Playlists, podcasts, albums and courses, where videos may stand. */
  playlistIds: string[]
  /** The token of the next page; null on the last one. */
  token: string | null
  /** The platform's error text (an `ERROR` alert), '' where it has none; null where all is well. */
  alert: string | null
  /** The path of the tab that is shown (`videos`, `featured`…), null where the page names no tabs. */
  tab: string | null
  /** Another channel or list to which the page redirects, or null. */
  redirectId: string | null
  /** The channel's or the list owner's name, null where the page does not tell. */
  ownerName: string | null
  /** The list's own title; for a channel's uploads list the platform makes one. */
  title: string | null
  /** How many videos the list says that it has, hidden ones included; null where it does not say. */
  count: ListCount | null
  /** Whether the reply has items or a place for them; where it has neither, something is missing. */
  hasFrame: boolean
  /** Whether there are more entries than any page ever had, so that none of them can be trusted. */
  isTooLong: boolean
}

const ACTIONS = [
  'onResponseReceivedActions',
  'onResponseReceivedEndpoints',
  'onResponseReceivedCommands',
]
const DEPTH_MAX = 6
/** The most entries of a page, which has up to 100 videos with a token and a few headings between. */
const ENTRIES_MAX = 5_000

export function readListing(reply: unknown, place: ItemPlace): ListReading {
  const actions = ACTIONS.flatMap((name) => listAt(reply, name))
  // Continuations of playlists also have `contents`, without the items, so the actions are read first.
  const appended = actions.flatMap((action) => [
    ...listAt(action, 'appendContinuationItemsAction', 'continuationItems'),
    ...listAt(action, 'reloadContinuationItemsCommand', 'continuationItems'),
  ])
  const shown = shownTab(reply)
  const found: Found = { place, videos: [], shorts: 0, playlistIds: [], token: null, entries: 0 }
  if (appended.length > 0) collect(appended, found, 0)
  else collectTab(at(shown, 'content'), found)
  return {
    videos: withoutRepeats(found.videos),
    entries: found.videos.length,
    isOfShorts: found.shorts > 0 && found.shorts === found.videos.length,
    playlistIds: [...new Set(found.playlistIds)],
    token: found.token,
    alert: alertOf(reply),
    tab: tabOf(shown),
    redirectId: redirectOf(actions),
    ownerName: ownerOf(reply),
    title: labelAt(reply, 'metadata', 'playlistMetadataRenderer', 'title'),
    count: countOf(reply),
    hasFrame: actions.length > 0 || at(reply, 'contents') !== undefined,
    isTooLong: found.entries > ENTRIES_MAX,
  }
}

type Found = {
  place: ItemPlace
  videos: ListedVideo[]
  shorts: number
  playlistIds: string[]
  token: string | null
  entries: number
}

function collectTab(content: unknown, found: Found): void {
  const grid = listAt(content, 'richGridRenderer', 'contents')
  if (grid.length > 0) return collect(grid, found, 0)
  // A token beside the item sections belongs to recommendations, so only the sections are entered.
  for (const section of listAt(content, 'sectionListRenderer', 'contents')) {
    collect(listAt(section, 'itemSectionRenderer', 'contents'), found, 0)
    collect(listAt(section, 'richGridRenderer', 'contents'), found, 0)
  }
}

const CONTAINERS: [string, string][] = [
  ['playlistVideoListRenderer', 'contents'],
  ['itemSectionRenderer', 'contents'],
  ['gridRenderer', 'items'],
  ['richGridRenderer', 'contents'],
]

/**
 * Collects videos and lists: containers are entered and items read; the last token of the innermost list with items
 * wins.
 */
function collect(entries: unknown[], found: Found, depth: number): void {
  for (const entry of entries) {
    found.entries += 1
    if (found.entries > ENTRIES_MAX) return
    const container = CONTAINERS.find(([name]) => at(entry, name) !== undefined)
    if (container !== undefined && depth < DEPTH_MAX) {
      collect(listAt(entry, ...container), found, depth + 1)
      continue
    }
    const token = tokenOf(entry)
    if (token !== null) found.token = token
    const video = readItem(entry, found.place)
    if (video !== null) found.videos.push(video)
    if (video !== null && isShort(entry)) found.shorts += 1
    const playlistId = readPlaylistId(entry)
    if (playlistId !== null) found.playlistIds.push(playlistId)
  }
}

/** Reads a continuation in every form that was seen up to 2026-09, and in the button that other clients know. */
function tokenOf(entry: unknown): string | null {
  const item = at(entry, 'continuationItemRenderer')
  const endpoint = at(item, 'continuationEndpoint')
  const button = at(item, 'button', 'buttonRenderer', 'command')
  const model = at(entry, 'continuationItemViewModel', 'continuationCommand')
  for (const holder of [endpoint, button, model, at(model, 'innertubeCommand')]) {
    const plain = textAt(holder, 'continuationCommand', 'token') ?? textAt(holder, 'token')
    if (plain !== null) return plain
    for (const command of listAt(holder, 'commandExecutorCommand', 'commands')) {
      const inner = textAt(command, 'continuationCommand', 'token')
      if (inner !== null) return inner
    }
  }
  return null
}

/** Removes repeated videos of a page; the first place of each counts. */
function withoutRepeats(videos: ListedVideo[]): ListedVideo[] {
  const seen = new Set<string>()
  return videos.filter(({ videoId }) => !seen.has(videoId) && seen.add(videoId))
}

function shownTab(reply: unknown): unknown {
  const layouts = ['twoColumnBrowseResultsRenderer', 'singleColumnBrowseResultsRenderer']
  const tabs = layouts
    .flatMap((layout) => listAt(reply, 'contents', layout, 'tabs'))
    .map((tab) => at(tab, 'tabRenderer'))
  return tabs.find((tab) => at(tab, 'selected') === true) ?? tabs[0]
}

function tabOf(tab: unknown): string | null {
  const url = textAt(tab, 'endpoint', 'commandMetadata', 'webCommandMetadata', 'url')
  const last = url?.split('?')[0]?.split('/').at(-1)
  if (last !== undefined) return last.toLowerCase()
  const title = textAt(tab, 'title')?.toLowerCase() ?? null
  return title === 'live' ? 'streams' : title
}

function alertOf(reply: unknown): string | null {
  for (const alert of listAt(reply, 'alerts')) {
    const inner = at(alert, 'alertRenderer') ?? at(alert, 'alertWithButtonRenderer')
    if (at(inner, 'type') === 'ERROR') return labelAt(inner, 'text') ?? ''
  }
  return null
}

function redirectOf(actions: unknown[]): string | null {
  const targets = actions.map((action) =>
    textAt(action, 'navigateAction', 'endpoint', 'browseEndpoint', 'browseId'),
  )
  return targets.find((target) => target !== null) ?? null
}

function ownerOf(reply: unknown): string | null {
  const owners = listAt(reply, 'sidebar', 'playlistSidebarRenderer', 'items').map((item) => {
    const info = at(item, 'playlistSidebarSecondaryInfoRenderer')
    return labelAt(info, 'videoOwner', 'videoOwnerRenderer', 'title')
  })
  const channel = labelAt(reply, 'metadata', 'channelMetadataRenderer', 'title')
  return channel ?? owners.find((owner) => owner !== null) ?? ownerInHeader(reply)
}

/** Reads the owner beside a playlist's title, "by NAME", since the mobile website has no sidebar. */
function ownerInHeader(reply: unknown): string | null {
  const names = headerParts(reply).flatMap(
    (part) => labelAt(part, 'avatarStack', 'avatarStackViewModel', 'text') ?? [],
  )
  const name = names.find((each) => each.startsWith('by '))
  return name?.slice('by '.length) ?? null
}

/** Returns the parts of the rows beside the title. */
function headerParts(reply: unknown): unknown[] {
  const header = at(reply, 'header', 'pageHeaderRenderer', 'content', 'pageHeaderViewModel')
  const rows = listAt(header, 'metadata', 'contentMetadataViewModel', 'metadataRows')
  return rows.flatMap((row) => listAt(row, 'metadataParts'))
}

/** Reads the count beside a playlist's title or in its sidebar (recorded 2026-01 and 2026-05). */
function countOf(reply: unknown): ListCount | null {
  // A part with a link is a name, which may read like a count.
  const parts = headerParts(reply)
    .map((part) => at(part, 'text'))
    .filter((text) => listAt(text, 'commandRuns').length === 0)
  const stats = listAt(reply, 'sidebar', 'playlistSidebarRenderer', 'items').flatMap((item) =>
    listAt(item, 'playlistSidebarPrimaryInfoRenderer', 'stats'),
  )
  return readCount([...parts, ...stats].map((label) => labelAt(label) ?? ''))
}
