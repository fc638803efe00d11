/** Tells which part of the operator's console is open, where an operator looks at it. */
import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { visitQuery } from '../api/queries.ts'

/** Returns the id of the part; null on other pages, and for readers for whom there is no console. */
export function useConsolePart(): string | null {
  const { data: visit } = useQuery(visitQuery)
  const [, page, part = 'health'] = useRouterState({
    select: ({ location }) => location.pathname,
  }).split('/')
  return page === 'operator' && visit?.isOperator === true ? part : null
}
