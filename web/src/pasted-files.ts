/**
 * Files and copied pages as text for the box of lines. What an address is, the server alone knows: here only the text
 * of a file is read, and the links of a page that is too long to be sent.
 */
import { ask, type SourcesPreview } from './api/account.ts'
import { ConnectionError } from '../../clients/typescript/src/errors.ts'
import { sentenceOf } from './api/problem.ts'
import { count } from './format.ts'

/** The largest file that is opened, in bytes: a saved page may be much longer than the links on it. */
const PASTED_FILE_BYTES_MAX = 2_000_000
/** The longest text that the server reads at once. */
const READ_CHARS_MAX = 60_000

export const FILE_KINDS =
  '.txt,.csv,.tsv,.md,.html,.htm,.json,.jsonl,.xml,.opml,.log,text/*,application/json'

type Pasted = { kind: 'read'; text: string } & Pick<SourcesPreview, 'links' | 'document'>

/** What a file adds to the box, or why nothing. */
type FileReading = Pasted | { kind: 'refused'; sentence: string }

/** Reads a file that was dropped or chosen; it never throws. */
export async function readPastedFile(file: File): Promise<FileReading> {
  const name = `“${file.name}”`
  if (file.size > PASTED_FILE_BYTES_MAX)
    return refused(
      `${name} is larger than ${count(PASTED_FILE_BYTES_MAX / 1e6)} MB, which is the most. Choose a smaller file.`,
    )
  const text = decoded(new Uint8Array(await file.arrayBuffer()))
  if (text === null)
    return refused(`${name} is not a text file. Choose a text, CSV, HTML or JSON file.`)
  const isPage = /\.html?$/i.test(file.name) || file.type === 'text/html'
  try {
    const reading = await readPasted(isPage ? withinReach(text) : text)
    return reading ?? refused(`${name} has no link to a video, playlist or channel.`)
  } catch (error) {
    const isOurs = error instanceof RangeError || error instanceof ConnectionError
    return refused(`${name} could not be read: ${isOurs ? error.message : sentenceOf(error)}`)
  }
}

/**
 * Returns what a text adds to the box: all of it where it is a list of lines, else the addresses in it and what was
 * refused there, as of a JSON object, which nothing may stand before. Null where it names no source.
 */
export async function readPasted(text: string): Promise<Pasted | null> {
  if (text.length > READ_CHARS_MAX)
    throw new RangeError(`it has more than ${count(READ_CHARS_MAX)} characters of text. Split it.`)
  const read = await ask<SourcesPreview>('POST', '/recognise', { text })
  if (read.links === 0) return null
  const { links, lines, document, usable } = read
  const unclear = lines.flatMap(({ kind, line }) => (kind === null ? line : []))
  const isLines = document === null && !text.trimStart().startsWith('{')
  const added = isLines ? text.trim() : [usable, ...unclear].join('\n')
  return { kind: 'read', text: added, links, document }
}

/** Returns copied HTML where it has links that the plain text of the same copy lacks; else null. */
export function htmlWithMore(html: string, plain: string): string | null {
  const hasMore = [...targetsIn(html)].some((target) => !plain.includes(target))
  return hasMore ? withinReach(html) : null
}

/** Returns a page that the server reads at once: itself, or its links and players where it is too long. */
function withinReach(html: string): string {
  if (html.length <= READ_CHARS_MAX) return html
  const links = [...targetsIn(html)].map((target) => {
    const link = document.createElement('a')
    link.setAttribute('href', target)
    return link.outerHTML
  })
  return links.join('\n')
}

function targetsIn(html: string): Set<string> {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const targets = [...page.querySelectorAll('a[href], iframe[src]')].map(
    (element) => element.getAttribute('href') ?? element.getAttribute('src') ?? '',
  )
  return new Set(targets.filter((target) => /^(?:https?:)?\/\/|^\/./i.test(target)))
}

/** Returns the text of UTF-8, or of UTF-16 as spreadsheets save it; null where the bytes are no text. */
function decoded(bytes: Uint8Array): string | null {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe
  try {
    const text = new TextDecoder(isWide ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}

function refused(sentence: string): FileReading {
  return { kind: 'refused', sentence }
}
