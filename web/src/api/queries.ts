/** What pages ask for, with the names under which answers are kept. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  type ApiKeys,
  ask,
  type Funds,
  type Recognition,
  type SignInMethods,
  type Statement,
  type TopUpOffer,
  type Visit,
} from './account.ts'
import { answered, api, type Job, readSegments } from './client.ts'

export const JOBS_PAGE = 20
export const STATEMENT_PAGE = 15
export const ROWS_PAGE = 200
const FINAL_STATES = new Set(['finished', 'cancelled', 'failed', 'interrupted'])
/** How long the server may hold an answer about a running job. */
const WAIT_SECONDS = 2
const NEXT_LOOK_MS = 250
const LIST_LOOK_MS = 4_000

export function isFinal(job: Pick<Job, 'state'>): boolean {
  return FINAL_STATES.has(job.state)
}

export const visitQuery = queryOptions({
  queryKey: ['visit'],
  queryFn: () => ask<Visit>('GET', '/session'),
  staleTime: 60_000,
})

/**
 * Who is signed in now. An answer on its way is from before that changed, and asking again would only
 * wait for it, so it is dropped first.
 */
export async function readVisitAfresh(client: QueryClient): Promise<Visit> {
  await client.cancelQueries({ queryKey: visitQuery.queryKey })
  return client.fetchQuery({ ...visitQuery, staleTime: 0 })
}

export const fundsQuery = queryOptions({
  queryKey: ['funds'],
  queryFn: () => ask<Funds>('GET', '/balance'),
})

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async () => (await ask<ApiKeys>('GET', '/keys')).keys,
})

export const methodsQuery = queryOptions({
  queryKey: ['methods'],
  queryFn: () => ask<SignInMethods>('GET', '/sign-in-methods'),
})

export const topUpQuery = queryOptions({
  queryKey: ['top-up'],
  queryFn: () => ask<TopUpOffer>('GET', '/top-up'),
  staleTime: 300_000,
})

export const statementQuery = (offset: number) =>
  queryOptions({
    queryKey: ['statement', offset],
    queryFn: () => ask<Statement>('GET', `/statement?offset=${offset}&limit=${STATEMENT_PAGE}`),
    placeholderData: (before: Statement | undefined) => before,
  })

export const recognitionQuery = (text: string) =>
  queryOptions({
    queryKey: ['recognition', text],
    queryFn: () => ask<Recognition>('POST', '/recognise', { text }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before: Recognition | undefined) => before,
  })

export const jobsQuery = (offset: number) =>
  queryOptions({
    queryKey: ['jobs', offset],
    queryFn: () => answered(api.GET('/jobs', { params: { query: { offset, limit: JOBS_PAGE } } })),
    refetchInterval: ({ state }) =>
      state.data?.jobs.some((job) => !isFinal(job)) ? LIST_LOOK_MS : false,
  })

/** A running job is asked again and again; the server answers when it is final or two seconds are over. */
export const jobQuery = (id: string, client: QueryClient) =>
  queryOptions({
    queryKey: ['job', id],
    queryFn: async ({ signal }) => {
      const known = client.getQueryData<Job>(['job', id])
      const wait = known !== undefined && !isFinal(known) ? { wait: WAIT_SECONDS } : {}
      return answered(api.GET('/jobs/{id}', { params: { path: { id }, query: wait }, signal }))
    },
    refetchInterval: ({ state }) =>
      state.data !== undefined && !isFinal(state.data) ? NEXT_LOOK_MS : false,
  })

export type RowFilter = { status: string; search: string }

/** A page of a job's rows without their texts; `version` changes when the job has more to show. */
export const rowsQuery = (id: string, filter: RowFilter, page: number, version: string) =>
  queryOptions({
    queryKey: ['rows', id, filter, page, version],
    queryFn: ({ signal }) => {
      const query = {
        offset: page * ROWS_PAGE,
        limit: ROWS_PAGE,
        view: 'rows' as const,
        ...(filter.status === '' ? {} : { status: filter.status }),
        ...(filter.search === '' ? {} : { q: filter.search }),
      }
      return answered(api.GET('/jobs/{id}/results', { params: { path: { id }, query }, signal }))
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

export const segmentsQuery = (id: string, index: number) =>
  queryOptions({
    queryKey: ['segments', id, index],
    queryFn: () => readSegments(id, index),
    staleTime: Number.POSITIVE_INFINITY,
  })
