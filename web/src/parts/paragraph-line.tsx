/** A paragraph with the time at which it begins. It is drawn again only when something in it changes. */
import { memo, type ReactNode } from 'react'
import { clock } from '../../../src/kit/text/clock.ts'

/** Start and end of what is marked; of an unsure word its confidence in percent, too. */
type Mark = readonly [from: number, to: number, percent?: number]

/**
 * What is marked, each kind in its order: matches, the `current` one, the place of the address, the words being said,
 * the word that is spoken, the one that keys chose, and unsure ones.
 */
export type Marks = {
  [Kind in 'match' | 'current' | 'place' | 'said' | 'spoken' | 'keyed' | 'unsure']?: readonly Mark[]
}

type Props = {
  startMs: number
  text: string
  marks: Marks
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
}, isSame)

/** Marks are made anew with each word that is said, mostly as they were. */
function isSame({ marks, ...line }: Props, { marks: other, ...now }: Props): boolean {
  return (
    (Object.keys(line) as (keyof typeof line)[]).every((name) => line[name] === now[name]) &&
    JSON.stringify(marks) === JSON.stringify(other)
  )
}

/** Returns the text in pieces, each of which looks the same from end to end. */
function marked({ text, marks }: Props): ReactNode {
  const ends = Object.values(marks).flatMap((parts) => parts.flatMap(([from, to]) => [from, to]))
  if (ends.length === 0) return text
  const cuts = new Set([0, text.length, ...ends.map((end) => Math.min(end, text.length))])
  const places = [...cuts].sort((a, b) => a - b)
  const kinds = Object.entries(marks).map(([kind, parts]) => ({ kind, parts, next: 0 }))
  return places.slice(0, -1).map((from, index) => {
    const here: { [Kind in keyof Marks]: Mark } = {}
    for (const one of kinds) {
      while ((one.parts[one.next]?.[1] ?? Infinity) <= from) one.next += 1
      const part = one.parts[one.next]
      if (part !== undefined && part[0] <= from) here[one.kind as keyof Marks] = part
    }
    return <Piece key={from} here={here} text={text.slice(from, places[index + 1])} />
  })
}

/**
 * Matches and the address's place are marks, what is being said has a background, its word a strong one, the word that
 * keys chose a ring, and unsure words a line below them.
 */
function Piece({ text, here }: { text: string; here: { [Kind in keyof Marks]: Mark } }) {
  const { match, current, place, said, spoken, keyed, unsure } = here
  const words = unsure ? (
    <u title={`Unsure: ${unsure[2]} %`} className={UNSURE_LOOK}>
      {text}
    </u>
  ) : (
    text
  )
  const isMark = match !== undefined || place !== undefined
  if (!isMark && !said && !spoken && !keyed) return words
  const Tag = isMark ? 'mark' : 'span'
  const isQuiet = !match && !spoken
  const looks = [
    current && 'outline-2 outline-accent',
    isQuiet && (place ?? said) && 'bg-accent-soft',
    isQuiet && !place && 'rounded-sm',
    place && PLACE_LOOK,
    spoken && SPOKEN_LOOK,
    keyed && KEYED_LOOK,
  ]
  return (
    <Tag
      data-current={current && true}
      data-place={place && true}
      data-said={said && true}
      data-spoken={spoken && true}
      data-chosen={keyed && true}
      className={looks.filter(Boolean).join(' ')}
    >
      {words}
    </Tag>
  )
}

/** Below the paragraph on a narrow screen, where it is quieter. */
const BESIDE_LOOK = 'max-lg:mt-2 max-lg:text-base max-lg:text-muted'
const PLACE_LOOK = 'rounded-none px-0 underline decoration-accent decoration-2 underline-offset-4'
const SPOKEN_LOOK = 'rounded-sm bg-accent text-on-accent'
const KEYED_LOOK = 'scroll-my-24 rounded-sm outline-2 outline-offset-1 outline-ink'
const UNSURE_LOOK = 'underline decoration-dotted decoration-2 underline-offset-4'
