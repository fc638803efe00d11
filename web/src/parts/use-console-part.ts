/** Tells which part of the operator's console is open, where an operator looks at it. */
import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { visitQuery } from '../api/queries.ts'

/** Returns the id of the part; null on other pages, and for readers for whom there is no console. */
export function useConsolePart(): string | null {
  const { data: visit } = useQuery(visitQuery)
  // The header changes with the page: one that changed before would ask for a balance while somebody signs out.
  const path = useRouterState({
    select: ({ resolvedLocation, location }) => (resolvedLocation ?? location).pathname,
  })
  const [, page, part = 'health'] = path.split('/')
  return page === 'operator' && visit?.isOperator === true ? part : null
}
