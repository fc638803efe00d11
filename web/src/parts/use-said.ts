/** What is being said while the video plays. The text follows until the reader scrolls away from it. */
import { type RefObject, useEffect, useMemo, useRef } from 'react'
import { type TextPart, placeAt, type Reading } from '../reading.ts'
import type { TextHandle } from './transcript-text.tsx'

/** Returns null where nothing plays. */
export function useSaid(
  reading: Reading,
  saidMs: number | null,
  text: RefObject<TextHandle | null>,
): TextPart | null {
  const said = useMemo(() => (saidMs === null ? null : placeAt(reading, saidMs)), [reading, saidMs])
  const before = useRef<{ said: TextPart | null; isSeen: boolean }>({ said: null, isSeen: true })
  useEffect(() => {
    const { said: last, isSeen } = before.current
    const isNew = last?.paragraph !== said?.paragraph || last?.from !== said?.from
    if (said !== null && isNew && isSeen && !isInSight('[data-said]'))
      text.current?.show(said.paragraph, '[data-said]')
    // Until the next words are said, each update notes whether these are still in sight.
    before.current = { said, isSeen: isNew ? isSeen : isInSight('[data-said]') }
  }, [said, text])
  return said
}

/** Returns whether what is marked so is in the window. */
export function isInSight(selector: string): boolean {
  const box = document.querySelector(selector)?.getBoundingClientRect()
  return box !== undefined && box.bottom > 0 && box.top < innerHeight
}
