/**
 * The paragraphs of a transcript: in a long one, only those near the window are in the page. Matches of the search, the
 * words being said and the address's place are marked; what is selected can be quoted. Printing takes all of it.
 */
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  type MouseEvent,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import type { JobVideo } from '../api/client.ts'
import type { Found } from '../matches.ts'
import { placeAddress } from '../place-links.ts'
import { partIn, type Reading, type TextRange } from '../reading.ts'
import { ParagraphLine } from './paragraph-line.tsx'
import { QuoteBar } from './quote-bar.tsx'
import { offsetIn, useChosenText } from './use-chosen-text.ts'

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

export type TextHandle = {
  /** Brings a paragraph to the middle of the window, or a part of it: the current match, a place, or what is said. */
  show: (
    paragraph: number,
    meant?: 'mark[data-current]' | 'mark[data-place]' | '[data-said]',
  ) => void
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
}

export function TranscriptText(props: Props) {
  const { handle, reading, video, onWord } = props
  const { paragraphs } = reading
  const list = useRef<HTMLDivElement>(null)
  const { chosen, choose, close } = useChosenText(list)
  const { top, width } = usePlaceOf(list)
  const isPrinting = usePrinting()
  const virtual = useWindowVirtualizer({
    count: paragraphs.length,
    estimateSize: (index) => heightOf(paragraphs[index]?.text.length ?? 0, width),
    overscan: paragraphs.length <= ALL_MAX ? paragraphs.length : OVERSCAN,
    scrollMargin: top,
    useFlushSync: false,
  })
  useImperativeHandle(handle, () => ({
    show: (index, meant = 'mark[data-current]') => {
      void bring(
        () => {
          const line = list.current?.querySelector(`[data-index="${index}"]`) ?? null
          return line?.querySelector(meant) ?? line
        },
        () => virtual.getOffsetForIndex(index, 'center')?.[0] ?? 0,
      )
    },
    first: () => virtual.getVirtualItemForOffset(window.scrollY + LINE_PX * 3)?.index ?? 0,
  }))
  const items = isPrinting
    ? paragraphs.map((_, index) => ({ index, start: top }))
    : virtual.getVirtualItems()
  const before = matchesBefore(props.matches)
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

const NONE: Found[] = []

/** Returns what is drawn of a paragraph, as plain values, so that a line is drawn anew only where they change. */
function lineOf({ reading, video: { jobId, index }, said, place }: Props, paragraph: number) {
  const { startMs = 0, text = '' } = reading.paragraphs[paragraph] ?? {}
  const [placeFrom, placeTo] = (place && partIn(place, paragraph, text.length)) ?? [-1, -1]
  const isSaid = said?.paragraph === paragraph
  return {
    startMs,
    text,
    placeFrom,
    placeTo,
    saidFrom: isSaid ? said.from : -1,
    saidTo: isSaid ? said.to : -1,
    address: placeAddress({ jobId, index, startMs, endMs: null }),
  }
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

/**
 * Scrolls until the element stays in the middle: heights are estimates until a paragraph is laid out. Where the element
 * is not in the page yet, the window goes to its offset first.
 */
async function bring(find: () => Element | null, offsetOf: () => number): Promise<void> {
  let still = 0
  let before = Number.NaN
  for (let frame = 0; frame < SETTLE_FRAMES && still < STILL_FRAMES; frame += 1) {
    const element = find()
    if (element === null) window.scrollTo({ top: offsetOf(), behavior: 'instant' })
    else element.scrollIntoView({ block: 'center', behavior: 'instant' })
    await new Promise((resolve) => requestAnimationFrame(resolve))
    const top = element?.isConnected === true ? element.getBoundingClientRect().top : Number.NaN
    still = Math.abs(top - before) < 1 ? still + 1 : 0
    before = top
  }
}

type ClickedPlace = { paragraph: number; offset: number }

/** Returns the start of the paragraph whose time was clicked, unless its address is to be opened elsewhere. */
function clickedTime(event: MouseEvent): ClickedPlace | null {
  const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
  const target = event.target instanceof Element ? event.target.closest('a[data-time]') : null
  const line = target?.closest<HTMLElement>('[data-index]') ?? null
  return line === null || isElsewhere
    ? null
    : { paragraph: Number(line.dataset['index']), offset: 0 }
}

/** Returns the place of the clicked word; null where text was selected. */
function clickedPlace(event: MouseEvent): ClickedPlace | null {
  const target = event.target instanceof Element ? event.target : null
  const line = target?.closest<HTMLElement>('[data-index]')
  const text = target?.closest('p')
  if (line == null || text == null || getSelection()?.isCollapsed === false) return null
  const caret = document.caretPositionFromPoint(event.clientX, event.clientY)
  if (caret === null || !text.contains(caret.offsetNode)) return null
  return {
    paragraph: Number(line.dataset['index']),
    offset: offsetIn(text, caret.offsetNode, caret.offset),
  }
}
