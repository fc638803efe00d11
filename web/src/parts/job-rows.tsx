/**
 * The videos of a job. Those of a job that is followed come from its events. All others are filtered and searched by
 * the server and loaded page by page as they come into sight, so that ten thousand are as light as ten.
 */
import { useQueries } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { isFinal, type Job, type Results, type Video } from '../api/client.ts'
import { ROWS_PAGE, type RowFilter, rowsQuery } from '../api/queries.ts'
import { count } from '../format.ts'
import { matchingRows } from '../live.ts'
import { presentStatuses } from './progress.tsx'
import { RowTable } from './row-table.tsx'
import { Empty, Waiting } from './states.tsx'
import type { LiveJob } from './use-live-job.ts'
import { useVideoFilter, VideosHead } from './video-filters.tsx'
import { statusWords } from '../words.ts'

/** `live` is null where the rows are read page by page. */
export function JobRows({ job, live }: { job: Job; live: LiveJob | null }) {
  const filtering = useVideoFilter()
  const { filter } = filtering
  const { processed, counts } = job.progress
  const options = presentStatuses(counts).map(
    ([name, rows]) => [name, `${statusWords(name)} (${count(rows)})`] as const,
  )
  const isBare = isFinal(job) && processed === 0
  const key = `${filter.status} ${filter.search}`
  const rows = { job, filter }
  return (
    <section aria-labelledby="videos" className="mt-6">
      <VideosHead
        of={filtering}
        options={isBare ? [] : [['', `All (${count(processed)})`], ...options]}
      />
      {live === null ? (
        <PagedRows key={key} {...rows} />
      ) : (
        <LiveRows key={key} {...rows} live={live} />
      )}
    </section>
  )
}

function LiveRows({ job, live, filter }: { job: Job; live: LiveJob; filter: RowFilter }) {
  const rows = matchingRows(live.rows, filter)
  const isComing = live.told === 0 && job.progress.processed > 0
  if (rows.length === 0 && !isComing) return <NoRows job={job} filter={filter} />
  return (
    <RowTable job={job} total={isComing ? null : rows.length} videoAt={(index) => rows[index]} />
  )
}

function PagedRows({ job, filter }: { job: Job; filter: RowFilter }) {
  const { pages, total, failed, showRows } = usePages(job, filter)
  if (failed !== undefined) return <Waiting query={failed} lines={6} />
  if (total === 0) return <NoRows job={job} filter={filter} />
  const videoAt = (index: number): Video | undefined =>
    pages.get(Math.floor(index / ROWS_PAGE))?.videos[index % ROWS_PAGE]
  return <RowTable job={job} total={total} videoAt={videoAt} onShow={showRows} />
}

/**
 * Reads the pages in sight. While the job runs, its count of rows is part of their name, so that they are read again.
 */
function usePages(job: Job, filter: RowFilter) {
  const [shown, setShown] = useState({ from: 0, to: 0 })
  const showRows = useRef((first: number, last: number) => {
    const [from, to] = [Math.floor(first / ROWS_PAGE), Math.floor(last / ROWS_PAGE)]
    setShown((before) => (before.from === from && before.to === to ? before : { from, to }))
  }).current
  const version = `${isFinal(job) ? 'final' : 'open'} ${job.progress.processed}`
  const wanted = Array.from({ length: shown.to - shown.from + 1 }, (_, index) => shown.from + index)
  const answers = useQueries({
    queries: wanted.map((page) => rowsQuery(job.id, filter, page, version)),
  })

  // Old pages stay in sight until new ones have come.
  const kept = useRef({ pages: new Map<number, Results>(), total: null as number | null })
  answers.forEach(({ data }, index) => {
    const page = wanted[index]
    if (data === undefined || page === undefined) return
    kept.current.pages.set(page, data)
    kept.current.total = data.total
  })
  const failed = answers.find(({ error, data }) => error !== null && data === undefined)
  return { ...kept.current, failed, showRows }
}

function NoRows({ job, filter }: { job: Job; filter: RowFilter }) {
  if (filter.status !== '' || filter.search !== '')
    return (
      <Empty title="No matching videos">Choose another status or search for another word.</Empty>
    )
  if (isFinal(job))
    return <Empty title="No results">It reached no video that was new to the order.</Empty>
  return <Empty title="The first results are on their way">They appear here as they arrive.</Empty>
}
