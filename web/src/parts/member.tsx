/** What only signed-in readers see. Where the session ended meanwhile, one sentence stands instead, and no money. */
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { visitQuery } from '../api/queries.ts'
import { SignedOut } from './states.tsx'

export function Member() {
  const { data: visit } = useQuery(visitQuery)
  return visit?.email === null ? <SignedOut /> : <Outlet />
}
