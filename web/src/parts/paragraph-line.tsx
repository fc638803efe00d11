/** A paragraph with the time at which it begins. It is drawn again only when something in it changes. */
import { memo, type ReactNode } from 'react'
import { clock } from '../format.ts'
import type { Found } from '../matches.ts'

type Props = {
  startMs: number
  text: string
  matches: Found[]
  /** Index of the current match; -1 for none. */
  current: number
  /** Begin of the words being said; -1 where they are elsewhere. */
  saidFrom: number
  saidTo: number
  /** Begin of the place that the address marks; -1 where it is elsewhere. */
  placeFrom: number
  placeTo: number
  /** The paragraph's own address, which the time leads to. */
  address: string
}

export const ParagraphLine = memo(function ParagraphLine(props: Props) {
  const { startMs, address } = props
  return (
    <div className="grid gap-x-5 sm:grid-cols-[3.5rem_minmax(0,1fr)]">
      <a
        href={address}
        data-time
        aria-label={`Quote or link at ${clock(startMs)}`}
        title="Quote or link"
        className="numbers justify-self-start font-sans text-[0.8125rem] leading-[2.0rem] text-muted no-underline select-none hover:text-accent hover:underline sm:justify-self-end sm:text-right"
      >
        {clock(startMs)}
      </a>
      <p dir="auto" className="wrap-anywhere">
        {marked(props)}
      </p>
    </div>
  )
})

/** Returns the text in pieces: matches and the address's place are marks, what is being said has a background. */
function marked(props: Props): ReactNode {
  const { text, matches, current, saidFrom, saidTo, placeFrom, placeTo } = props
  if (matches.length === 0 && saidFrom < 0 && placeFrom < 0) return text
  const cuts = new Set([0, text.length, ...matches.flat()])
  for (const cut of [saidFrom, saidTo, placeFrom, placeTo])
    if (cut >= 0) cuts.add(Math.min(cut, text.length))
  const places = [...cuts].sort((a, b) => a - b)
  let at = 0
  return places.slice(0, -1).map((from, index) => {
    while (at < matches.length && (matches[at]?.[1] ?? 0) <= from) at += 1
    const isMatch = (matches[at]?.[0] ?? Infinity) <= from
    const isPlace = from >= placeFrom && from < placeTo
    const isSaid = from >= saidFrom && from < saidTo
    const piece = text.slice(from, places[index + 1])
    if (isMatch || isPlace)
      return (
        <mark
          key={from}
          data-current={(isMatch && at === current) || undefined}
          data-place={isPlace || undefined}
          className={`${isMatch && at === current ? 'outline-2 outline-accent' : ''} ${isMatch ? '' : 'bg-accent-soft'} ${isPlace ? PLACE_LOOK : ''}`}
        >
          {piece}
        </mark>
      )
    return isSaid ? (
      <span key={from} data-said className="rounded-sm bg-accent-soft">
        {piece}
      </span>
    ) : (
      piece
    )
  })
}

const PLACE_LOOK = 'rounded-none px-0 underline decoration-accent decoration-2 underline-offset-4'
