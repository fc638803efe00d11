/** The strings of a JSON text, or of one JSON value a line, with the lines that they stand on. */
import { hasVisible } from '../../kit/text/invisible.ts'
import { isStorable } from '../../kit/text/outside-text.ts'
import type { Piece } from './table-records.ts'

/** `pieces` are all strings but names, in order; `lists` are the same pieces, by the list that holds them. */
export type JsonPieces = { pieces: Piece[]; lists: Piece[][] }

/** Returns null where the text is no JSON list or object, nor lines of such. */
export function jsonPieces(text: string): JsonPieces | null {
  if (!/^\s*[[{]/.test(text)) return null
  if (isJson(text)) return scanned(text, 1)
  const lines = text.split('\n')
  const filled = lines.filter(hasVisible)
  if (!filled.every((line) => /^\s*[[{]/.test(line) && isJson(line))) return null
  const read = lines.map((line, at) => scanned(line, at + 1))
  return { pieces: read.flatMap((one) => one.pieces), lists: read.flatMap((one) => one.lists) }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Walks over the tokens of valid JSON, since values that were parsed no longer know their lines. */
function scanned(text: string, firstLine: number): JsonPieces {
  const read: JsonPieces = { pieces: [], lists: [] }
  const open: (Piece[] | null)[] = []
  let number = firstLine
  for (let at = 0; at < text.length; at += 1) {
    const mark = text.charAt(at)
    if (mark === '\n') number += 1
    else if (mark === '[') open.push([])
    else if (mark === '{') open.push(null)
    else if (mark === ']' || mark === '}') {
      const list = open.pop()
      if (list != null && list.length > 0) read.lists.push(list)
    } else if (mark === '"') {
      const end = endOfString(text, at)
      const string = JSON.parse(text.slice(at, end)) as string
      at = end - 1
      if (/^\s{0,100}:/.test(text.slice(end, end + 100)) || !isStorable(string)) continue
      const piece = { number, text: string }
      read.pieces.push(piece)
      open.at(-1)?.push(piece)
    }
  }
  return read
}

function endOfString(text: string, from: number): number {
  let at = from + 1
  while (text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1
  return at + 1
}
