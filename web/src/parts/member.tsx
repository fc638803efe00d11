/**
 * Pages for signed-in readers only. Where the session has ended meanwhile, one sentence takes their place, and no money
 * is shown.
 */
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { visitQuery } from '../api/queries.ts'
import { forgetSearches } from '../kept-searches.ts'
import { SignedOut } from './states.tsx'

export function Member() {
  const { data: visit } = useQuery(visitQuery)
  const accountId = visit?.accountId ?? null
  useEffect(() => {
    if (accountId !== null) forgetSearches(accountId)
  }, [accountId])
  return visit?.email === null ? <SignedOut /> : <Outlet />
}
