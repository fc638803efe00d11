/** What pages read from their address: filter, searched word and page of a list, and where to go on. */
import type { SpendingAddress } from './api/money.ts'
import type { SearchAddress } from './api/search.ts'
import { STATUS_WORDS } from './words.ts'

type FilterAddress = { status?: string; q?: string; page?: number }

type Search = Record<string, unknown>

/** Returns a parameter that is a text, up to a length; nothing where it is none. */
function textIn<Name extends string>(
  search: Search,
  name: Name,
  charsMax = Infinity,
): { [Key in Name]?: string } {
  const value = search[name]
  return typeof value === 'string'
    ? ({ [name]: value.slice(0, charsMax) } as { [Key in Name]: string })
    : {}
}

const ROW_STATUSES = Object.keys(STATUS_WORDS)
/** Statuses of rows that took no place in a job: no video of a collection has one of them. */
const PLACELESS = ['unchanged', 'skipped', 'truncated', 'invalid_url']
/** `none` stands for videos that no job has read yet. */
const VIDEO_STATUSES = [...ROW_STATUSES.filter((each) => !PLACELESS.includes(each)), 'none']

/** Reads the filter in an address; anything else in it is left out, so that any address opens the page. */
function filterOf(statuses: readonly string[]) {
  return (search: Search): FilterAddress => {
    const { status } = search
    return {
      ...(typeof status === 'string' && statuses.includes(status) ? { status } : {}),
      ...textIn(search, 'q', 200),
      ...readPage(search),
    }
  }
}

/** Returns the filter of a job's rows, and that of a collection's videos. */
export const readRowFilter = filterOf(ROW_STATUSES)
export const readVideoFilter = filterOf(VIDEO_STATUSES)

export function readPage(search: Search): { page?: number } {
  const page = Number(search['page'])
  return Number.isSafeInteger(page) && page > 1 ? { page } : {}
}

function readMonth({ month }: Search): { month?: string } {
  return typeof month === 'string' && /^\d{4}-(?:0[1-9]|1[0-2])$/.test(month) ? { month } : {}
}

/** Returns the page for an address, which names no first page. */
export function pageAt(offset: number, limit: number): { page?: number } {
  return offset === 0 ? {} : { page: offset / limit + 1 }
}

/** Returns a filter for an address or a request, without a page, since a new filter begins at the first one. */
export function filterAddress(filter: { status: string; search: string }): FilterAddress {
  return {
    ...(filter.status === '' ? {} : { status: filter.status }),
    ...(filter.search === '' ? {} : { q: filter.search }),
  }
}

/** The states of orders as their list calls them. */
export const ORDER_STATES = {
  open: 'Running',
  finished: 'Finished',
  stopped: 'Stopped or cancelled',
  failed: 'Failed',
}

/** How the list of orders is looked through: a state, and a part of what they are called or ask for. */
export type OrdersAddress = { state?: keyof typeof ORDER_STATES; q?: string; page?: number }

export function readOrders({ state, q, page }: Search): OrdersAddress {
  const isState = typeof state === 'string' && Object.hasOwn(ORDER_STATES, state)
  return {
    ...(isState ? { state: state as keyof typeof ORDER_STATES } : {}),
    ...(typeof q === 'string' && q !== '' ? { q: q.slice(0, 200) } : {}),
    ...readPage({ page }),
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
export function readLibrary({ q, kind, sort, page }: Search): LibraryAddress {
  return {
    ...(typeof q === 'string' && q !== '' ? { q: q.slice(0, 200) } : {}),
    ...(kind === 'channel' || kind === 'playlist' ? { kind } : {}),
    ...(sort === 'title' || sort === 'delivered' || sort === 'remaining' ? { sort } : {}),
    ...readPage({ page }),
  }
}

export const readToken = (search: Search) => textIn(search, 'token')

const readNext = (search: Search): { next?: string } =>
  typeof search['next'] === 'string' && /^\/(?!\/)/.test(search['next'])
    ? { next: search['next'] }
    : {}

/** Returns where to go on after signing in, and why the provider's answer signed nobody in. */
export const readSignIn = (search: Search): { next?: string; error?: string } => ({
  ...readNext(search),
  ...textIn(search, 'error'),
})

/** Returns an app's question, as the address holds it. */
export const readRequest = (search: Search): { request: string } => ({
  request: String(search['request'] ?? ''),
})

/** Returns the id that a part of the console is about. */
export const readId = (search: Search) => textIn(search, 'id')

/** Where in a collection's list a text was opened: the way back leads there, and the next texts are the list's. */
export type ListPlace = { from?: string; at?: number; status?: string; q?: string }

function readListPlace(search: Search): ListPlace {
  const { from } = search
  const at = Number(search['at'])
  if (typeof from !== 'string' || !/^[\w-]{1,64}$/.test(from)) return {}
  const { page: _page, ...filter } = readVideoFilter(search)
  return { from, ...(Number.isSafeInteger(at) && at >= 0 ? { at } : {}), ...filter }
}

/** The seconds between which a text is marked, `end` behind `t`. */
export type TimeAddress = { t?: number; end?: number }

function readTime(search: Search): TimeAddress {
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

/** The text that is read beside another one, as `JOB.INDEX`. */
export type BesideAddress = { beside?: string }

function readBeside({ beside }: Search): BesideAddress {
  return typeof beside === 'string' && /^[\w-]{1,64}\.[1-9]\d{0,9}$/.test(beside) ? { beside } : {}
}

/** Returns the words and the time at which a text opens, the list in which it was opened, and what is beside it. */
export const readPlace = (
  search: Search,
): ListPlace & TimeAddress & BesideAddress & { find?: string } => ({
  ...textIn(search, 'find', 500),
  ...readTime(search),
  ...readListPlace(search),
  ...readBeside(search),
})

/** Returns the search in an address; anything else in it is left out, so that any address opens the page. */
export const readSearch = (search: Search): SearchAddress => {
  const read: Record<string, string> = {}
  for (const name of ['q', 'channel', 'language', 'after', 'before'] as const) {
    const value = search[name]
    if (typeof value === 'string') read[name] = value
  }
  if (search['sort'] === 'newest') read['sort'] = 'newest'
  return { ...read, ...readMonth(search), ...readPage(search) }
}

/** Returns the filter for lines of spending, and the checkout of a payment made right before. */
export const readSpending = (search: Search): SpendingAddress & { paid?: string } => {
  const { paid } = search
  return {
    ...readPage(search),
    ...readMonth(search),
    ...textIn(search, 'by'),
    ...(paid === undefined ? {} : { paid: String(paid) }),
  }
}

/** Returns the lines and limit that a new job begins with; what an app shares may be in any of three. */
export const readOrder = (search: Search): { urls?: string; max?: number } => {
  const max = Number(search['max'])
  const shared = ['url', 'text', 'title'].flatMap((name) => textIn(search, name)[name] ?? [])
  const urls = shared.find((text) => text.includes('://')) ?? shared[0]
  return {
    ...textIn(urls === undefined ? search : { urls, ...search }, 'urls'),
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
