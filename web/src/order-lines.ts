/** The lines of the list of jobs: one a job or batch, and one for jobs side by side that brought nothing. */
import type { Orders } from './api/answers.ts'

type Batch = NonNullable<Orders['orders'][number]['batch']>
export type ListedJob = NonNullable<Orders['orders'][number]['job']>
/** The jobs of a line; several brought nothing. A batch has none. */
export type OrderLine = { batch: Batch | null; jobs: ListedJob[] }

/** Rows that keep a job in sight: what it brought, and what may be tried again or needs another line. */
const NEWS = ['success', 'failed', 'blocked_suspect', 'invalid_url', 'truncated']

/** Whether a job ended well and found only what the account had, beside videos that have no text. */
export function broughtNothing({ state, error, progress }: ListedJob): boolean {
  const { counts, processed } = progress
  const isNews = NEWS.some((status) => (counts[status] ?? 0) > 0)
  const isRepeat = processed === 0 || (counts['unchanged'] ?? 0) > 0
  return state === 'finished' && error === null && !isNews && isRepeat
}

/** Folds jobs that brought nothing where at least two of them stand side by side. */
export function linesOf(orders: Orders['orders']): OrderLine[] {
  const lines: OrderLine[] = []
  for (const { job, batch } of orders) {
    const last = lines.at(-1)?.jobs
    if (batch !== null) lines.push({ batch, jobs: [] })
    else if (job === null) continue
    else if (broughtNothing(job) && last?.every(broughtNothing) === true && last.length > 0)
      last.push(job)
    else lines.push({ batch, jobs: [job] })
  }
  return lines
}
