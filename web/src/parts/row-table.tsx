/** The table of a job's videos: only lines in sight are in the page, whatever the number of rows. */
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import type { Job, Video } from '../api/client.ts'
import { VideoLine } from './video-line.tsx'

const ROW_PX = 72
const OVERSCAN = 12

type Rows = {
  job: Job
  /** Null while unknown. */
  total: number | null
  /** Returns undefined while the row loads. */
  videoAt: (index: number) => Video | undefined
  /** Called with the rows in sight. */
  onShow?: (from: number, to: number) => void
}

export function RowTable({ job, total, videoAt, onShow }: Rows) {
  const list = useRef<HTMLDivElement>(null)
  const virtual = useWindowVirtualizer({
    count: total ?? 0,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: list.current?.offsetTop ?? 0,
  })
  const rows = virtual.getVirtualItems()
  const from = rows[0]?.index ?? 0
  const to = rows.at(-1)?.index ?? 0
  useEffect(() => onShow?.(from, to), [onShow, from, to])
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
            ref={virtual.measureElement}
            data-index={index}
            role="row"
            aria-rowindex={index + 1}
            className="absolute inset-x-0 border-b border-line"
            style={{
              minHeight: ROW_PX,
              transform: `translateY(${start - virtual.options.scrollMargin}px)`,
            }}
          >
            <VideoLine job={job} video={videoAt(index)} />
          </div>
        ))}
      </div>
    </div>
  )
}
