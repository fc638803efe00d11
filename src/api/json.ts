/** Joins pieces that are already JSON into a page. */
import type { Item } from '../features/transcripts/splice.ts'

/** Returns `head` as an object with one more field `name`, an array of the ready-made `items`. */
export function jsonWithArray(head: object, name: string, items: readonly Item[]): Item[] {
  const open = Buffer.from(`${JSON.stringify(head).slice(0, -1)},${JSON.stringify(name)}:[`)
  const parted = items.map((item, index): Item => (index === 0 ? item : [COMMA, ...item]))
  return [[open], ...parted, [CLOSE]]
}

const COMMA = Buffer.from(',')
const CLOSE = Buffer.from(']}')
