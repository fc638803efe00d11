/**
 * The search within a text, from the reader's place: typing goes to the first match from what is in sight on, the keys
 * to the next ones. A query that led here marks each of its words until something else is typed.
 */
import { type RefObject, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { hasVisible, visibleLine } from '../../../src/kit/text/invisible.ts'
import { soughtIn } from '../../../src/model/search/search-query.ts'
import { type Found, matchesOf, placesOf } from '../matches.ts'
import type { Reading } from '../reading.ts'
import type { TextHandle } from './transcript-text.tsx'

/** `query` is that of the search that led here; '' where none did. */
export function useSearchWithin(
  reading: Reading,
  query: string,
  text: RefObject<TextHandle | null>,
) {
  const [typed, setTyped] = useState(query)
  const [current, setCurrent] = useState(0)
  const word = useDeferredValue(visibleLine(typed))
  const sought = useMemo(() => soughtIn(word === visibleLine(query) ? word : ''), [word, query])
  const matches = useMemo(
    () =>
      reading.paragraphs.map((paragraph) =>
        sought.terms.length > 0
          ? placesOf(paragraph.text, sought)
          : matchesOf(paragraph.text, word),
      ),
    [reading, sought, word],
  )
  const all = useMemo(() => matches.flat(), [matches])
  const total = all.length
  /** Paragraph in sight when the typing began. */
  const begunAt = useRef(0)
  const shown = useRef(visibleLine(query))

  const go = (to: number) => {
    const next = total === 0 ? 0 : (to + total) % total
    setCurrent(next)
    text.current?.show(paragraphOf(matches, next))
  }
  const type = (next: string) => {
    if (!hasVisible(typed)) begunAt.current = text.current?.first() ?? 0
    setTyped(next)
  }
  useEffect(() => {
    if (word === shown.current) return
    shown.current = word
    const next = firstFrom(matches, begunAt.current)
    setCurrent(next)
    if (total > 0) text.current?.show(paragraphOf(matches, next))
  }, [word, matches, total, text])
  return { typed, type, matches, match: all[current] ?? null, total, current, setCurrent, go }
}

/** Returns the paragraph of a match among all. */
export function paragraphOf(matches: Found[][], match: number): number {
  let before = 0
  return matches.findIndex((found) => (before += found.length) > match)
}

/** Returns the first match that ends behind a place, among all; the first of all where none does. */
export function firstFrom(matches: Found[][], paragraph: number, offset = 0): number {
  const passed = matches.slice(0, paragraph).flat().length
  const here = (matches[paragraph] ?? []).filter(([, end]) => end <= offset).length
  return passed + here < matches.flat().length ? passed + here : 0
}
