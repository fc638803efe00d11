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
  type RefObject,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react'
import type { JobVideo } from '../api/client.ts'
import type { Found } from '../matches.ts'
import { placeAddress } from '../place-links.ts'
import { type TextPart, partIn, type Reading, type TextRange } from '../reading.ts'
import { placeOfWord, unsureIn, type WordTimes } from '../word-times.ts'
import { bring } from './bring.ts'
import { clickedPlace, clickedTime } from './clicked-place.ts'
import { type Marks, ParagraphLine } from './paragraph-line.tsx'
import { QuoteBar } from './quote-bar.tsx'
import { LINE_PX, rowHeight, usePlaceOf, usePrinting } from './text-layout.ts'
import { isBesideText, useChosenText } from './use-chosen-text.ts'
import type { Beside } from './use-beside.ts'

/** Most paragraphs that are all in the page, where the browser's own search finds everything. */
const ALL_MAX = 150
const OVERSCAN = 6

/** What can be shown, and where in the window. */
const BLOCKS = {
  'a[data-time]': 'start',
  'mark[data-current]': 'center',
  'mark[data-place]': 'center',
  '[data-said]': 'center',
  '[data-chosen]': 'nearest',
} as const

export type TextHandle = {
  /**
   * Brings a paragraph to the middle of the window, or a part of it: the current match, a place, or what is said; the
   * word that keys chose only into the window.
   */
  show: (paragraph: number, meant?: keyof typeof BLOCKS) => void
  /** Returns the index of the paragraph at the top of the window. */
  first: () => number
}

type Props = {
  handle: RefObject<TextHandle | null>
  reading: Reading
  video: JobVideo
  /** Matches of the search, by paragraph. */
  matches: Found[][]
  /** The current match, which is one of them. */
  current: Found | null
  /** The words being said. */
  said: TextPart | null
  /** The place that the address marks. */
  place: TextRange | null
  /** The text beside this one, in the same paragraphs; null where none is. */
  beside: Beside | null
  /** Called when a word of either was clicked, with its place in the paragraph; null where nothing plays. */
  onWord: ((paragraph: number, offset: number, isBeside: boolean) => void) | null
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
  const { handle, reading, video, beside, onWord, onKey, onLeave } = props
  const { paragraphs } = reading
  const list = useRef<HTMLDivElement>(null)
  const { chosen, choose, close } = useChosenText(list)
  const { top, width } = usePlaceOf(list)
  const isPrinting = usePrinting()
  const virtual = useWindowVirtualizer<HTMLDivElement>({
    count: paragraphs.length,
    estimateSize: (index) => rowHeight(index, { reading, beside, width }),
    overscan: paragraphs.length <= ALL_MAX ? paragraphs.length : OVERSCAN,
    scrollMargin: top,
    useFlushSync: false,
  })
  useTextHandle(handle, list, virtual)
  useHeightsAnew(virtual, handle, beside)
  const items = isPrinting
    ? paragraphs.map((_, index) => ({ index, start: top }))
    : virtual.getVirtualItems()
  const onClick = (event: MouseEvent) => {
    const time = clickedTime(event)
    const place = onWord === null ? null : (time ?? clickedPlace(event))
    if (time !== null) {
      event.preventDefault()
      choose(time.paragraph, isBesideText(event.target))
    }
    if (place !== null) onWord?.(place.paragraph, place.offset, isBesideText(event.target))
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
            className={`relative pb-6 ${beside === null ? '' : 'gap-x-10 lg:grid lg:grid-cols-2'} ${chosen?.row === index ? 'z-20' : ''}`}
          >
            <ParagraphLine {...lineOf(props, index)} marks={marksOf(props, index)} />
            {beside !== null && (
              <ParagraphLine
                {...lineOf(beside, index)}
                marks={UNMARKED}
                besideIn={beside.video.languageCode ?? ''}
              />
            )}
            {chosen?.row === index && (
              <QuoteBar
                {...(chosen.isBeside && beside !== null ? beside : { reading, video })}
                chosen={chosen}
                onClose={close}
              />
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
        block: BLOCKS[meant],
      })
    },
    first: () => virtual.getVirtualItemForOffset(window.scrollY + LINE_PX * 3)?.index ?? 0,
  }))
}

/** What is measured is measured anew once another text stands beside, and the paragraph at the top stays there. */
function useHeightsAnew(virtual: Virtual, handle: Props['handle'], beside: Beside | null): void {
  const isBeside = beside !== null
  const before = useRef(isBeside)
  useLayoutEffect(() => {
    if (before.current === isBeside) return
    before.current = isBeside
    const first = handle.current?.first() ?? 0
    virtual.measure()
    if (first > 0) handle.current?.show(first, 'a[data-time]')
  }, [virtual, handle, isBeside])
}

/** Nothing is marked in what stands beside. */
const UNMARKED: Marks = {}

function lineOf({ reading, video: { jobId, index } }: Beside, paragraph: number) {
  const { startMs = 0, text = '' } = reading.paragraphs[paragraph] ?? {}
  return { startMs, text, address: placeAddress({ jobId, index, startMs, endMs: null }) }
}

function marksOf({ place, said, words, ...props }: Props, paragraph: number): Marks {
  const match = props.matches[paragraph] ?? []
  const { text = '' } = props.reading.paragraphs[paragraph] ?? {}
  const marked = place && partIn(place, paragraph, text.length)
  const partOf = (part: TextPart | null): Found[] =>
    part?.paragraph === paragraph ? [[part.from, part.to]] : []
  const wordOf = (word: number | null) =>
    partOf(words && word !== null ? placeOfWord(words, word) : null)
  return {
    match,
    current: match.filter((one) => one === props.current),
    place: marked === null ? [] : [marked],
    said: partOf(said),
    spoken: wordOf(props.spoken),
    keyed: wordOf(props.keyed),
    unsure: words !== null && props.isUnsureShown ? unsureIn(words, paragraph) : [],
  }
}
