/** Signing out. */
import type { QueryClient } from '@tanstack/react-query'
import { ask } from './account.ts'
import { forgetSearches } from '../kept-searches.ts'
import { forgetBearer } from './client.ts'
import { visitQuery } from './queries.ts'

/** Signs out, forgets the searches, leaves the page by `leave`, and then forgets all answers given to this reader. */
export async function signOut(
  client: QueryClient,
  everywhere: boolean,
  leave: () => Promise<unknown>,
): Promise<void> {
  await ask('POST', '/sign-out', { everywhere })
  forgetBearer()
  forgetSearches()
  await client.cancelQueries()
  client.setQueryData(visitQuery.queryKey, (visit) =>
    visit === undefined ? visit : { ...visit, email: null, accountId: null },
  )
  await leave()
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'visit' })
}
