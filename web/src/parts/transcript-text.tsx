/**
 * The paragraphs of a transcript: in a long one, only those near the window are in the page. Matches of the search, the
 * words being said, unsure ones and the address's place are marked; what is selected can be quoted. Printing takes all
 * of it.
 */
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import type { JobVideo } from '../api/client.ts'
import type { Found } from '../matches.ts'
import { placeAddress } from '../place-links.ts'
import { partIn, type Reading, type TextRange } from '../reading.ts'
import { placeOfWord, unsureIn, type UnsureWord, type WordTimes } from '../word-times.ts'
import { clickedPlace, clickedTime } from './clicked-place.ts'
import { ParagraphLine } from './paragraph-line.tsx'
import { QuoteBar } from './quote-bar.tsx'
import { useChosenText } from './use-chosen-text.ts'

/** Most paragraphs that are all in the page, where the browser's own search finds everything. */
const ALL_MAX = 150
const OVERSCAN = 6
const LINE_PX = 32
const GAP_PX = 24
const CHARACTER_PX = 8.6
/** Width of the time beside the text, where there is room. */
const TIME_PX = 76
const SETTLE_FRAMES = 40
const STILL_FRAMES = 4

/** The paragraph, start and end of the words being said. */
export type Said = { paragraph: number; from: number; to: number }

type Meant = 'mark[data-current]' | 'mark[data-place]' | '[data-said]' | '[data-chosen]'

export type TextHandle = {
  /**
   * Brings a paragraph to the middle of the window, or a part of it: the current match, a place, or what is said; the
   * word that keys chose only into the window.
   */
  show: (paragraph: number, meant?: Meant) => void
  /** Returns the index of the paragraph at the top of the window. */
  first: () => number
}

type Props = {
  handle: Ref<TextHandle>
  reading: Reading
  video: JobVideo
  /** Matches of the search, by paragraph. */
  matches: Found[][]
  /** Index of the current match among all. */
  current: number
  said: Said | null
  /** The place that the address marks. */
  place: TextRange | null
  /** Called when a word was clicked, with its position in the paragraph in characters. Null where nothing plays. */
  onWord: ((paragraph: number, offset: number) => void) | null
  /** The times of its words; null where they are not known or not wanted. */
  words: WordTimes | null
  /** The word that is being said, and the one that keys chose. */
  spoken: number | null
  keyed: number | null
  isUnsureShown: boolean
  /** Makes one stop of the text for the keyboard; null where keys do nothing. */
  onKey: ((event: KeyboardEvent<HTMLElement>) => void) | null
  onLeave: () => void
}

/** What the text is called where keys choose its words. */
const KEYS_LABEL = 'Transcript. Left and right arrows choose a word, Enter plays from it.'

export function TranscriptText(props: Props) {
  const { handle, reading, video, onWord, onKey, onLeave } = props
  const { paragraphs } = reading
  const list = useRef<HTMLDivElement>(null)
  const { chosen, choose, close } = useChosenText(list)
  const { top, width } = usePlaceOf(list)
  const isPrinting = usePrinting()
  const virtual = useWindowVirtualizer<HTMLDivElement>({
    count: paragraphs.length,
    estimateSize: (index) => heightOf(paragraphs[index]?.text.length ?? 0, width),
    overscan: paragraphs.length <= ALL_MAX ? paragraphs.length : OVERSCAN,
    scrollMargin: top,
    useFlushSync: false,
  })
  useTextHandle(handle, list, virtual)
  const before = useMemo(() => matchesBefore(props.matches), [props.matches])
  const items = isPrinting
    ? paragraphs.map((_, index) => ({ index, start: top }))
    : virtual.getVirtualItems()
  const onClick = (event: MouseEvent) => {
    const time = clickedTime(event)
    const place = onWord === null ? null : (time ?? clickedPlace(event))
    if (time !== null) {
      event.preventDefault()
      choose(time.paragraph)
    }
    if (place !== null) onWord?.(place.paragraph, place.offset)
  }
  return (
    <div
      ref={list}
      lang={video.languageCode ?? undefined}
      onClick={onClick}
      {...(onKey !== null && { role: 'group', 'aria-label': KEYS_LABEL, tabIndex: 0 })}
      onKeyDown={onKey ?? undefined}
      onBlur={onLeave}
      className={`font-serif text-[1.1875rem] leading-[1.7] [overflow-anchor:none] ${onWord === null ? '' : 'cursor-pointer'}`}
      style={isPrinting ? undefined : { height: virtual.getTotalSize() }}
    >
      <div style={{ transform: `translateY(${(items[0]?.start ?? top) - top}px)` }}>
        {items.map(({ index }) => (
          <div
            key={index}
            ref={virtual.measureElement}
            data-index={index}
            className={`relative pb-6 ${chosen?.row === index ? 'z-20' : ''}`}
          >
            <ParagraphLine
              {...lineOf(props, index)}
              matches={props.matches[index] ?? NONE}
              unsure={unsureOf(props, index)}
              current={currentIn(props, index, before[index] ?? 0)}
            />
            {chosen?.row === index && (
              <QuoteBar chosen={chosen} reading={reading} video={video} onClose={close} />
            )}
          </div>
        ))}
      </div>
    </div>
  )
}

type Virtual = ReturnType<typeof useWindowVirtualizer<HTMLDivElement>>

function useTextHandle(
  handle: Ref<TextHandle>,
  list: { current: HTMLElement | null },
  virtual: Virtual,
): void {
  useImperativeHandle(handle, () => ({
    show: (index, meant = 'mark[data-current]') => {
      void bring({
        find: () => {
          const line = list.current?.querySelector(`[data-index="${index}"]`) ?? null
          return line?.querySelector(meant) ?? line
        },
        offsetOf: () => virtual.getOffsetForIndex(index, 'center')?.[0] ?? 0,
        block: meant === '[data-chosen]' ? 'nearest' : 'center',
      })
    },
    first: () => virtual.getVirtualItemForOffset(window.scrollY + LINE_PX * 3)?.index ?? 0,
  }))
}

const NONE: Found[] = []
const ALL_SURE: UnsureWord[] = []

/** Returns what is drawn of a paragraph, as plain values, so that a line is drawn anew only where they change. */
function lineOf({ reading, video, said, place, ...props }: Props, paragraph: number) {
  const { startMs = 0, text = '' } = reading.paragraphs[paragraph] ?? {}
  const { jobId, index } = video
  const [placeFrom, placeTo] = (place && partIn(place, paragraph, text.length)) ?? NOWHERE
  const [saidFrom, saidTo] = partOf(said, paragraph)
  const [spokenFrom, spokenTo] = partOf(wordPlace(props.words, props.spoken), paragraph)
  const [keyedFrom, keyedTo] = partOf(wordPlace(props.words, props.keyed), paragraph)
  return {
    startMs,
    text,
    placeFrom,
    placeTo,
    saidFrom,
    saidTo,
    spokenFrom,
    spokenTo,
    keyedFrom,
    keyedTo,
    address: placeAddress({ jobId, index, startMs, endMs: null }),
  }
}

const NOWHERE = [-1, -1] as const

function partOf(said: Said | null, paragraph: number): readonly [number, number] {
  return said?.paragraph === paragraph ? [said.from, said.to] : NOWHERE
}

function wordPlace(words: WordTimes | null, word: number | null): Said | null {
  return words === null || word === null ? null : placeOfWord(words, word)
}

function unsureOf({ words, isUnsureShown }: Props, paragraph: number): UnsureWord[] {
  return words === null || !isUnsureShown ? ALL_SURE : unsureIn(words, paragraph)
}

function matchesBefore(matches: Found[][]): number[] {
  let sum = 0
  return matches.map((found) => {
    const before = sum
    sum += found.length
    return before
  })
}

/** Returns the index of the current match within this paragraph; -1 where it is in another one. */
function currentIn({ matches, current }: Props, index: number, before: number): number {
  const at = current - before
  return at >= 0 && at < (matches[index]?.length ?? 0) ? at : -1
}

function heightOf(characters: number, width: number): number {
  const beside = width > 500 ? TIME_PX : 0
  const perLine = Math.max(20, (width - beside) / CHARACTER_PX)
  const lines = Math.max(1, Math.ceil(characters / perLine)) + (beside === 0 ? 1 : 0)
  return lines * LINE_PX + GAP_PX
}

/** Returns where the list begins in the page, and its width. The content above it may grow. */
function usePlaceOf(list: { current: HTMLElement | null }): { top: number; width: number } {
  const [place, setPlace] = useState({ top: 0, width: 600 })
  useLayoutEffect(() => {
    const look = () => {
      const box = list.current?.getBoundingClientRect()
      if (box === undefined) return
      const next = { top: Math.round(box.top + window.scrollY), width: Math.round(box.width) }
      setPlace((old) => (old.top === next.top && old.width === next.width ? old : next))
    }
    look()
    const observer = new ResizeObserver(look)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list])
  return place
}

/** Returns whether the page is being printed: then all paragraphs are laid out. */
function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    const begin = () => flushSync(() => setPrinting(true))
    const end = () => setPrinting(false)
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  return isPrinting
}

type Brought = { find: () => Element | null; offsetOf: () => number; block: 'center' | 'nearest' }

/** The one that is being brought. A later one ends its way, and so does the reader's own hand. */
let brought: Brought | null = null

/** Acts that move the page by hand. They are heard before a key's own handler, which may begin another way. */
for (const act of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
  window.addEventListener(act, endByHand, { passive: true, capture: true })

const SCROLL_KEY = /^(?:Arrow(?:Up|Down)|Page(?:Up|Down)|Home|End| )$/

function endByHand(event: Event): void {
  if (!(event instanceof KeyboardEvent) || SCROLL_KEY.test(event.key)) brought = null
}

/**
 * Scrolls until the element stays in its place: heights are estimates until a paragraph is laid out. Where the element
 * is not in the page yet, the window goes to its offset first.
 */
async function bring(ask: Brought): Promise<void> {
  const { find, offsetOf, block } = ask
  brought = ask
  let still = 0
  let before = Number.NaN
  for (let frame = 0; frame < SETTLE_FRAMES && still < STILL_FRAMES; frame += 1) {
    const element = find()
    if (element === null) window.scrollTo({ top: offsetOf(), behavior: 'instant' })
    else element.scrollIntoView({ block, behavior: 'instant' })
    await new Promise((resolve) => requestAnimationFrame(resolve))
    if (brought !== ask) return
    const top = element?.isConnected === true ? element.getBoundingClientRect().top : Number.NaN
    still = Math.abs(top - before) < 1 ? still + 1 : 0
    before = top
  }
}
