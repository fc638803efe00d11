/** Lines of a batch: what each brought, and what it costs at most to order what was not reached. */
import { useQuery } from '@tanstack/react-query'
import {
  type Batch,
  BATCH_VIDEOS_MAX,
  isAtWork,
  JOB_LINES_MAX,
  JOB_VIDEOS_MAX,
} from '../api/batches.ts'
import type { JobRequest, PreviewSource } from '../api/client.ts'
import { jobPreviewQuery } from '../api/queries.ts'
import { count, counted } from '../format.ts'
import { orderAgain } from '../order-fields.ts'
import { costOf } from '../order-size.ts'
import { buttonLook } from './controls.tsx'
import { OrderQuestion } from './order-question.tsx'

type Line = Batch['sources'][number]
/** A line with what is known of it by now: what it is called, how many videos it has and how many may be ordered. */
export type KnownLine = Line & { size: number | null }

/** Returns the lines of a batch; a list that no job came to is looked up, for free, once the batch rests. */
export function useKnownLines(batch: Batch): KnownLine[] {
  const unknown = batch.sources.filter(
    ({ state, videos }) => state === 'not_reached' && videos === null,
  )
  const urls = unknown.slice(0, JOB_LINES_MAX).map(({ line }) => line)
  const { data } = useQuery({
    ...jobPreviewQuery(orderOf(batch, urls, BATCH_VIDEOS_MAX), {
      owned: 'skip',
      track: batch.track,
    }),
    enabled: urls.length > 0 && !isAtWork(batch),
  })
  const found = new Map(data?.sources.map((source) => [source.line, source]))
  return batch.sources.map((line) => {
    const told = found.get(line.line)
    if (told === undefined) return { ...line, size: line.videos }
    return { ...line, title: told.title, size: told.videos, left: leftOf(told) }
  })
}

function leftOf({ videos, owned, delivered }: PreviewSource): number | null {
  return videos === null ? null : Math.max(0, videos - Math.max(owned, delivered))
}

function orderOf(batch: Batch, urls: string[], maxVideos: number): JobRequest {
  const most = Math.min(maxVideos, BATCH_VIDEOS_MAX)
  return orderAgain({ ...batch.input, urls, maxVideos: most, requestedMaxVideos: most })
}

export function BatchLines({ batch, lines }: { batch: Batch; lines: readonly KnownLine[] }) {
  const missed = lines.filter(({ state, videos }) => state === 'not_reached' && videos === 1)
  const urls = missed.slice(0, JOB_LINES_MAX).map(({ line }) => line)
  const isLong = lines.length > 10
  return (
    <section aria-labelledby="batch-lines" className="mt-10">
      <h2 id="batch-lines" className="mb-3 text-xl">
        {counted(lines.length, 'line')}
      </h2>
      <ol
        tabIndex={isLong ? 0 : undefined} // a keyboard scrolls it
        className={`divide-y divide-line border-y border-line ${isLong ? 'scroll-box max-h-[32rem]' : ''}`}
      >
        {lines.map((line) => (
          <li key={line.line} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
            <span className="min-w-0 truncate font-medium max-sm:w-full sm:flex-1" dir="auto">
              {line.title ?? line.line}
            </span>
            <span className={`numbers text-sm ${isLeft(line) ? 'text-warn' : 'text-muted'}`}>
              {lineWords(line)}
            </span>
            {isLeft(line) && line.videos !== 1 && line.left !== 0 && !isAtWork(batch) && (
              <Rest batch={batch} urls={[line.line]} left={line.left} />
            )}
          </li>
        ))}
      </ol>
      {urls.length > 0 && !isAtWork(batch) && (
        <p className="mt-3 flex flex-wrap items-center gap-3 text-sm">
          {counted(missed.length, 'video')} not reached
          <Rest batch={batch} urls={urls} left={urls.length} />
        </p>
      )}
    </section>
  )
}

function Rest({ batch, urls, left }: { batch: Batch; urls: string[]; left: number | null }) {
  const most = Math.min(left ?? JOB_VIDEOS_MAX, BATCH_VIDEOS_MAX)
  return (
    <OrderQuestion
      request={orderOf(batch, urls, most)}
      track={batch.track}
      title="Order the rest?"
      verb="Order"
      triggerLook={buttonLook('plain', 'small')}
      trigger={`Order ${left === null ? '' : `${count(most)} `}· at most ${costOf(most)}`}
    >
      <p>Only what was left is ordered; what you already have is free.</p>
    </OrderQuestion>
  )
}

function isLeft({ state }: Line): boolean {
  return state === 'not_reached' || state === 'part'
}

function lineWords({ state, size, taken, delivered, left }: KnownLine): string {
  const of = size === null || size < taken ? '' : `of ${count(size)} `
  const videos = `${of}${size === 1 ? 'video' : 'videos'}`
  const brought = `${counted(delivered, 'transcript')} from ${count(taken)} ${videos}`
  switch (state) {
    case 'waiting':
      return 'Waiting'
    case 'reading':
      return `${brought} so far`
    case 'read':
      return taken === 0 ? 'Nothing new' : size === 1 ? counted(delivered, 'transcript') : brought
    case 'part':
      return left === null ? `${brought}; there may be more` : `${brought}; ${count(left)} left`
    case 'not_reached':
      return size === null || size === 1 ? 'Not reached' : `Not reached, ${counted(size, 'video')}`
    default:
      return state satisfies never
  }
}
