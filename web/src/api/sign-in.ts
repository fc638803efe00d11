/** Signing in by the provider, and out. */
import type { QueryClient } from '@tanstack/react-query'
import { ask } from './account.ts'
import { forgetBearer } from './client.ts'
import { visitQuery } from './queries.ts'

/** Leaves the site for the provider's page. */
export async function signInByProvider(next: string): Promise<void> {
  const { url } = await ask<{ url: string }>('POST', '/auth/sign-in/social', {
    provider: 'oidc',
    callbackURL: next,
    errorCallbackURL: '/sign-in',
  })
  location.assign(url)
}

/** Signs out, leaves the page by `leave`, and then forgets all answers given to this reader. */
export async function signOut(
  client: QueryClient,
  everywhere: boolean,
  leave: () => Promise<unknown>,
): Promise<void> {
  await ask('POST', '/sign-out', { everywhere })
  forgetBearer()
  await client.cancelQueries()
  client.setQueryData(visitQuery.queryKey, (visit) =>
    visit === undefined ? visit : { ...visit, email: null, accountId: null },
  )
  await leave()
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'visit' })
}
