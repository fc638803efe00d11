/** Signing up, in and out. */
import type { QueryClient } from '@tanstack/react-query'
import { ask } from './account.ts'
import { forgetBearer } from './client.ts'
import { visitQuery } from './queries.ts'

export function signUp(email: string, password: string): Promise<unknown> {
  return ask('POST', '/auth/sign-up/email', { email, password, name: email.split('@')[0] ?? email })
}

export function signInByPassword(email: string, password: string): Promise<unknown> {
  return ask('POST', '/auth/sign-in/email', { email, password })
}

/** Leaves for the provider's page. */
export async function signInByProvider(next: string): Promise<void> {
  const { url } = await ask<{ url: string }>('POST', '/auth/sign-in/social', {
    provider: 'oidc',
    callbackURL: next,
    errorCallbackURL: '/sign-in',
  })
  location.assign(url)
}

export function askForReset(email: string): Promise<unknown> {
  return ask('POST', '/auth/request-password-reset', { email })
}

export function resetPassword(token: string, newPassword: string): Promise<unknown> {
  return ask('POST', '/auth/reset-password', { token, newPassword })
}

export function verifyEmail(token: string): Promise<unknown> {
  return ask('GET', `/auth/verify-email?token=${encodeURIComponent(token)}`)
}

/** Signs out, leaves the page by `leave`, and then forgets everything that was asked for this reader. */
export async function signOut(client: QueryClient, everywhere: boolean, leave: () => Promise<unknown>): Promise<void> {
  await ask('POST', '/sign-out', { everywhere })
  forgetBearer()
  await client.cancelQueries()
  client.setQueryData(visitQuery.queryKey, (visit) => (visit === undefined ? visit : { ...visit, email: null, accountId: null }))
  await leave()
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'visit' })
}
