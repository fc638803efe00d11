/** Where a click in a transcript meant to go: a paragraph by its time, or a word. */
import type { MouseEvent } from 'react'
import { offsetIn } from './use-chosen-text.ts'

type ClickedPlace = { paragraph: number; offset: number }

/** Returns the start of the paragraph whose time was clicked, unless its address is to be opened elsewhere. */
export function clickedTime(event: MouseEvent): ClickedPlace | null {
  const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
  const target = event.target instanceof Element ? event.target.closest('a[data-time]') : null
  const line = target?.closest<HTMLElement>('[data-index]') ?? null
  return line === null || isElsewhere
    ? null
    : { paragraph: Number(line.dataset['index']), offset: 0 }
}

/** Returns the place of the clicked word; null where text was selected. */
export function clickedPlace(event: MouseEvent): ClickedPlace | null {
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
