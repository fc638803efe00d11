/** Where a transcript's paragraphs stand: their heights before they are laid out, and that paper gets all of them. */
import { useEffect, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Reading } from '../reading.ts'
import type { Beside } from './use-beside.ts'

export const LINE_PX = 32
const GAP_PX = 24
const CHARACTER_PX = 8.6
/** Width of the time beside the text, where there is room. */
const TIME_PX = 76
/** Width from which a text beside has a column of its own, as on the screens of `lg`, and the gap between them. */
const TWO_COLUMNS_PX = 976
const COLUMN_GAP_PX = 40

type Laid = { reading: Reading; beside: Beside | null; width: number }

export function rowHeight(index: number, { reading, beside, width }: Laid): number {
  const texts = [reading, beside?.reading].flatMap((one) => one?.paragraphs[index]?.text ?? [])
  const isWide = texts.length > 1 && width >= TWO_COLUMNS_PX
  const each = isWide ? (width - COLUMN_GAP_PX) / 2 : width
  const heights = texts.map(({ length }) => heightOf(length, each))
  return GAP_PX + (isWide ? Math.max(...heights) : heights.reduce((sum, one) => sum + one, 0))
}

function heightOf(characters: number, width: number): number {
  const beside = width > 500 ? TIME_PX : 0
  const perLine = Math.max(20, (width - beside) / CHARACTER_PX)
  return (Math.max(1, Math.ceil(characters / perLine)) + (beside === 0 ? 1 : 0)) * LINE_PX
}

/** Returns where the list begins in the page, and its width. The content above it may grow. */
export function usePlaceOf(list: { current: HTMLElement | null }): { top: number; width: number } {
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
export function usePrinting(): boolean {
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
