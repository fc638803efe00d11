/** The platform's own words as people read them: always quoted as its words, never said as if they were ours. */
import { visibleLine, withoutMisleading } from '../../kit/text/invisible.ts'

/** More than any sentence of the platform has, in characters; a hundred times as many are looked at. */
const SAID_CHARS_MAX = 300
const READ_CHARS_MAX = 100 * SAID_CHARS_MAX

const ADDRESS = /https?:\/\/\S+/gi
/** The end of a sentence, in the scripts in which the platform writes. */
const ENDED = /[.!?…。！？।؟]$/u

/** Returns the sentence that quotes the words, on one line, without addresses; null where nothing of them is seen. */
export function platformSays(words: string | null): string | null {
  const spaced = (words ?? '').slice(0, READ_CHARS_MAX).toWellFormed().replace(/\s+/g, ' ')
  const seen = withoutMisleading(spaced)
  const line = visibleLine(seen).replace(ADDRESS, '…')
  if (line === '') return null
  // Marks like our own would end the quotation early.
  const said = cut(line).replaceAll(/[“„‟]/g, '‘').replaceAll('”', '’')
  return `YouTube says: “${said}”${ENDED.test(said) ? '' : '.'}`
}

function cut(line: string): string {
  const characters = Array.from(line)
  if (characters.length <= SAID_CHARS_MAX) return line
  return `${characters.slice(0, SAID_CHARS_MAX - 1).join('')}…`
}
