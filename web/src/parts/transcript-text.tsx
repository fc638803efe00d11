/**
 * The paragraphs of a transcript: in a long one, only those near the window are in the page. Matches of the search and
 * the words being said are marked. Printing takes all of it.
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
import type { Paragraph } from '../../../src/model/transcripts/readable-text.ts'
import { ParagraphLine } from './paragraph-line.tsx'

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
  /** Brings a paragraph to the middle of the window, or a part of it: the current match, or the words being said. */
  show: (paragraph: number, meant?: 'mark[data-current]' | '[data-said]') => void
  /** Returns the index of the paragraph at the top of the window. */
  first: () => number
}

type Props = {
  handle: Ref<TextHandle>
  paragraphs: Paragraph[]
  /** Start and end of each match of the searched word, by paragraph. */
  matches: [number, number][][]
  /** Index of the current match among all. */
  current: number
  said: Said | null
  url: string | null
  language: string | null
  /** Called when a word was clicked, with its position in the paragraph in characters. Null where nothing plays. */
  onWord: ((paragraph: number, offset: number) => void) | null
}

export function TranscriptText(props: Props) {
  const { handle, paragraphs, language, onWord } = props
  const list = useRef<HTMLDivElement>(null)
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
    const place = onWord === null ? null : clickedPlace(event)
    if (place === null) return
    event.preventDefault()
    onWord?.(place.paragraph, place.offset)
  }
  return (
    <div
      ref={list}
      lang={language ?? undefined}
      onClick={onClick}
      className={`font-serif text-[1.1875rem] leading-[1.7] [overflow-anchor:none] ${onWord === null ? '' : 'cursor-pointer'}`}
      style={isPrinting ? undefined : { height: virtual.getTotalSize() }}
    >
      <div style={{ transform: `translateY(${(items[0]?.start ?? top) - top}px)` }}>
        {items.map(({ index }) => (
          <div key={index} ref={virtual.measureElement} data-index={index} className="pb-6">
            <ParagraphLine
              startMs={paragraphs[index]?.startMs ?? 0}
              text={paragraphs[index]?.text ?? ''}
              matches={props.matches[index] ?? NONE}
              current={currentIn(props, index, before[index] ?? 0)}
              saidFrom={props.said?.paragraph === index ? props.said.from : -1}
              saidTo={props.said?.paragraph === index ? props.said.to : -1}
              url={props.url}
            />
          </div>
        ))}
      </div>
    </div>
  )
}

const NONE: [number, number][] = []

function matchesBefore(matches: [number, number][][]): number[] {
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

/**
 * Returns the place of the clicked word, or the start of the paragraph whose time was clicked; null where text was
 * selected.
 */
function clickedPlace(event: MouseEvent): { paragraph: number; offset: number } | null {
  const target = event.target instanceof Element ? event.target : null
  const line = target?.closest<HTMLElement>('[data-index]')
  const text = target?.closest('p')
  if (line != null && target?.closest('a') != null)
    return { paragraph: Number(line.dataset['index']), offset: 0 }
  if (line == null || text == null || getSelection()?.isCollapsed === false) return null
  const caret = document.caretPositionFromPoint(event.clientX, event.clientY)
  if (caret === null || !text.contains(caret.offsetNode)) return null
  const range = document.createRange()
  range.setStart(text, 0)
  range.setEnd(caret.offsetNode, caret.offset)
  return { paragraph: Number(line.dataset['index']), offset: range.toString().length }
}
