/** The latest searches, kept in this browser for the account that sent them; no server is told of them. */
import { readSearch } from './addresses.ts'
import { type AskedSearch, given } from './api/search.ts'
import { kept, useKept } from './kept-choice.ts'

const SEARCHES = kept('searches', (text) => text)
const KEPT_MAX = 10

/** Returns the searches of this account in a kept text, the newest first: none where it is of another, or spoilt. */
export function searchesIn(text: string | null, accountId: string): AskedSearch[] {
  try {
    const { of, searches } = JSON.parse(text ?? '{}') as { of?: string; searches: object[] }
    return of === accountId ? searches.map((one) => ({ q: '', ...readSearch({ ...one }) })) : []
  } catch {
    return []
  }
}

function change(accountId: string, next: (before: AskedSearch[]) => AskedSearch[]): void {
  const searches = next(searchesIn(SEARCHES.now(), accountId)).slice(0, KEPT_MAX)
  SEARCHES.keep(JSON.stringify({ of: accountId, searches }))
}

const isOther = (search: AskedSearch) => (one: AskedSearch) =>
  JSON.stringify(one) !== JSON.stringify(search)

/** Keeps a search that was answered: one for its words and filters, whatever the order of its hits. */
export function keepSearch(accountId: string, asked: AskedSearch): void {
  const { sort: _, ...search } = given({ ...asked, q: asked.q.trim() })
  change(accountId, (before) => [search, ...before.filter(isOther(search))])
}

export function forgetSearch(accountId: string, search: AskedSearch): void {
  change(accountId, (before) => before.filter(isOther(search)))
}

/** Forgets all searches but those of this account; without one, all of them. */
export function forgetSearches(butOf = ''): void {
  if (searchesIn(SEARCHES.now(), butOf).length === 0) change('', () => [])
}

export function useKeptSearches(accountId: string): AskedSearch[] {
  return searchesIn(useKept(SEARCHES), accountId)
}
