/** The words that a reader chose: by selecting them, or a whole paragraph by its time. */
import { type RefObject, useCallback, useEffect, useState } from 'react'
import { hasVisible } from '../../../src/kit/text/invisible.ts'
import type { TextRange } from '../reading.ts'

/** A selection is taken once it rests: handles on a touch screen move it without any other event. */
const REST_MS = 150

/** A rectangle of the window. */
type Box = Pick<DOMRect, 'top' | 'bottom' | 'left' | 'right'>

/**
 * `isBeside` where it is in the text beside; `row` is the paragraph at which it ends; `first` and `last` are its first
 * and last line in the window.
 */
export type ChosenText = {
  range: TextRange
  isBeside: boolean
  row: number
  first: Box
  last: Box
  isSelected: boolean
}

export function useChosenText(list: RefObject<HTMLElement | null>) {
  const [chosen, setChosen] = useState<ChosenText | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isPressed = false
    const take = () => {
      if (isPressed || list.current === null || isInBar(document.activeElement)) return
      const selected = selectedIn(list.current)
      setChosen((before) => selected ?? (before?.isSelected === true ? null : before))
    }
    const soon = () => {
      clearTimeout(timer)
      timer = setTimeout(take, REST_MS)
    }
    const press = ({ target, pointerType }: PointerEvent) => {
      if (isInBar(target)) return
      isPressed = pointerType === 'mouse'
      setChosen(null)
    }
    const release = () => {
      isPressed = false
      soon()
    }
    const heard = new AbortController()
    document.addEventListener('selectionchange', soon, heard)
    document.addEventListener('pointerdown', press, heard)
    document.addEventListener('pointerup', release, heard)
    return () => {
      clearTimeout(timer)
      heard.abort()
    }
  }, [list])

  const choose = (paragraph: number, isBeside: boolean) => {
    const line = list.current?.querySelector(
      `[data-index="${paragraph}"] > ${isBeside ? BESIDE : READ}`,
    )
    const time = line?.querySelector('a[data-time]')?.getBoundingClientRect()
    const text = line?.querySelector('p')?.textContent ?? ''
    if (time === undefined) return
    const range = { from: { paragraph, offset: 0 }, to: { paragraph, offset: text.length } }
    setChosen({ range, isBeside, row: paragraph, first: time, last: time, isSelected: false })
  }
  return { chosen, choose, close: useCallback(() => setChosen(null), []) }
}

const BESIDE = '[data-beside]'
const READ = ':not([data-beside])'

/** Returns whether something is in the text that stands beside the one that is read. */
export function isBesideText(node: EventTarget | null): boolean {
  const element = node instanceof Element ? node : node instanceof Node ? node.parentElement : null
  return element?.closest(BESIDE) != null
}

/** What is pressed in the bar of the chosen words chooses no others. */
function isInBar(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-quote]') !== null
}

/** Returns the selected words; null where none are selected, or the selection begins outside of the text. */
function selectedIn(list: HTMLElement): ChosenText | null {
  const selection = getSelection()
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null
  const range = selection.getRangeAt(0)
  if (!list.contains(range.startContainer)) return null
  const isBeside = isBesideText(range.startContainer)
  const own = list.querySelectorAll(`${isBeside ? BESIDE : READ} > p`)
  const texts = [...own].filter((text) => range.intersectsNode(text))
  const [first, last] = [texts[0], texts.at(-1)]
  if (first === undefined || last === undefined) return null
  const { startContainer, startOffset, endContainer, endOffset } = range
  const from = { paragraph: paragraphOf(first), offset: 0 }
  const to = { paragraph: paragraphOf(last), offset: last.textContent.length }
  if (first.contains(startContainer)) from.offset = offsetIn(first, startContainer, startOffset)
  if (last.contains(endContainer)) to.offset = offsetIn(last, endContainer, endOffset)
  const seen = last.contains(endContainer) ? range : rangeOf(last)
  const lines = seen.getClientRects()
  const [top, bottom] = [range.getClientRects()[0], lines[lines.length - 1]]
  if (top === undefined || bottom === undefined || !hasVisible(selection.toString())) return null
  const lastLine = { row: to.paragraph, last: bottom }
  return { range: { from, to }, isBeside, first: top, ...lastLine, isSelected: true }
}

function paragraphOf(text: Element): number {
  return Number(text.closest<HTMLElement>('[data-index]')?.dataset['index'] ?? 0)
}

function rangeOf(element: Element): Range {
  const range = document.createRange()
  range.selectNodeContents(element)
  return range
}

/** Returns the number of characters of a text that stand before a point in it. */
export function offsetIn(text: Element, node: Node, offset: number): number {
  const range = rangeOf(text)
  range.setEnd(node, offset)
  return range.toString().length
}
