/** The one card of a page: how far something is, what it cost, what it is made of, and what can be done with it. */
import type { ReactNode } from 'react'
import { CountsLegend } from './progress.tsx'

export function SummaryCard({
  label,
  tag = null,
  words,
  money = null,
  said,
  bar,
  counts,
  facts,
  actions = null,
}: {
  /** What a screen reader calls the card. */
  label: string
  /** The strongest line: a state, and words such as "24 of 39 transcripts". */
  tag?: ReactNode
  words: ReactNode
  /** What it cost, at the end of that line. */
  money?: ReactNode
  /** What is announced when it changes. */
  said?: string
  /** How far it is. */
  bar: ReactNode
  /** Numbers of videos by their status, which are told below the bar. */
  counts?: Record<string, number> | undefined
  facts: ReactNode
  actions?: ReactNode
}) {
  return (
    <section
      aria-label={label}
      className="rounded-2xl border border-line bg-surface px-4 py-4 sm:px-5"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 sm:text-lg">
          {tag}
          <span className="numbers">{words}</span>
        </p>
        <div className="numbers text-sm text-muted">{money}</div>
      </div>
      {said !== undefined && (
        <p role="status" className="sr-only">
          {said}
        </p>
      )}
      <div className="mt-3 space-y-2.5 empty:hidden">
        {bar}
        {counts !== undefined && <CountsLegend counts={counts} />}
      </div>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-4 border-t border-line pt-4">
        <div className="min-w-[min(100%,18rem)] flex-1 space-y-1 text-sm text-muted">{facts}</div>
        {actions}
      </div>
    </section>
  )
}
