/**
 * Videos as entries of reference managers, as RIS and as CSL-JSON. Their facts and how they are written are those of
 * the citations that the website copies (web/src/citations.ts), which imports none of this.
 */
import { escapedJson } from '../../kit/text/controls.ts'
import { visibleLine, withoutMisleading } from '../../kit/text/invisible.ts'
import type { FiledVideo } from '../transcripts/job-rows.ts'
import type { CitationExport } from './exports.ts'

/** `fetchedAt`: when the text was fetched, which is when the video was accessed; null for texts of early releases. */
export type CitedVideo = FiledVideo & { videoId: string; fetchedAt: Date | null }

/** Year, month and day, as they were published: days of a citation belong to no time zone. */
type Day = [year: string, month: string, day: string]

type Facts = {
  channel: string | null
  title: string
  published: Day | null
  language: string | null
  url: string | null
  accessed: Day | null
}

/** What stands before the entries, between two of them, and behind the last. */
export const CITATION_FRAMES: Record<
  CitationExport,
  { head: string; between: string; end: string }
> = {
  'export.ris': { head: '', between: '', end: '' },
  'export.csl.json': { head: '[\n', between: ',\n', end: '\n]\n' },
}

/** Returns the entry of a video. */
export function citationEntry(file: CitationExport, video: CitedVideo): string {
  const facts = factsOf(video)
  return file === 'export.ris' ? risEntry(video.videoId, facts) : cslEntry(video.videoId, facts)
}

function factsOf({ videoId, fetchedAt, ...video }: CitedVideo): Facts {
  return {
    channel: lineOf(video.channelName),
    title: lineOf(video.title) ?? videoId,
    published: dayOf(video.publishedAt),
    language: lineOf(video.languageCode),
    url: addressOf(video.url),
    accessed: dayOf(fetchedAt?.toISOString() ?? null),
  }
}

/** Returns one line without controls, or null where nothing of it is seen. */
function lineOf(text: string | null): string | null {
  const line = visibleLine(withoutMisleading((text ?? '').toWellFormed().replace(/\s/g, ' ')))
  return line === '' ? null : line
}

function dayOf(text: string | null): Day | null {
  const [, year, month, day] = /^(\d{4})-(0[1-9]|1[0-2])-(\d{2})/.exec(text ?? '') ?? []
  return year === undefined || month === undefined || day === undefined ? null : [year, month, day]
}

/** Returns the address without a character that ends a link or a field. */
function addressOf(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null
  const { href } = new URL(url)
  return href.replace(/[(){}\\|<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
}

/** A tag a line, in lines that end as the format demands. */
function risEntry(videoId: string, facts: Facts): string {
  const { channel, title, published, language, url, accessed } = facts
  const tags: [string, string | null][] = [
    ['TY', 'VIDEO'],
    ['ID', videoId],
    ['AU', channel],
    ['TI', title],
    ['PY', published?.[0] ?? null],
    ['DA', published?.join('/') ?? null],
    ['PB', 'YouTube'],
    ['LA', language],
    ['UR', url],
    ['Y2', accessed?.join('/') ?? null],
    ['ER', ''],
  ]
  return tags.flatMap(([tag, value]) => (value === null ? [] : [`${tag}  - ${value}\r\n`])).join('')
}

function cslEntry(videoId: string, facts: Facts): string {
  const { channel, title, published, language, url, accessed } = facts
  const entry = {
    id: videoId,
    type: 'motion_picture',
    title,
    ...(channel === null ? {} : { author: [{ literal: channel }] }),
    ...(published === null ? {} : { issued: datePartsOf(published) }),
    publisher: 'YouTube',
    ...(language === null ? {} : { language }),
    ...(url === null ? {} : { URL: url }),
    ...(accessed === null ? {} : { accessed: datePartsOf(accessed) }),
  }
  return escapedJson(JSON.stringify(entry))
}

function datePartsOf(day: Day): { 'date-parts': number[][] } {
  return { 'date-parts': [day.map(Number)] }
}
