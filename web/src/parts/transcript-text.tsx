/** The paragraphs of a transcript, each with the time it begins at and its search hits marked. */
import { memo, type ReactNode } from 'react'
import type { Paragraph } from '../paragraphs.ts'
import { clock } from '../format.ts'

type Parts = {
  paragraphs: Paragraph[]
  /** Hits of the search in each paragraph. */
  places: [number, number][][]
  /** Which of all hits is looked at. */
  current: number
  url: string | null
  language: string | null
}

export const TranscriptText = memo(function TranscriptText({
  paragraphs,
  places,
  current,
  url,
  language,
}: Parts) {
  let before = 0
  return (
    <div
      lang={language ?? undefined}
      className="space-y-6 font-serif text-[1.1875rem] leading-[1.7]"
    >
      {paragraphs.map(({ startMs, text }, place) => {
        const hits = places[place] ?? []
        const marked = marks(text, hits, current - before)
        before += hits.length
        return (
          <div
            key={startMs}
            className="grid gap-x-5 [contain-intrinsic-size:auto_12rem] [content-visibility:auto] sm:grid-cols-[3.5rem_minmax(0,1fr)]"
          >
            <Time startMs={startMs} url={url} />
            <p dir="auto" className="wrap-anywhere">
              {marked}
            </p>
          </div>
        )
      })}
    </div>
  )
})

function Time({ startMs, url }: { startMs: number; url: string | null }) {
  const look = 'numbers font-sans text-[0.8125rem] leading-[2.0rem] text-muted sm:text-right'
  if (url === null) return <span className={look}>{clock(startMs)}</span>
  return (
    <a
      href={atSecond(url, startMs)}
      target="_blank"
      rel="noreferrer"
      aria-label={`Open the video at ${clock(startMs)}`}
      className={`${look} no-underline hover:text-accent hover:underline`}
    >
      {clock(startMs)}
    </a>
  )
}

function atSecond(url: string, ms: number): string {
  if (!URL.canParse(url)) return url
  const address = new URL(url)
  address.searchParams.set('t', `${Math.floor(ms / 1000)}s`)
  return address.href
}

function marks(text: string, hits: [number, number][], current: number): ReactNode {
  if (hits.length === 0) return text
  const parts: ReactNode[] = []
  let at = 0
  hits.forEach(([start, end], hit) => {
    parts.push(text.slice(at, start))
    const isCurrent = hit === current
    parts.push(
      <mark key={start} className={isCurrent ? 'outline-2 outline-accent' : ''}>
        {text.slice(start, end)}
      </mark>,
    )
    at = end
  })
  parts.push(text.slice(at))
  return parts
}
