/** Who may open which address: visitors sign in first, and whoever is signed in is led past that. */
import { redirect } from '@tanstack/react-router'
import { visitQuery } from './api/queries.ts'
import { queryClient } from './query-client.ts'

/** Sends a visitor to the sign-in page, and from there back. */
export async function askToSignIn({ location }: { location: { href: string } }): Promise<void> {
  const visit = await queryClient.ensureQueryData(visitQuery)
  if (visit.email === null) throw redirect({ to: '/sign-in', search: { next: location.href } })
}

/** Sends a visitor who is signed in past the sign-in page. */
export async function leadOn(next: string): Promise<void> {
  const visit = await queryClient.ensureQueryData(visitQuery)
  if (visit.email !== null) throw redirect({ href: next })
}
