/** Batches as pages read, order and change them: orders larger than a job may be. */
import { queryOptions } from '@tanstack/react-query'
import type {
  Batch,
  BatchChange,
  BatchRequest,
  BatchSummary,
} from '../../../clients/typescript/src/schema.ts'
import type { OrderChoices } from '../order-fields.ts'
import { publicApi, read } from './client.ts'

export type { Batch, BatchSummary }

/** Most lines and videos of one job: what is more is a batch. */
export const JOB_LINES_MAX = 50
export const JOB_VIDEOS_MAX = 500
export const BATCH_VIDEOS_MAX = 50_000

/** Interval between looks at a batch that runs. */
const BATCH_LOOK_MS = 1_000

export const batchQuery = (id: string) =>
  queryOptions({
    queryKey: ['batch', id],
    queryFn: ({ signal }) => read<Batch>(`/batches/${encodeURIComponent(id)}`, {}, signal),
    refetchInterval: ({ state }) => (isAtWork(state.data) ? BATCH_LOOK_MS : false),
  })

/** Whether anything of a batch still changes: it runs, or its last job is not final. */
export function isAtWork(batch: BatchSummary | undefined): boolean {
  if (batch === undefined) return false
  return batch.state === 'running' || Number(batch.billing.reserved) > 0
}

/** Orders a batch, or returns the running one of the same lines: so it is safe to send again. */
export const orderBatch = (body: BatchRequest, { owned, track }: OrderChoices) =>
  publicApi.json<Batch>({ method: 'POST', path: '/batches', query: { owned, track }, body })

export const changeBatch = (id: string, body: BatchChange) =>
  publicApi.json<Batch>({ method: 'PATCH', path: `/batches/${encodeURIComponent(id)}`, body })
