/**
 * Names of a video's files: `{title} [{id}]` or a template of the user's own. Every name works on Linux, macOS and
 * Windows, whatever the title holds.
 */
import { usageFailure } from './failure.ts'
import { cutToBytes } from '../../../src/kit/text/cut-to-bytes.ts'
import { hasVisible, JOINERS, withoutMisleading } from '../../../src/kit/text/invisible.ts'
import { publishDay } from '../../../src/model/platform/publish-day.ts'

/** Values that a template may name; null where unknown. */
export type NamedVideo = {
  index: number
  videoId: string | null
  title: string | null
  channelName: string | null
  publishedAt: string | null
  languageCode: string | null
  trackKind: string | null
}

/** A template's folders and, last, its name: each a list of plain text and placeholders. */
export type Template = readonly (readonly Piece[])[]
type Piece = { kind: 'text'; text: string } | { kind: 'value'; name: Placeholder }

const PLACEHOLDERS = ['title', 'id', 'index', 'channel', 'date', 'language', 'kind'] as const
type Placeholder = (typeof PLACEHOLDERS)[number]

export const TEMPLATES = { title: '{title} [{id}]', id: '{id}', index: '{index}' } as const

/** Most bytes of one name, UTF-8, without its ending: file systems allow 255, and ` (12).json` may follow. */
const STEM_BYTES = 180
/** Most characters of a value; a title has 100 on the platform. */
const VALUE_CHARACTERS = 300

/** Throws a usage failure for an unknown placeholder and for a path that leaves the folder. */
export function readTemplate(text: string): Template {
  const parts = text.split('/')
  if (!parts.every(hasVisible)) {
    throw usageFailure(`the template "${text}" has an empty part`)
  }
  if (parts.some((part) => /^\.+$/.test(withoutMisleading(part).trim()))) {
    throw usageFailure(`the template "${text}" leads out of the folder`)
  }
  return parts.map(readPart)
}

function readPart(part: string): Piece[] {
  return part
    .split(/(\{[^{}]*\})/)
    .filter((piece) => piece !== '')
    .map((piece) => {
      if (!piece.startsWith('{') || !piece.endsWith('}')) return { kind: 'text', text: piece }
      const name = PLACEHOLDERS.find((known) => `{${known}}` === piece)
      if (name !== undefined) return { kind: 'value', name }
      const known = PLACEHOLDERS.map((one) => `{${one}}`).join(' ')
      throw usageFailure(`the template names ${piece}`, `there are ${known}`)
    })
}

/** Returns whether a name or a folder depends on how many videos the job has. */
export function namesIndex(template: Template): boolean {
  return template.flat().some((piece) => piece.kind === 'value' && piece.name === 'index')
}

/**
 * Returns the names of folders and file, without the ending. `indexMax` is the job's largest index, for leading zeros.
 */
export function fileStem(template: Template, video: NamedVideo, indexMax: number): string[] {
  return template.map((pieces) => namePart(pieces, video, indexMax))
}

function namePart(pieces: readonly Piece[], video: NamedVideo, indexMax: number): string {
  const parts = pieces.map((piece) =>
    piece.kind === 'text'
      ? { text: safeText(piece.text), isFree: false }
      : { text: valueOf(piece.name, video, indexMax), isFree: isFree(piece.name) },
  )
  // Only titles and names of channels are shortened: ids and indexes make a name unique.
  const fixedBytes = parts.reduce((sum, { text, isFree }) => sum + (isFree ? 0 : bytesOf(text)), 0)
  const freeParts = Math.max(1, parts.filter(({ isFree }) => isFree).length)
  const shareBytes = Math.max(20, Math.floor((STEM_BYTES - fixedBytes) / freeParts))
  const name = parts
    .map(({ text, isFree }) => (isFree ? cutToBytes(text, shareBytes).trimEnd() : text))
    .join('')
  return allowedName(cutToBytes(name, STEM_BYTES))
}

function isFree(name: Placeholder): boolean {
  return name === 'title' || name === 'channel'
}

function valueOf(name: Placeholder, video: NamedVideo, indexMax: number): string {
  switch (name) {
    case 'title':
      return safeValue(video.title) || safeValue(video.videoId) || 'untitled'
    case 'id':
      return safeText(video.videoId ?? `no-id-${video.index}`)
    case 'index':
      return String(video.index).padStart(String(indexMax).length, '0')
    case 'channel':
      return safeValue(video.channelName) || 'unknown channel'
    case 'date':
      return publishDay(video.publishedAt) ?? 'undated'
    case 'language':
      return safeText(video.languageCode ?? 'unknown')
    case 'kind':
      return safeText(video.trackKind ?? 'unknown')
    default:
      return name satisfies never
  }
}

const SEPARATORS = /[/\\:|]/g
const FORBIDDEN = /[<>"?*]/g

/** Returns the text without characters that some file system refuses; separators stay visible as a dash. */
function safeText(text: string): string {
  return withoutMisleading(text.toWellFormed().replace(/\s/gu, ' '))
    .replace(SEPARATORS, '-')
    .replace(FORBIDDEN, '')
}

/** Returns outside text cut to a workable length, without what makes a hidden file or an option at its start. */
function safeValue(value: string | null): string {
  const text = safeText([...(value ?? '')].slice(0, VALUE_CHARACTERS).join(''))
  const spaced = text.normalize('NFC').replace(/ {2,}/g, ' ')
  const words = withoutEnd(spaced.replace(/^[ .~-]+/, ''), ' .')
  return hasVisible(words) ? words : ''
}

/** Names that Windows keeps for devices, whatever ending follows. */
const DEVICES =
  /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]) *(?:\.|$)/i

function allowedName(name: string): string {
  const trimmed = withoutEnd(name.normalize('NFC').trimStart(), ` .${JOINERS}`)
  if (trimmed === '') return '_'
  return DEVICES.test(trimmed) ? `_${trimmed}` : trimmed
}

/**
 * Returns the text without these characters at its end. A loop, since a regular expression would look at every place of
 * a long run again.
 */
function withoutEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text)
}
