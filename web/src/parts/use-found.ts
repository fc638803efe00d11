/** Finds what the palette shows: pages, projects, channels and the latest orders by name, and words in texts. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
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

/** Something that can be opened; `key` tells it from all others. */
export type FoundPlace = {
  key: string
  name: string
  about: string
  hit?: SearchHit
  open: () => unknown
}
export type FoundGroup = { title: string; found: FoundPlace[] }

/** Returns what is found, without empty groups, and the sentence about it. */
export function useFound(typed: string, onShortcuts: () => void): [FoundGroup[], string] {
  const said = useDebouncedValue(typed, TYPING_MS)
  const isAsked = hasVisible(typed)
  const pages = usePages(onShortcuts)
  const lists = useLists(typed, isAsked ? said.trim() : '')
  const [words, status] = useWords(typed, asTyped(said))
  const groups = [
    { title: 'Pages', found: calledAs(typed, pages, ({ name }) => name).slice(0, SHOWN) },
    ...lists,
    ...(isAsked ? words : []),
  ]
  return [groups.filter(({ found }) => found.length > 0), status]
}

function usePages(onShortcuts: () => void): FoundPlace[] {
  const navigate = useNavigate()
  const { data: visit } = useQuery(visitQuery)
  const to = (path: '/webhooks' | '/docs' | '/operator', name: string): FoundPlace => ({
    key: path,
    name,
    about: '',
    open: () => navigate({ to: path }),
  })
  return [
    ...SHORTCUTS.flatMap(({ to: path, words: name, keys }) =>
      path === undefined
        ? []
        : [{ key: path, name, about: keys.join(), open: () => navigate({ to: path }) }],
    ),
    ...SETTINGS.map(({ id: part, title: name }) => ({
      key: `account ${part}`,
      name,
      about: 'Account',
      open: () => navigate({ to: '/settings/$part', params: { part } }),
    })),
    to('/webhooks', PAGE_NAMES.webhooks),
    to('/docs', 'API reference'),
    ...(visit?.isOperator === true ? [to('/operator', 'Console')] : []),
    { key: '?', name: 'Keyboard shortcuts', about: '?', open: onShortcuts },
  ]
}

/** `name` is what channels are looked for by, '' where none are. */
function useLists(typed: string, name: string): FoundGroup[] {
  const navigate = useNavigate()
  const { data: projects } = useQuery(projectsQuery)
  const { data: ordered } = useQuery(ordersQuery(0))
  const { data: library } = useQuery({
    ...libraryQuery({ q: name, limit: SHOWN }),
    enabled: name !== '',
  })
  const list = (id: string, title: string, about: string): FoundPlace => ({
    key: `list ${id}`,
    name: title,
    about,
    open: () => navigate({ to: '/library/$id', params: { id } }),
  })
  const order = (
    id: string,
    title: string,
    about: string,
    to: '/jobs/$id' | '/batches/$id',
  ): FoundPlace => ({
    key: `order ${id}`,
    name: title,
    about,
    open: () => navigate({ to, params: { id } }),
  })
  const channels = name === '' ? [] : (library?.collections ?? [])
  const named = (found: FoundPlace[]) => calledAs(typed, found, (one) => one.name).slice(0, SHOWN)
  return [
    {
      title: 'Projects',
      found: named(
        (projects?.projects ?? []).map((one) =>
          list(one.id, one.name, counted(one.videos, 'transcript')),
        ),
      ),
    },
    {
      title: 'Channels and playlists',
      found: named(channels.map(({ id, title, kind }) => list(id, title ?? id, KIND_WORDS[kind]))),
    },
    {
      title: 'Latest jobs',
      found: named(
        (ordered?.orders ?? []).flatMap(({ job, batch }) =>
          job !== null
            ? order(job.id, jobTitle(job), recently(job.createdAt), '/jobs/$id')
            : batch !== null
              ? order(batch.id, batch.title, recently(batch.createdAt), '/batches/$id')
              : [],
        ),
      ),
    },
  ]
}

/** The best hits, and behind them the page with all of them, which is there before the first answer is. */
function useWords(typed: string, q: string): [FoundGroup[], string] {
  const navigate = useNavigate()
  const asking = useQuery({ ...searchQuery({ q }, HITS), enabled: q.length > 1 })
  const { data, failureReason: error } = asking
  const results = q.length > 1 && error === null ? data : undefined
  const hits = (results?.hits ?? []).map((hit) => ({
    key: `${hit.jobId} ${hit.index}`,
    name: hit.title ?? hit.videoId,
    about: dotted([hit.channelName, publishedOn(hit), clock(hit.startMs)]),
    hit,
    open: () => navigate(placeOf(hit, { q })),
  }))
  const all: FoundPlace = {
    key: 'all',
    name:
      results === undefined || results.total === 0
        ? 'Search your transcripts'
        : `All ${counted(results.total, 'transcript')} by month and channel`,
    about: '',
    open: () => navigate({ to: '/search', search: { q: asTyped(typed) } }),
  }
  return [[{ title: 'In your transcripts', found: [...hits, all] }], statusOf(q, error, results)]
}

function statusOf(q: string, error: Error | null, results: SearchResults | undefined): string {
  if (q.length < 2) return '↑ ↓ to choose, Enter to open, Escape to close.'
  if (error !== null) return error.message
  if (results === undefined) return 'Searching…'
  const { total, indexed, owned } = results
  const rest = indexed < owned ? ` So far ${indexed} of ${owned} were searched.` : ''
  if (total === 0) return indexed < owned ? rest.trim() : 'Nobody says that in your transcripts.'
  return `Said in ${counted(total, 'transcript')}.${rest}`
}
