/** What pages read from their address: filter, searched word and page of a list, and where to go on. */
import type { SpendingAddress } from './api/money.ts'
import type { SearchAddress } from './api/search.ts'

export type FilterAddress = { status?: string; q?: string; page?: number }

/** Returns the filter in an address; anything else in it is left out, so that any address opens the page. */
export function readFilter(search: Record<string, unknown>): FilterAddress {
  const { status, q } = search
  return {
    ...(typeof status === 'string' && /^[a-z_]{1,40}$/.test(status) ? { status } : {}),
    ...(typeof q === 'string' ? { q: q.slice(0, 200) } : {}),
    ...readPage(search),
  }
}

export function readPage(search: Record<string, unknown>): { page?: number } {
  const page = Number(search['page'])
  return Number.isSafeInteger(page) && page > 1 ? { page } : {}
}

function readMonth({ month }: Record<string, unknown>): { month?: string } {
  return typeof month === 'string' && /^\d{4}-\d{2}$/.test(month) ? { month } : {}
}

/** Returns the page for an address, which names no first page. */
export function pageAt(offset: number, limit: number): { page?: number } {
  return offset === 0 ? {} : { page: offset / limit + 1 }
}

/** Returns a filter for an address or a request, without a page, since a new filter begins at the first one. */
export function filterAddress(filter: { status: string; search: string }): {
  status?: string
  q?: string
} {
  return {
    ...(filter.status === '' ? {} : { status: filter.status }),
    ...(filter.search === '' ? {} : { q: filter.search }),
  }
}

/** How the library is looked through: part of a name, a kind and an order. */
export type LibraryAddress = {
  q?: string
  kind?: 'channel' | 'playlist'
  sort?: 'title' | 'delivered' | 'remaining'
  page?: number
}

/** Returns how the library is looked through; anything else in an address is left out. */
export function readLibrary({ q, kind, sort, page }: Record<string, unknown>): LibraryAddress {
  return {
    ...(typeof q === 'string' && q !== '' ? { q: q.slice(0, 200) } : {}),
    ...(kind === 'channel' || kind === 'playlist' ? { kind } : {}),
    ...(sort === 'title' || sort === 'delivered' || sort === 'remaining' ? { sort } : {}),
    ...readPage({ page }),
  }
}

export const readToken = (search: Record<string, unknown>): { token?: string } =>
  typeof search['token'] === 'string' ? { token: search['token'] } : {}

const readNext = (search: Record<string, unknown>): { next?: string } =>
  typeof search['next'] === 'string' && /^\/(?!\/)/.test(search['next'])
    ? { next: search['next'] }
    : {}

/** Returns where to go on after signing in, and why the provider's answer signed nobody in. */
export const readSignIn = (search: Record<string, unknown>): { next?: string; error?: string } => ({
  ...readNext(search),
  ...(typeof search['error'] === 'string' ? { error: search['error'] } : {}),
})

/** Returns an app's question, as the address holds it. */
export const readRequest = (search: Record<string, unknown>): { request: string } => ({
  request: String(search['request'] ?? ''),
})

/** Returns the id that a part of the console is about. */
export const readId = (search: Record<string, unknown>): { id?: string } =>
  typeof search['id'] === 'string' ? { id: search['id'] } : {}

/** Returns the query whose words are marked where a text opens. */
export const readFind = (search: Record<string, unknown>): { find?: string } =>
  typeof search['find'] === 'string' ? { find: search['find'].slice(0, 500) } : {}

/** Where in a collection's list a text was opened: the way back leads there, and the next texts are the list's. */
export type ListPlace = { from?: string; at?: number; status?: string; q?: string }

export function readListPlace(search: Record<string, unknown>): ListPlace {
  const { from } = search
  const at = Number(search['at'])
  if (typeof from !== 'string' || !/^[\w-]{1,64}$/.test(from)) return {}
  const { page: _page, ...filter } = readFilter(search)
  return { from, ...(Number.isSafeInteger(at) && at >= 0 ? { at } : {}), ...filter }
}

/** The seconds between which a text is marked, `end` behind `t`. */
export type TimeAddress = { t?: number; end?: number }

function readTime(search: Record<string, unknown>): TimeAddress {
  const t = secondsIn(search['t'])
  const end = secondsIn(search['end'])
  if (t === null) return {}
  return { t, ...(end === null || end <= t ? {} : { end }) }
}

/** Takes numbers, too: a link that keeps the rest of an address has them. */
function secondsIn(value: unknown): number | null {
  const text = String(value)
  return /^\d{1,7}$/.test(text) ? Number(text) : null
}

/** Returns the words and the time at which a text opens, and the list in which it was opened. */
export const readPlace = (
  search: Record<string, unknown>,
): ListPlace & TimeAddress & { find?: string } => ({
  ...readFind(search),
  ...readTime(search),
  ...readListPlace(search),
})

/** Returns the search in an address; anything else in it is left out, so that any address opens the page. */
export const readSearch = (search: Record<string, unknown>): SearchAddress => {
  const read: Record<string, string> = {}
  for (const name of ['q', 'channel', 'language', 'after', 'before'] as const) {
    const value = search[name]
    if (typeof value === 'string') read[name] = value
  }
  if (search['sort'] === 'newest') read['sort'] = 'newest'
  return { ...read, ...readMonth(search), ...readPage(search) }
}

/** Returns the filter for lines of spending, and the checkout of a payment made right before. */
export const readSpending = (
  search: Record<string, unknown>,
): SpendingAddress & { paid?: string } => {
  const { by, paid } = search
  return {
    ...readPage(search),
    ...readMonth(search),
    ...(typeof by === 'string' ? { by } : {}),
    ...(paid === undefined ? {} : { paid: String(paid) }),
  }
}

/** Returns the lines and limit that a new job begins with. */
export const readOrder = (search: Record<string, unknown>): { urls?: string; max?: number } => {
  const max = Number(search['max'])
  return {
    ...(typeof search['urls'] === 'string' ? { urls: search['urls'] } : {}),
    ...(Number.isSafeInteger(max) && max >= 1 && max <= 500 ? { max } : {}),
  }
}

/** Returns the address of a collection's list on the platform. */
export function collectionAddress({
  kind,
  id,
}: {
  kind: 'channel' | 'playlist' | 'project'
  id: string
}): string {
  return `https://www.youtube.com/${kind === 'channel' ? `channel/${id}` : `playlist?list=${id}`}`
}
