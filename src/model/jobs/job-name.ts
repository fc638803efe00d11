/** A job's name: the one that its customer gave it, or what it is about. */
import { hasVisible, visibleLine } from '../../kit/text/invisible.ts'
import type { Source } from '../platform/source.ts'

/** In characters. */
export const JOB_NAME_CHARS_MAX = 120
export const JOB_NOTE_CHARS_MAX = 2_000

/** A customer's name for a job and their note about it; null for none. */
export type JobWords = { givenName: string | null; note: string | null }

/** An order's lines as far as a list shows them: the first one, null where they were erased, and how many there are. */
export type OrderedLines = { firstLine: string | null; lines: number }

/** Subject of a job: the title of its first line that has one, null while none is, and what its first line names. */
export type Subject = { title: string | null; source: Source | null }

/** Returns what a job of so many lines is called everywhere: its given name, else "Taller Pequeño and 5 more". */
export function titleOfJob(
  { givenName, lines }: { givenName: string | null; lines: number },
  { title, source }: Subject,
): string {
  if (givenName !== null) return givenName
  const about = visibleLine(title ?? '') || (source === null ? 'An order' : readableSource(source))
  return lines > 1 ? `${about} and ${lines - 1} more` : about
}

/** Returns what a line is called before its title is known: by its id, since lists of "A video" tell nothing apart. */
function readableSource(source: Source): string {
  switch (source.kind) {
    case 'video':
      return `Video ${source.videoId}`
    case 'playlist':
      return `Playlist ${source.playlistId}`
    case 'channel':
    case 'lists':
      return /^\/(?:(?:c|user)\/)?([^/]+)$/.exec(source.name)?.[1] ?? `Channel ${source.name}`
    default:
      return source satisfies never
  }
}

/** Returns a name as it is kept: one line; null where nothing of it is seen. */
export function jobNameFrom(text: string | null): string | null {
  return visibleLine(text ?? '') || null
}

/** Returns a note as it is kept: its lines, without blanks at the ends; null where nothing of it is seen. */
export function jobNoteFrom(text: string | null): string | null {
  const note = (text ?? '').replaceAll('\r\n', '\n').trim()
  return hasVisible(note) ? note : null
}
