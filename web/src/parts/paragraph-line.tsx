/** A paragraph with the time at which it begins. It is drawn again only when something in it changes. */
import { memo, type ReactNode } from 'react'
import { clock } from '../../../src/kit/text/clock.ts'
import type { Found } from '../matches.ts'
import type { UnsureWord } from '../word-times.ts'

type Props = {
  startMs: number
  text: string
  matches: Found[]
  /** Index of the current match; -1 for none. */
  current: number
  /** Begin of the words being said; -1 where they are elsewhere. */
  saidFrom: number
  saidTo: number
  /** Begin of the word being said, and of the one that keys chose; -1 likewise. */
  spokenFrom: number
  spokenTo: number
  keyedFrom: number
  keyedTo: number
  unsure: UnsureWord[]
  /** Begin of the place that the address marks; -1 where it is elsewhere. */
  placeFrom: number
  placeTo: number
  /** The paragraph's own address, which the time leads to. */
  address: string
  /** Language of a paragraph that stands beside the one that is read, '' for an unknown one; undefined for that one. */
  besideIn?: string | undefined
}

export const ParagraphLine = memo(function ParagraphLine(props: Props) {
  const { startMs, address, besideIn } = props
  const isBeside = besideIn !== undefined
  return (
    <div
      data-beside={isBeside || undefined}
      lang={besideIn}
      className={`grid content-start gap-x-5 sm:grid-cols-[3.5rem_minmax(0,1fr)] ${isBeside ? BESIDE_LOOK : ''}`}
    >
      <a
        href={address}
        data-time
        aria-label={`Quote or link at ${clock(startMs)}`}
        title="Quote or link"
        className="numbers justify-self-start font-sans text-[0.8125rem] leading-[2.0rem] text-muted no-underline select-none hover:text-accent hover:underline sm:justify-self-end sm:text-right max-lg:in-data-beside:invisible max-sm:in-data-beside:hidden"
      >
        {clock(startMs)}
      </a>
      <p dir="auto" className="wrap-anywhere">
        {marked(props)}
      </p>
    </div>
  )
})

/**
 * Returns the text in pieces: matches and the address's place are marks, what is being said has a background, its word
 * a strong one, the word that keys chose a ring, and unsure words a line below them.
 */
function marked(props: Props): ReactNode {
  const { text, matches, current, unsure } = props
  const places = cutsOf(props)
  if (places === null) return text
  let [match, word] = [0, 0]
  return places.slice(0, -1).map((from, index) => {
    while (match < matches.length && (matches[match]?.[1] ?? 0) <= from) match += 1
    while (word < unsure.length && (unsure[word]?.[1] ?? 0) <= from) word += 1
    const isMatch = (matches[match]?.[0] ?? Infinity) <= from
    const [unsureFrom = Infinity, , percent] = unsure[word] ?? []
    const piece = text.slice(from, places[index + 1])
    const said =
      unsureFrom > from ? (
        piece
      ) : (
        <u key={from} title={`Unsure: ${percent} %`} className={UNSURE_LOOK}>
          {piece}
        </u>
      )
    return pieceOf(props, { from, isMatch, isCurrent: isMatch && match === current, said })
  })
}

type Piece = { from: number; isMatch: boolean; isCurrent: boolean; said: ReactNode }

function pieceOf(props: Props, { from, isMatch, isCurrent, said }: Piece): ReactNode {
  const isIn = (start: number, end: number) => from >= start && from < end
  const isPlace = isIn(props.placeFrom, props.placeTo)
  const isSaid = isIn(props.saidFrom, props.saidTo)
  const isSpoken = isIn(props.spokenFrom, props.spokenTo)
  const isKeyed = isIn(props.keyedFrom, props.keyedTo)
  const words = { 'data-spoken': isSpoken || undefined, 'data-chosen': isKeyed || undefined }
  const look = `${isSpoken ? SPOKEN_LOOK : ''} ${isKeyed ? KEYED_LOOK : ''}`
  if (isMatch || isPlace)
    return (
      <mark
        key={from}
        data-current={isCurrent || undefined}
        data-place={isPlace || undefined}
        {...words}
        className={`${isCurrent ? 'outline-2 outline-accent' : ''} ${isMatch || isSpoken ? '' : 'bg-accent-soft'} ${isPlace ? PLACE_LOOK : ''} ${look}`}
      >
        {said}
      </mark>
    )
  if (!isSaid && !isSpoken && !isKeyed) return said
  const isQuiet = isSaid && !isSpoken
  return (
    <span
      key={from}
      data-said={isSaid || undefined}
      {...words}
      className={`${isQuiet ? 'rounded-sm bg-accent-soft' : ''} ${look}`}
    >
      {said}
    </span>
  )
}

/** Returns where pieces begin and end; null where all of the text looks the same. */
function cutsOf(props: Props): number[] | null {
  const { text, matches, unsure } = props
  const { saidFrom, saidTo, spokenFrom, spokenTo, keyedFrom, keyedTo, placeFrom, placeTo } = props
  const ends = [saidFrom, saidTo, spokenFrom, spokenTo, keyedFrom, keyedTo, placeFrom, placeTo]
  const cuts = [
    ...matches.flat(),
    ...unsure.flatMap(([from, to]) => [from, to]),
    ...ends.filter((cut) => cut >= 0),
  ]
  if (cuts.length === 0) return null
  const places = new Set([0, text.length, ...cuts.map((cut) => Math.min(cut, text.length))])
  return [...places].sort((a, b) => a - b)
}

/** Below the paragraph on a narrow screen, where it is quieter. */
const BESIDE_LOOK = 'max-lg:mt-2 max-lg:text-base max-lg:text-muted'
const PLACE_LOOK = 'rounded-none px-0 underline decoration-accent decoration-2 underline-offset-4'
const SPOKEN_LOOK = 'rounded-sm bg-accent text-on-accent'
const KEYED_LOOK = 'scroll-my-24 rounded-sm outline-2 outline-offset-1 outline-ink'
const UNSURE_LOOK = 'underline decoration-dotted decoration-2 underline-offset-4'
