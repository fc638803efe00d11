/**
 * The videos of a job: filtered and searched by the server, loaded page by page as they come into
 * sight, so that ten thousand are as light as ten.
 */
import { useQueries } from '@tanstack/react-query'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import type { Job, Results, Video } from '../api/client.ts'
import { isFinal, ROWS_PAGE, type RowFilter, rowsQuery } from '../api/queries.ts'
import { count, statusWords } from '../format.ts'
import { Field } from './controls.tsx'
import { presentStatuses } from './progress.tsx'
import { Empty, Failed } from './states.tsx'
import { useDebouncedValue } from './use-debounced-value.ts'
import { VideoLine } from './video-line.tsx'

const ROW_PX = 72
const OVERSCAN = 12
const TYPING_MS = 250

export function JobRows({ job }: { job: Job }) {
  const [status, setStatus] = useState('')
  const [typed, setTyped] = useState('')
  const search = useDebouncedValue(typed.trim(), TYPING_MS)
  const { processed, counts } = job.progress
  return (
    <section aria-labelledby="videos" className="mt-10 border-t border-line pt-8">
      <div className="mb-4 flex flex-wrap items-end gap-4">
        <h2 id="videos" className="mr-auto text-xl">
          Videos
        </h2>
        {!(isFinal(job) && processed === 0) && (
          <>
            <StatusChoice
              counts={counts}
              processed={processed}
              status={status}
              onStatus={setStatus}
            />
            <Field
              label="Search titles"
              type="search"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              className="w-full sm:w-60"
            />
          </>
        )}
      </div>
      <RowList key={`${status} ${search}`} job={job} filter={{ status, search }} />
    </section>
  )
}

type Choice = {
  counts: Record<string, number>
  processed: number
  status: string
  onStatus: (status: string) => void
}

function StatusChoice({ counts, processed, status, onStatus }: Choice) {
  return (
    <label className="w-full text-sm sm:w-auto">
      <span className="mb-1.5 block font-medium">Show</span>
      <select
        value={status}
        onChange={(event) => onStatus(event.target.value)}
        className="h-11 w-full rounded-lg border border-control bg-surface px-3 text-base sm:w-56"
      >
        <option value="">All ({count(processed)})</option>
        {presentStatuses(counts).map(([name, rows]) => (
          <option key={name} value={name}>
            {statusWords(name)} ({count(rows)})
          </option>
        ))}
      </select>
    </label>
  )
}

function RowList({ job, filter }: { job: Job; filter: RowFilter }) {
  const list = useRef<HTMLDivElement>(null)
  const { pages, total, error, showPages } = usePages(job, filter)
  const virtual = useWindowVirtualizer({
    count: total ?? 0,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: list.current?.offsetTop ?? 0,
  })
  const rows = virtual.getVirtualItems()
  const from = Math.floor((rows[0]?.index ?? 0) / ROWS_PAGE)
  const to = Math.floor((rows.at(-1)?.index ?? 0) / ROWS_PAGE)
  useEffect(() => showPages(from, to), [showPages, from, to])

  if (error !== null) return <Failed error={error} />
  if (total === 0) return <NoRows job={job} filter={filter} />
  return (
    <div
      ref={list}
      role="table"
      aria-label="Videos"
      aria-rowcount={total ?? -1}
      className="relative border-t border-line"
      style={{ height: total === null ? ROW_PX * 4 : virtual.getTotalSize() }}
    >
      <div role="rowgroup">
        {rows.map(({ index, start }) => (
          <div
            key={index}
            role="row"
            aria-rowindex={index + 1}
            className="absolute inset-x-0 border-b border-line"
            style={{
              height: ROW_PX,
              transform: `translateY(${start - virtual.options.scrollMargin}px)`,
            }}
          >
            <VideoLine job={job} video={videoAt(pages, index)} />
          </div>
        ))}
      </div>
    </div>
  )
}

function videoAt(pages: Map<number, Results>, index: number): Video | undefined {
  return pages.get(Math.floor(index / ROWS_PAGE))?.videos[index % ROWS_PAGE]
}

/** The pages in sight. While the job runs, the version moves with it and pages are asked anew. */
function usePages(job: Job, filter: RowFilter) {
  const [shown, setShown] = useState({ from: 0, to: 0 })
  const showPages = useRef((from: number, to: number) =>
    setShown((before) => (before.from === from && before.to === to ? before : { from, to })),
  ).current
  const version = `${isFinal(job) ? 'final' : 'open'} ${job.progress.processed}`
  const wanted = Array.from({ length: shown.to - shown.from + 1 }, (_, place) => shown.from + place)
  const answers = useQueries({
    queries: wanted.map((page) => rowsQuery(job.id, filter, page, version)),
  })

  // What was there stays in sight until its successor has come.
  const kept = useRef({ pages: new Map<number, Results>(), total: null as number | null })
  answers.forEach(({ data }, place) => {
    const page = wanted[place]
    if (data === undefined || page === undefined) return
    kept.current.pages.set(page, data)
    kept.current.total = data.total
  })
  const failed = answers.find(({ error, data }) => error !== null && data === undefined)
  return { ...kept.current, error: failed?.error ?? null, showPages }
}

function NoRows({ job, filter }: { job: Job; filter: RowFilter }) {
  if (filter.status !== '' || filter.search !== '')
    return (
      <Empty title="No matching videos">Choose another status or search for another word.</Empty>
    )
  if (isFinal(job))
    return <Empty title="No results">The job ended before it reached a video.</Empty>
  return <Empty title="The first results are on their way">They appear here as they arrive.</Empty>
}
