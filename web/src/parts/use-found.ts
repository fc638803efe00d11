/** Finds what the palette shows: pages, projects, channels and the latest orders by name, and words in texts. */
import { useQuery } from '@tanstack/react-query'
import type { NavigateOptions } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { clock } from '../../../src/kit/text/clock.ts'
import { hasVisible } from '../../../src/kit/text/invisible.ts'
import { projectsQuery } from '../api/projects.ts'
import { libraryQuery, ordersQuery, visitQuery } from '../api/queries.ts'
import { type SearchHit, type SearchResults, searchQuery } from '../api/search.ts'
import { asTyped, calledAs } from '../found-places.ts'
import { counted, dotted, jobTitle, publishedOn, recently } from '../format.ts'
import { placeOf } from '../hit-place.ts'
import { SHORTCUTS } from '../shortcuts.ts'
import { KIND_WORDS, PAGE_NAMES } from '../words.ts'
import { SETTINGS } from './page-ways.ts'
import { useDebouncedValue } from './use-debounced-value.ts'

/** Number of each kind that is offered. */
const SHOWN = 5
const HITS = { offset: 0, limit: 7 }
const TYPING_MS = 180

/** An address or an act; `key` tells it from all others. */
export type FoundPlace = {
  key: string
  name: string
  about: string
  hit?: SearchHit
  open: NavigateOptions | (() => void)
}
/** A group with another key is another one: it comes in the place of the one before, and moves none of its lines. */
type FoundGroup = { key?: string; title: string; found: FoundPlace[] }

export type FoundPlaces = { groups: FoundGroup[]; all: FoundPlace | null; status: string }

/**
 * Returns what is found, without empty groups, the way to all that is said, null where nothing was typed, and the
 * sentence about it. What is asked of the server comes at once and below the rest, so that nothing in sight moves.
 */
export function useFound(typed: string, onShortcuts: () => void): FoundPlaces {
  const said = useDebouncedValue(typed, TYPING_MS)
  const { data: visit } = useQuery(visitQuery)
  const isAsked = hasVisible(typed)
  const pages: FoundPlace[] = [
    ...PAGES,
    ...(visit?.isOperator === true ? [pageAt('/operator', 'Console')] : []),
    { key: '?', name: 'Keyboard shortcuts', about: '?', open: onShortcuts },
  ]
  const lists = useLists(typed)
  const asked = useAsked(isAsked ? said.trim() : '', asTyped(said))
  const groups = [
    { title: 'Pages', found: calledAs(typed, pages, ({ name }) => name).slice(0, SHOWN) },
    ...(lists ?? []),
    ...(isAsked && lists !== null ? asked.groups : []),
  ]
  return {
    groups: groups.filter(({ found }) => found.length > 0),
    all: isAsked ? allOf(asked.total, asTyped(typed)) : null,
    status: asked.status,
  }
}

type PageAddress =
  NonNullable<(typeof SHORTCUTS)[number]['to']> | '/webhooks' | '/docs' | '/operator'

const pageAt = (to: PageAddress, name: string, about = ''): FoundPlace => ({
  key: to,
  name,
  about,
  open: { to },
})

/** The pages that everybody has. */
const PAGES: readonly FoundPlace[] = [
  ...SHORTCUTS.flatMap(({ to, words, keys }) => (to ? [pageAt(to, words, keys.join())] : [])),
  ...SETTINGS.map(({ id: part, title: name }) => ({
    key: `account ${part}`,
    name,
    about: 'Account',
    open: { to: '/settings/$part', params: { part } } as const,
  })),
  pageAt('/webhooks', PAGE_NAMES.webhooks),
  pageAt('/docs', 'API reference'),
]

/** Returns projects and the latest orders by name; null until both are known. */
function useLists(typed: string): FoundGroup[] | null {
  const projects = useQuery(projectsQuery)
  const ordered = useQuery(ordersQuery(0))
  if (projects.isPending || ordered.isPending) return null
  const named = (found: FoundPlace[]) => calledAs(typed, found, (one) => one.name).slice(0, SHOWN)
  return [
    {
      title: 'Projects',
      found: named(
        (projects.data?.projects ?? []).map(({ id, name, videos }) =>
          listAt(id, name, counted(videos, 'transcript')),
        ),
      ),
    },
    {
      title: 'Latest jobs',
      found: named(
        (ordered.data?.orders ?? []).flatMap(({ job, batch }) => [
          ...(job === null ? [] : [orderAt('/jobs/$id', job, jobTitle(job))]),
          ...(batch === null ? [] : [orderAt('/batches/$id', batch, batch.title)]),
        ]),
      ),
    },
  ]
}

const listAt = (id: string, name: string, about: string): FoundPlace => ({
  key: `list ${id}`,
  name,
  about,
  open: { to: '/library/$id', params: { id } },
})

const orderAt = (
  to: '/jobs/$id' | '/batches/$id',
  { id, createdAt }: { id: string; createdAt: string },
  name: string,
): FoundPlace => ({
  key: `order ${id}`,
  name,
  about: recently(createdAt),
  open: { to, params: { id } },
})

/** Channels by their name and words in texts, together: what was found before stays until both are known. */
function useAsked(name: string, q: string) {
  const library = useQuery({ ...libraryQuery({ q: name, limit: SHOWN }), enabled: name !== '' })
  const words = useQuery({ ...searchQuery({ q }, HITS), enabled: q.length > 1 })
  const error = words.failureReason
  const results = q.length > 1 && error === null ? words.data : undefined
  const isAwaited =
    library.isLoading ||
    library.isPlaceholderData ||
    (words.isLoading && error === null) ||
    words.isPlaceholderData
  const [shown, show] = useState({ q, channels: library.data?.collections, results })
  useEffect(() => {
    if (!isAwaited) show({ q, channels: library.data?.collections, results })
  }, [isAwaited, q, library.data, results])
  const groups = [
    {
      key: `channels ${shown.q}`,
      title: 'Channels and playlists',
      found: (shown.channels ?? []).map(({ id, title, kind }) =>
        listAt(id, title ?? id, KIND_WORDS[kind]),
      ),
    },
    {
      key: `words ${shown.q}`,
      title: 'In your transcripts',
      found: (shown.results?.hits ?? []).map((hit) => ({
        key: `${hit.jobId} ${hit.index}`,
        name: hit.title ?? hit.videoId,
        about: dotted([hit.channelName, publishedOn(hit), clock(hit.startMs)]),
        hit,
        open: placeOf(hit, { q: shown.q }),
      })),
    },
  ]
  return { groups, total: results?.total ?? 0, status: statusOf(q, error, results) }
}

const allOf = (total: number, q: string): FoundPlace => ({
  key: 'all',
  name:
    total === 0
      ? 'Search your transcripts'
      : `All ${counted(total, 'transcript')} by month and channel`,
  about: '',
  open: { to: '/search', search: { q } },
})

function statusOf(q: string, error: Error | null, results: SearchResults | undefined): string {
  if (q.length < 2) return '↑ ↓ to choose, Enter to open, Escape to close.'
  if (error !== null) return error.message
  if (results === undefined) return 'Searching…'
  const { total, indexed, owned } = results
  const rest = indexed < owned ? ` So far ${indexed} of ${owned} were searched.` : ''
  if (total === 0) return indexed < owned ? rest.trim() : 'Nobody says that in your transcripts.'
  return `Said in ${counted(total, 'transcript')}.${rest}`
}
