/**
 * Pages for signed-in readers only. Where the session has ended meanwhile, one sentence takes their place, and no money
 * is shown.
 */
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { visitQuery } from '../api/queries.ts'
import { SignedOut } from './states.tsx'

export function Member() {
  const { data: visit } = useQuery(visitQuery)
  return visit?.email === null ? <SignedOut /> : <Outlet />
}
