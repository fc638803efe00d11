/** Signing up, in and out. */
import type { QueryClient } from '@tanstack/react-query'
import { type Access, type AddressKept, type AfterReset, ask, type Verified } from './account.ts'
import { forgetBearer } from './client.ts'
import { visitQuery } from './queries.ts'

export function signUp(email: string, password: string): Promise<unknown> {
  return ask('POST', '/auth/sign-up/email', { email, password })
}

/** Makes the operator's account, where there is none yet, and signs in. */
export function makeFirstAccount(made: {
  code: string
  email: string
  password: string
}): Promise<unknown> {
  return ask('POST', '/first-run', made)
}

export function signInByPassword(email: string, password: string): Promise<unknown> {
  return ask('POST', '/auth/sign-in/email', { email, password })
}

/** Leaves the site for the provider's page. */
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

export function resetPassword(token: string, newPassword: string): Promise<AfterReset> {
  return ask('POST', '/auth/reset-password', { token, newPassword })
}

export function revokeAccess(grant: string): Promise<Access> {
  return ask('POST', '/auth/revoke-access', { grant })
}

/** `password` is null for an account that has none and has signed in recently. */
export function askForAddress(email: string, password: string | null): Promise<unknown> {
  return ask('POST', '/address', { email, ...(password === null ? {} : { password }) })
}

export function confirmAddress(token: string): Promise<unknown> {
  return ask('POST', '/address/confirm', { token })
}

/** Keeps the account's address, by the link mailed to the old one. */
export function keepAddress(token: string): Promise<AddressKept> {
  return ask('POST', '/address/keep', { token })
}

/** Verifies an address. In another browser than the one that signed up, the password chosen there is needed. */
export function verifyEmail(token: string, password?: string): Promise<Verified> {
  return ask('POST', '/auth/verify-email', {
    token,
    ...(password === undefined ? {} : { password }),
  })
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
