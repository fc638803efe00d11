/** Requests of the pages, with the names under which answers are cached. */
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Answer, ask, type ReplyName } from './account.ts'
import type { CollectionsOptions } from '../../../clients/typescript/src/library.ts'
import { preview } from '../../../clients/typescript/src/previews.ts'
import { filterAddress, type OrdersAddress } from '../addresses.ts'
import { isAtWork } from './batches.ts'
import { latestJob } from '../live.ts'
import type { OrderChoices } from '../order-fields.ts'
import {
  isFinal,
  type Job,
  type JobRequest,
  jobs,
  library,
  publicApi,
  readSegments,
  type Results,
  type WishedTrack,
} from './client.ts'

export const ORDERS_PAGE = 50
export const STATEMENT_PAGE = 15
export const ROWS_PAGE = 200
export const LIBRARY_PAGE = 50
export const COLLECTION_PAGE = 50
const LIST_LOOK_MS = 4_000

/** What the account API answers at `path`, cached as `name`. */
const answerQuery = <Name extends ReplyName>(name: string, path: string) =>
  queryOptions({ queryKey: [name], queryFn: () => ask<Answer<Name>>('GET', path) })

export const visitQuery = { ...answerQuery<'Visit'>('visit', '/session'), staleTime: 60_000 }
export const fundsQuery = answerQuery<'Funds'>('funds', '/balance')
export const methodsQuery = answerQuery<'SignInMethods'>('methods', '/sign-in-methods')
export const jobMailQuery = answerQuery<'JobMail'>('job-mail', '/job-mail')
export const topUpQuery = { ...answerQuery<'TopUpOffer'>('top-up', '/top-up'), staleTime: 300_000 }

/**
 * Reads again who is signed in. A pending answer is from before the change, and asking again would only wait for it, so
 * it is cancelled first.
 */
export async function readVisitAfresh(client: QueryClient): Promise<Answer<'Visit'>> {
  await client.cancelQueries({ queryKey: visitQuery.queryKey })
  return client.fetchQuery({ ...visitQuery, staleTime: 0 })
}

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async () => (await ask<Answer<'ApiKeys'>>('GET', '/keys')).keys,
})

export const appsQuery = queryOptions({
  queryKey: ['apps'],
  queryFn: async () => (await ask<Answer<'Apps'>>('GET', '/apps')).apps,
})

/** `path` is the question's, with all that the app asked for. */
export const appQuestionQuery = (path: string) =>
  queryOptions({
    queryKey: ['app-question', path],
    queryFn: () => ask<Answer<'AppQuestion'>>('GET', path),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Name of the command line's file that this service serves; null where it serves none. */
export const commandFileQuery = queryOptions({
  queryKey: ['command-file'],
  queryFn: async () => {
    const response = await fetch('/clients/')
    const served = response.ok ? ((await response.json()) as { name: string; file: string }[]) : []
    return served.find(({ name }) => name === '@scriptorium/cli')?.file ?? null
  },
  staleTime: Infinity,
})

export const statementQuery = (offset: number) =>
  queryOptions({
    queryKey: ['statement', offset],
    queryFn: () =>
      ask<Answer<'Movements'>>('GET', `/movements?offset=${offset}&limit=${STATEMENT_PAGE}`),
    placeholderData: keepPreviousData,
  })

export const previewQuery = (text: string, language?: string, track?: WishedTrack) =>
  queryOptions({
    queryKey: ['preview', text, language, track],
    queryFn: () => ask<Answer<'SourcesPreview'>>('POST', '/recognise', { text, language, track }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })

const PREVIEW_WAIT_S = 10
const PREVIEW_LOOK_MS = 1_500
const PREVIEW_KEPT_MS = 60_000

/** What a job would fetch and cost. Equal requests share one preview, which costs nothing more. */
export const jobPreviewQuery = (request: JobRequest, choices: OrderChoices) =>
  queryOptions({
    queryKey: ['job-preview', request, choices],
    queryFn: ({ signal }) =>
      preview(publicApi, request, { waitSeconds: PREVIEW_WAIT_S, ...choices, signal }),
    staleTime: PREVIEW_KEPT_MS,
    refetchInterval: ({ state }) => (state.data?.state === 'listing' ? PREVIEW_LOOK_MS : false),
  })

/** Orders of the account: jobs, and batches in the place of theirs. */
export const ordersQuery = (offset: number, filter: Omit<OrdersAddress, 'page'> = {}) =>
  queryOptions({
    queryKey: ['jobs', offset, filter],
    queryFn: () => {
      const search = new URLSearchParams({ ...filter, limit: String(ORDERS_PAGE) })
      return ask<Answer<'Orders'>>('GET', `/orders?offset=${offset}&${search}`)
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.orders.some(isOpen) ? LIST_LOOK_MS : false),
  })

function isOpen({ job, batch }: Answer<'Orders'>['orders'][number]): boolean {
  return (job !== null && !isFinal(job)) || isAtWork(batch ?? undefined)
}

export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ['job', id],
    queryFn: ({ signal }) => jobs.get(id, { signal }),
    // The comparison is here, so that what is known never goes back, whichever code stores an answer.
    structuralSharing: (known, told) => latestJob(known as Job | undefined, told as Job),
  })

export type RowFilter = { status: string; search: string }

type RowsPage = { id: string; filter: RowFilter; page: number; signal: AbortSignal }

function readRows({ id, filter, page, signal }: RowsPage): Promise<Results> {
  const query = {
    offset: page * ROWS_PAGE,
    limit: ROWS_PAGE,
    view: 'rows' as const,
    ...filterAddress(filter),
  }
  return jobs.resultsPage(id, { ...query, signal })
}

/** The first rows, requested beside the job instead of after it. */
const firstRowsQuery = (id: string, filter: RowFilter) =>
  queryOptions({
    queryKey: ['first-rows', id, filter],
    queryFn: ({ signal }) => readRows({ id, filter, page: 0, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** A page of a job's rows without their texts; `version` changes when the job has more to show. */
export const rowsQuery = (id: string, filter: RowFilter, page: number, version: string) =>
  queryOptions({
    queryKey: ['rows', id, filter, page, version],
    queryFn: async ({ signal, client }) => {
      const ahead = firstRowsQuery(id, filter)
      if (page === 0 && client.getQueryState(ahead.queryKey) !== undefined) {
        const first = await client.ensureQueryData(ahead).catch(() => null)
        client.removeQueries({ queryKey: ahead.queryKey })
        // Rows of a job that is still working are outdated already, so only those of a final job are used.
        if (first?.complete === true) return first
      }
      return readRows({ id, filter, page, signal })
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Requests a job, and its first rows at the same time. The page of a cached job gets its rows by itself. */
export function readJobAhead(client: QueryClient, id: string, filter: RowFilter): void {
  const known = client.getQueryData(jobQuery(id).queryKey)
  void client.prefetchQuery(jobQuery(id))
  if (known === undefined) void client.prefetchQuery(firstRowsQuery(id, filter))
}

const NEIGHBOURS_WITHIN = 100

/** Indexes of the texts before and after a row, in the order of the job's index. */
export const neighboursQuery = (id: string, index: number) =>
  queryOptions({
    queryKey: ['neighbours', id, index],
    queryFn: async ({ signal }) => {
      // A row is at its index or before it in the list, since indexes may have gaps.
      const offset = Math.max(0, index - 1 - NEIGHBOURS_WITHIN)
      const query = { offset, limit: ROWS_PAGE, view: 'rows' as const, signal }
      const { videos } = await jobs.resultsPage(id, query)
      const texts = videos
        .filter(({ status }) => status === 'success' || status === 'unchanged')
        .sort((a, b) => a.index - b.index)
        .map((video) => ({ jobId: id, index: video.index, place: {} }))
      return {
        previous: texts.findLast((text) => text.index < index) ?? null,
        next: texts.find((text) => text.index > index) ?? null,
      }
    },
  })

export const segmentsQuery = (id: string, index: number) =>
  queryOptions({
    queryKey: ['segments', id, index],
    queryFn: () => readSegments(id, index),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false, // there are thousands of cues, and they never change
  })

/** A page of the library, as it is looked through; what was shown stays until the next page is there. */
export const libraryQuery = (asked: Omit<CollectionsOptions, 'signal'>) =>
  queryOptions({
    queryKey: ['library', asked],
    queryFn: ({ signal }) => library.list({ limit: LIBRARY_PAGE, ...asked, signal }),
    placeholderData: keepPreviousData,
  })

/** The collections that a job's lines belong to; `version` changes when the job has more. */
export const jobCollectionsQuery = (job: string, version: string) =>
  queryOptions({
    queryKey: ['library', 'job', job, version],
    queryFn: ({ signal }) => library.list({ job, limit: LIBRARY_PAGE, signal }),
  })

export const collectionQuery = (id: string) =>
  queryOptions({
    queryKey: ['collection', id],
    queryFn: ({ signal }) => library.get(id, { signal }),
  })

export const libraryVideosQuery = (id: string, filter: RowFilter, offset: number) =>
  queryOptions({
    queryKey: ['collection', id, 'videos', filter, offset],
    queryFn: ({ signal }) => {
      const query = { offset, limit: COLLECTION_PAGE, ...filterAddress(filter) }
      return library.videosPage(id, { ...query, signal })
    },
    placeholderData: keepPreviousData,
  })

/** One row, and where its text is: for a video delivered before, in the earlier job. */
export const jobVideoQuery = (jobId: string, index: number) =>
  queryOptions({
    queryKey: ['job-video', jobId, index],
    queryFn: ({ signal }) => library.video(jobId, index, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** What the account has of the same video in other tracks. */
export const otherTextsQuery = (jobId: string, index: number) =>
  queryOptions({
    queryKey: ['other-texts', jobId, index],
    queryFn: async () => (await ask<Answer<'OtherTexts'>>('GET', `/texts/${jobId}/${index}`)).texts,
  })

/**
 * Requests a row and, where it has a text of its own, that text, and returns whether it has. The components that show
 * them report failures.
 */
export async function readAhead(
  client: QueryClient,
  jobId: string,
  index: number,
): Promise<boolean> {
  const video = await client.ensureQueryData(jobVideoQuery(jobId, index)).catch(() => null)
  if (video?.text?.jobId !== jobId || video.text.index !== index) return false
  void client.prefetchQuery(jobQuery(jobId))
  void client.prefetchQuery(segmentsQuery(jobId, index))
  return true
}

/** Reads what a part of the account's settings shows, so that nothing in it is pushed down; a failure is said there. */
export async function readSettingsAhead(client: QueryClient, part: string): Promise<null> {
  if (part === 'sign-in') await client.ensureQueryData(methodsQuery).catch(() => null)
  if (part === 'keys') await client.ensureQueryData(keysQuery).catch(() => null)
  if (part === 'apps') await client.ensureQueryData(appsQuery).catch(() => null)
  if (part === 'notifications') await client.ensureQueryData(jobMailQuery).catch(() => null)
  return null
}
