/** Names of files: what a file is called where it is saved, and in a ZIP. */
import { cutToBytes } from '../../kit/text/cut-to-bytes.ts'
import { hasVisible, JOINERS, withoutMisleading } from '../../kit/text/invisible.ts'
import { composed, trimCharacters } from '../../kit/text/outside-text.ts'
import { type ExportFile, type WholeFile, WHOLES, type WordFile } from './catalogue.ts'
import { publishDay } from '../platform/publish-day.ts'
import type { FiledVideo } from '../library/video-details.ts'

/** How files are called: `<index>.<ending>`, or with the video's title. */
export type Naming = 'index' | 'title'

export const ALL_TEXT_NAME = 'all-transcripts.txt'
export const REPORT_NAME: WholeFile = 'report.csv'
export const README_NAME = 'README.txt'

/** Length of a readable name without its ending in UTF-8: file systems allow 255 bytes, and folders add to it. */
const STEM_BYTES = 150
const VIDEO_ID_BYTES = 15
const DAY_BYTES = 11
/** Number and days of a source. */
const SPAN_BYTES = 30

export type NamedRow = { index: number; title: string | null; videoId: string | null }

/** Returns the name of a row's files before the ending. */
export function stemOf(row: NamedRow, naming: Naming, digits = 1): string {
  return naming === 'index' ? String(row.index) : readableStem(row, digits)
}

/**
 * Returns `007 The title`: the index first, so that names are unique whatever a file system folds, sort as the job does
 * and are never a reserved name (`CON`), a hidden file or an option (`-rf`).
 */
function readableStem({ index, title, videoId }: NamedRow, digits: number): string {
  const number = String(index).padStart(digits, '0')
  const words = safeWords(title ?? '') || safeWords(videoId ?? '')
  return trimCharacters(cutToBytes(`${number} ${words}`, STEM_BYTES), {
    start: '',
    end: ` .${JOINERS}`,
  })
}

/**
 * Returns `2025-10-25 The title [dQw4w9WgXcQ]`, for a file of many jobs: later videos change no name, and names sort by
 * date. A video is in such a file once, so its id makes the name unique.
 */
export function datedStem(video: FiledVideo): string {
  return `${datedWords(video)} [${video.videoId}]`
}

function datedWords({ title, publishedAt }: FiledVideo): string {
  const words = `${publishDay(publishedAt) ?? 'undated'} ${safeWords(title ?? '')}`
  return cutToBytes(words, STEM_BYTES - VIDEO_ID_BYTES).trim()
}

/** Signs to which links of a vault give a meaning: a note with one in its name could not be linked to. */
const LINK_SIGNS = /[[\]#^]/g

/** Returns `2025-10-25 The title (dQw4w9WgXcQ)`, for a note; `isRepeated` as in folderedStem. */
export function noteStem(video: FiledVideo, isRepeated: boolean): string {
  const title = video.title?.replace(LINK_SIGNS, ' ') ?? null
  const words = datedWords({ ...video, title })
  return `${words} (${video.videoId})${isRepeated ? ` ${trackWords(video)}` : ''}`
}

/**
 * Returns `07 Taller Pequeño 2019-03-01 to 2019-12-24.md`: a source of a notebook by its place among `count`, what it
 * is of, and the days between which its videos were published.
 */
export function sourceName(
  title: string,
  videos: readonly { publishedAt: string | null }[],
  { nth, count }: { nth: number; count: number },
): string {
  const number = String(nth).padStart(Math.max(2, String(count).length), '0')
  let [first, last] = ['', '']
  for (const { publishedAt } of videos) {
    const day = publishDay(publishedAt)
    if (day === null) continue
    if (first === '' || day < first) first = day
    if (day > last) last = day
  }
  const span = first === last ? first : `${first} to ${last}`
  const words = cutToBytes(safeWords(title) || 'transcripts', STEM_BYTES - SPAN_BYTES).trimEnd()
  return `${`${number} ${words} ${span}`.trimEnd()}.md`
}

/** Length of a folder's name in UTF-8. */
const FOLDER_BYTES = 80
/** Names that Windows keeps for itself, and those of the files beside the folders. */
const TAKEN_NAME =
  /^(?:con|prn|aux|nul|(?:com|lpt)\d|all-transcripts\.txt|report\.csv|readme\.txt)$/i

/**
 * Returns `A channel/2025-10-25 The title [dQw4w9WgXcQ]`, for a file of many channels. `isRepeated` says that the video
 * stands in it in several languages, which then end its name.
 */
export function folderedStem(video: FiledVideo, isRepeated: boolean): string {
  const named = trimCharacters(safeWords(video.channelName ?? ''), { start: '-', end: '' }).trim()
  const folder = cutToBytes(named || 'Unknown channel', FOLDER_BYTES)
  const safe = TAKEN_NAME.test(folder) ? `${folder}_` : folder
  const track = isRepeated ? ` ${trackWords(video)}` : ''
  return `${trimCharacters(safe, { start: '', end: ' .' })}/${datedStem(video)}${track}`
}

function trackWords({ languageCode, trackKind }: FiledVideo): string {
  return safeWords(`${languageCode ?? ''} ${trackKind ?? ''}`.trim())
}

/** Runs of blanks that are not one space already: most titles have none. */
const ODD_BLANKS = /[\s\u0085]{2,}|[^\S ]|\u0085/gu
/** Separators of Unix, Windows and old macOS, which stay visible as a dash. */
const SEPARATED = / ?[/\\:|][ /\\:|]*/g
const BLANKS = / {2,}/g
const FORBIDDEN = /[<>"?*]/g

/** Returns the words of a title as a file system takes them; '' where nothing of them is seen. */
function safeWords(text: string): string {
  const parted = withoutMisleading(text.toWellFormed().replace(ODD_BLANKS, ' '))
    .replace(BLANKS, ' ')
    .replace(SEPARATED, (found) => (found.includes(' ') ? ' - ' : '-'))
  const spaced = composed(parted.replace(FORBIDDEN, '')).replace(BLANKS, ' ')
  const words = trimCharacters(spaced, { start: ' .', end: ' .' })
  return hasVisible(words) ? words : ''
}

/** Returns the name of a list of what is said, such as `mentions of steam engine.csv`. */
export function mentionsFileName(q: string): string {
  const words = cutToBytes(safeWords(q.replaceAll('"', '')), STEM_BYTES).trim()
  return words === '' ? 'mentions.csv' : `mentions of ${words}.csv`
}

/**
 * Returns `Taller Pequeño and 5 more 2026-11-26`: what a job or a collection is called, and the day (UTC), for a file
 * of all of it. `id` stands in for a title of which a file system takes nothing.
 */
export function titledStem({ title, id, at }: { title: string; id: string; at: Date }): string {
  const words = safeWords(title)
  const name = words === '' ? `transcripts-${id}` : cutToBytes(words, STEM_BYTES - DAY_BYTES)
  return `${name.trimEnd()} ${at.toISOString().slice(0, 'YYYY-MM-DD'.length)}`
}

/** Returns the name under which a file of all texts is saved: of its job or collection, or of a job's id. */
export function wholeFileName(
  file: WholeFile,
  named: { stem: string } | { jobId: string },
): string {
  if ('stem' in named) return `${named.stem}${WHOLES[file].behindName}`
  const [before, behind] = WHOLES[file].aroundId
  return `${before}${named.jobId}${behind}`
}

/** Returns `Taller Pequeño 2026-11-26.md`, or with ` notebook.zip` behind the day. */
export function exportName(stem: string, file: ExportFile): string {
  return file === endingOfExport(file) ? `${stem} ${file}` : `${stem}.${endingOfExport(file)}`
}

const EXPORT_HEAD = 'export.'

/** Returns the ending that an export has behind the name of its job, its collection or, in a ZIP, its video. */
export function endingOfExport(file: ExportFile | WordFile): string {
  return file.startsWith(EXPORT_HEAD) ? file.slice(EXPORT_HEAD.length) : file
}
