/** A paragraph with the time at which it begins. It is drawn again only when something in it changes. */
import { memo, type ReactNode } from 'react'
import { clock } from '../format.ts'

type Props = {
  startMs: number
  text: string
  /** Begin and end of each match of the searched word. */
  matches: [number, number][]
  /** Index of the current match; -1 for none. */
  current: number
  /** Begin of the words being said; -1 where they are elsewhere. */
  saidFrom: number
  saidTo: number
  url: string | null
}

export const ParagraphLine = memo(function ParagraphLine(props: Props) {
  return (
    <div className="grid gap-x-5 sm:grid-cols-[3.5rem_minmax(0,1fr)]">
      <Time startMs={props.startMs} url={props.url} />
      <p dir="auto" className="wrap-anywhere">
        {marked(props)}
      </p>
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
      className={`${look} justify-self-start no-underline hover:text-accent hover:underline sm:justify-self-end`}
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

/** Returns the text in pieces: a match is a mark, and the words being said have a background of their own. */
function marked({ text, matches, current, saidFrom, saidTo }: Props): ReactNode {
  if (matches.length === 0 && saidFrom < 0) return text
  const cuts = new Set([0, text.length, ...matches.flat()])
  if (saidFrom >= 0) for (const cut of [saidFrom, saidTo]) cuts.add(Math.min(cut, text.length))
  const places = [...cuts].sort((a, b) => a - b)
  let at = 0
  return places.slice(0, -1).map((from, index) => {
    const piece = text.slice(from, places[index + 1])
    const isSaid = from >= saidFrom && from < saidTo
    while (at < matches.length && (matches[at]?.[1] ?? 0) <= from) at += 1
    const isMatch = (matches[at]?.[0] ?? Infinity) <= from
    const said = isSaid ? 'bg-accent-soft' : ''
    if (!isMatch)
      return isSaid ? (
        <span key={from} data-said className={`rounded-sm ${said}`}>
          {piece}
        </span>
      ) : (
        piece
      )
    return (
      <mark
        key={from}
        data-current={at === current || undefined}
        className={at === current ? 'outline-2 outline-accent' : ''}
      >
        {piece}
      </mark>
    )
  })
}
