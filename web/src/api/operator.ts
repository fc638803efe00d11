/** Requests of the console: behind the session, the operator role and its second factor. */
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { ask } from './account.ts'
import type {
  NewFactor,
  OperatorAccountDetails,
  OperatorAccounts,
  OperatorChecks,
  OperatorClearance,
  OperatorCosts,
  OperatorDeliveries,
  OperatorHealth,
  OperatorJob,
  OperatorJobs,
  OperatorLog,
  OperatorSettings,
  OperatorStorage,
} from './account-schema.d.ts'

export type {
  OperatorAccountDetails,
  OperatorAccounts,
  OperatorChecks,
  OperatorHealth,
  OperatorJob,
  OperatorLog,
  OperatorStorage,
}

export const CONSOLE_PAGE = 25
const BASE = '/operator'
const HEALTH_LOOK_MS = 15_000

export const clearanceQuery = queryOptions({
  queryKey: ['operator', 'clearance'],
  queryFn: () => ask<OperatorClearance>('GET', BASE),
  staleTime: 0,
})

export const healthQuery = queryOptions({
  queryKey: ['operator', 'health'],
  queryFn: () => ask<OperatorHealth>('GET', `${BASE}/health`),
  refetchInterval: HEALTH_LOOK_MS,
})

export const accountsQuery = (q: string, offset: number) =>
  queryOptions({
    queryKey: ['operator', 'accounts', q, offset],
    queryFn: () =>
      ask<OperatorAccounts>(
        'GET',
        `${BASE}/accounts?q=${encodeURIComponent(q)}&offset=${offset}&limit=${CONSOLE_PAGE}`,
      ),
    placeholderData: keepPreviousData,
  })

export const accountQuery = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'account', id],
    queryFn: () => ask<OperatorAccountDetails>('GET', `${BASE}/accounts/${encodeURIComponent(id)}`),
  })

export const costsQuery = queryOptions({
  queryKey: ['operator', 'costs'],
  queryFn: () => ask<OperatorCosts>('GET', `${BASE}/costs?days=7&by=calls`),
})

export const operatorJobsQuery = (state: string, offset: number) =>
  queryOptions({
    queryKey: ['operator', 'jobs', state, offset],
    queryFn: () =>
      ask<OperatorJobs>(
        'GET',
        `${BASE}/jobs?offset=${offset}&limit=${CONSOLE_PAGE}${state === '' ? '' : `&state=${state}`}`,
      ),
    placeholderData: keepPreviousData,
  })

export const checksQuery = queryOptions({
  queryKey: ['operator', 'checks'],
  queryFn: () => ask<OperatorChecks>('GET', `${BASE}/checks`),
})

export const failingWebhooksQuery = queryOptions({
  queryKey: ['operator', 'deliveries'],
  queryFn: () => ask<OperatorDeliveries>('GET', `${BASE}/deliveries`),
})

export const storageQuery = queryOptions({
  queryKey: ['operator', 'storage'],
  queryFn: () => ask<OperatorStorage>('GET', `${BASE}/storage`),
})

export const settingsQuery = queryOptions({
  queryKey: ['operator', 'settings'],
  queryFn: () => ask<OperatorSettings>('GET', `${BASE}/settings`),
})

export const logQuery = (before: number | null) =>
  queryOptions({
    queryKey: ['operator', 'acts', before],
    queryFn: () =>
      ask<OperatorLog>('GET', `${BASE}/acts${before === null ? '' : `?before=${before}`}`),
    placeholderData: keepPreviousData,
  })

export function makeFactor(): Promise<NewFactor> {
  return ask('POST', `${BASE}/factor`)
}

export function showCode(code: string): Promise<unknown> {
  return ask('POST', `${BASE}/proof`, { code })
}

export type AccountAct = 'credit' | 'suspend' | 'resume'

export function actOn(id: string, act: AccountAct, body: object): Promise<unknown> {
  return ask('POST', `${BASE}/accounts/${encodeURIComponent(id)}/${act}`, body)
}

export function cancelJob(id: string, reason: string): Promise<OperatorJob> {
  return ask('POST', `${BASE}/jobs/${encodeURIComponent(id)}/cancel`, { reason })
}

export function runCheck(check: 'ledger' | 'doctor'): Promise<OperatorChecks> {
  return ask('POST', `${BASE}/checks/${check}`)
}

/** Reads everything on the console again, since an act may change any of it. */
export function readAnew(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: ['operator'] })
}
