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
import { DataTable } from './data-table.tsx'
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
  const hasRest = (line: KnownLine) =>
    isLeft(line) && line.videos !== 1 && line.left !== 0 && !isAtWork(batch)
  const isLong = lines.length > 10
  return (
    <section aria-labelledby="batch-lines" className="mt-10">
      <h2 id="batch-lines" className="mb-3 text-xl">
        {counted(lines.length, 'line')}
      </h2>
      <div
        role="group"
        aria-labelledby="batch-lines"
        tabIndex={isLong ? 0 : undefined} // a keyboard scrolls it
        className={isLong ? 'scroll-box -mx-2 max-h-[32rem] px-2' : ''}
      >
        <DataTable
          name="Lines"
          rows={lines}
          keyOf={({ line }) => line}
          columns={({ act, figure, wide }) => ({
            Line: ({ title, line }) => (
              <span className="font-medium wrap-anywhere" dir="auto">
                {title ?? line}
              </span>
            ),
            Outcome: wide((line) => (
              <span className={isLeft(line) ? 'text-warn' : ''}>{outcomeOf(line)}</span>
            )),
            Videos: wide(figure(videosOf)),
            Transcripts: figure(({ delivered }) => count(delivered)),
            ...(lines.some(hasRest) && {
              Rest: wide(
                act(
                  (line) =>
                    hasRest(line) && <Rest batch={batch} urls={[line.line]} left={line.left} />,
                ),
              ),
            }),
          })}
        />
      </div>
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

const OUTCOMES = { waiting: 'Waiting', reading: 'Reading', not_reached: 'Not reached' }

function outcomeOf({ state, taken, left }: KnownLine): string {
  if (state === 'read') return taken === 0 ? 'Nothing new' : 'Read'
  if (state !== 'part') return OUTCOMES[state]
  return left === null ? 'There may be more' : `${count(left)} left`
}

/** Returns "510 of 1,200"; one number where nobody knows the other, or both are the same. */
function videosOf({ size, taken }: KnownLine): string {
  return size === null || size <= taken ? count(taken) : `${count(taken)} of ${count(size)}`
}
