/** Requests of the console: behind the session, the operator role and its second factor. */
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Answer, ask } from './account.ts'

export const CONSOLE_PAGE = 25
const BASE = '/operator'
const HEALTH_LOOK_MS = 15_000

/** What the console answers at `path`, with a query. */
const consoleQuery = <T>(path: string) =>
  queryOptions({
    queryKey: ['operator', path],
    queryFn: () => ask<T>('GET', `${BASE}${path}`),
  })

/** A page of a list: the one that was shown stays until it is there. */
const consolePageQuery = <T>(path: string) =>
  queryOptions({ ...consoleQuery<T>(path), placeholderData: keepPreviousData })

export const clearanceQuery = { ...consoleQuery<Answer<'OperatorClearance'>>(''), staleTime: 0 }

export const healthQuery = {
  ...consoleQuery<Answer<'OperatorHealth'>>('/health'),
  refetchInterval: HEALTH_LOOK_MS,
}

export const accountsQuery = (q: string, offset: number) =>
  consolePageQuery<Answer<'OperatorAccounts'>>(
    `/accounts?q=${encodeURIComponent(q)}&offset=${offset}&limit=${CONSOLE_PAGE}`,
  )

export const accountQuery = (id: string) =>
  consoleQuery<Answer<'OperatorAccountDetails'>>(`/accounts/${encodeURIComponent(id)}`)

export const operatorJobsQuery = (state: string, offset: number) =>
  consolePageQuery<Answer<'OperatorJobs'>>(
    `/jobs?offset=${offset}&limit=${CONSOLE_PAGE}${state === '' ? '' : `&state=${state}`}`,
  )

export const logQuery = (before: number | null) =>
  consolePageQuery<Answer<'OperatorLog'>>(`/acts${before === null ? '' : `?before=${before}`}`)

export const costsQuery = consoleQuery<Answer<'OperatorCosts'>>('/costs?days=7&by=calls')
export const checksQuery = consoleQuery<Answer<'OperatorChecks'>>('/checks')
export const failingWebhooksQuery = consoleQuery<Answer<'OperatorDeliveries'>>('/deliveries')
export const storageQuery = consoleQuery<Answer<'OperatorStorage'>>('/storage')
export const settingsQuery = consoleQuery<Answer<'OperatorSettings'>>('/settings')

/** Does something on the console. */
export const actOnConsole = <T>(path: string, body?: object) => ask<T>('POST', BASE + path, body)

/** Reads everything on the console again, since an act may change any of it. */
export function readAnew(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: ['operator'] })
}
