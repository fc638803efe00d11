/** Masks in `$fields`: `a,b.c`, `a/b` and `a(b,c)`, as the platform's API front end reads them. */
import type { JsonObject } from './call.ts'

type Mask = Map<string, Mask>

/** Returns only what the mask names; arrays are masked item by item. */
export function masked(value: JsonObject, fields: string): JsonObject {
  const mask: Mask = new Map()
  read(fields, 0, [mask])
  return kept(value, mask) as JsonObject
}

/** Reads one comma-separated list into every mask of `into`; returns where it stopped. */
function read(text: string, from: number, into: readonly Mask[]): number {
  let at = from
  let current = into
  let word = ''
  const descend = (): void => {
    if (word === '') return
    current = current.map((mask) => childOf(mask, word))
    word = ''
  }
  for (; at < text.length; at++) {
    const char = text[at]
    if (char === ')') break
    if (char === '(') {
      descend()
      at = read(text, at + 1, current)
    } else if (char === ',') {
      descend()
      current = into
    } else if (char === '.' || char === '/') descend()
    else word += char
  }
  descend()
  return at
}

function childOf(mask: Mask, key: string): Mask {
  const found = mask.get(key) ?? new Map()
  mask.set(key, found)
  return found
}

function kept(value: unknown, mask: Mask): unknown {
  if (mask.size === 0 || value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => kept(item, mask))
  const result: JsonObject = {}
  for (const [key, below] of mask) {
    const found = (value as JsonObject)[key]
    if (found !== undefined) result[key] = kept(found, below)
  }
  return result
}
