/**
 * A video, or a quote from it, as a citation, in the forms that papers, notes and reference managers use. The website
 * imports this as it is.
 */
import { clockWithHours } from '../../kit/text/clock.ts'
import { escapedJson } from '../../kit/text/controls.ts'
import { visibleLine, withoutMisleading } from '../../kit/text/invisible.ts'
import { publishDay } from '../platform/publish-day.ts'
import { videoAt } from './video-at.ts'

/** Facts of a video that a citation names; null where they are not known. */
export type CitedVideo = {
  videoId: string | null
  title: string | null
  channelName: string | null
  publishedAt: string | null
  url: string | null
  languageCode?: string | null
  /** When its text was fetched, which is when the video was accessed; null for texts of early releases. */
  fetchedAt?: Date | null
}

/** Words of a transcript, and when they are said; `endMs` is null where only their beginning is known. */
export type QuotedWords = { words: string; startMs: number; endMs: number | null }

/** `quote` is null where the whole video is cited; `readAt` is the day of reading. */
export type Cited = { video: CitedVideo; quote: QuotedWords | null; readAt: Date | null }

/** Forms in which people copy a citation, and what they are called. */
export const CITATION_FORMATS = {
  plain: 'Plain text',
  markdown: 'Markdown',
  apa: 'APA',
  bibtex: 'BibTeX',
  ris: 'RIS',
} as const
export type CitationFormat = keyof typeof CITATION_FORMATS

/** Returns the citation as text to paste. */
export function citationOf(format: CitationFormat, cited: Cited): string {
  return WRITERS[format](factsOf(cited))
}

const WRITERS: Record<CitationFormat, (facts: Facts) => string> = {
  plain: plainOf,
  markdown: markdownCitation,
  apa: apaOf,
  bibtex: bibtexOf,
  ris: risOf,
}

/** Returns the entry of a whole video as reference managers take it in, as RIS and as CSL-JSON. */
export function risEntry(video: CitedVideo): string {
  return risOf(wholeVideo(video))
}

export function cslEntry(video: CitedVideo): string {
  return cslOf(wholeVideo(video))
}

function wholeVideo(video: CitedVideo): Facts {
  return factsOf({ video, quote: null, readAt: video.fetchedAt ?? null })
}

/** Year, month and day. */
type Day = [year: string, month: string, day: string]

/** Facts in single lines, without what turns text or is not seen; `span` is "0:04:07–0:04:12", with a quote. */
type Facts = {
  key: string
  channel: string | null
  title: string
  published: Day | null
  language: string | null
  url: string | null
  accessed: Day | null
  words: string | null
  span: string | null
}

function factsOf({ video, quote, readAt }: Cited): Facts {
  const videoId = video.videoId?.replace(/[^\w-]/g, '') ?? ''
  const key = videoId === '' ? 'video' : videoId
  return {
    key: quote === null ? key : `${key}-${Math.floor(quote.startMs / 1000)}`,
    channel: seenLine(video.channelName),
    title: seenLine(video.title) ?? (videoId === '' ? 'Untitled' : videoId),
    published: dateParts(video.publishedAt),
    language: seenLine(video.languageCode ?? null),
    url: citedAddress(video.url, quote),
    accessed: dateParts(readAt?.toISOString() ?? null),
    words: seenLine(quote?.words ?? null),
    span: quote === null ? null : spanOf(quote),
  }
}

/** Half of a character, which no file can hold; `toWellFormed` is too young for browsers. */
const LONE_SURROGATE = /\p{Cs}/gu

/** Returns one line without controls, or null where nothing of it is seen. */
function seenLine(text: string | null): string | null {
  const encodable = (text ?? '').replace(LONE_SURROGATE, '\ufffd')
  const line = visibleLine(withoutMisleading(encodable.replace(/\s/g, ' ')))
  return line === '' ? null : line
}

function dateParts(text: string | null): Day | null {
  const [year, month, day] = publishDay(text)?.split('-') ?? []
  return year === undefined || month === undefined || day === undefined ? null : [year, month, day]
}

/** Returns the address of the video, at the quote's second, without a character that ends a link or a field. */
function citedAddress(url: string | null, quote: QuotedWords | null): string | null {
  if (url === null || !URL.canParse(url)) return null
  const address = quote === null ? new URL(url).href : videoAt(url, quote.startMs)
  return address.replace(/[(){}\\|<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
}

/** Returns whole seconds that have the quote in them. */
function spanOf({ startMs, endMs }: QuotedWords): string {
  const start = Math.floor(startMs / 1000)
  const end = endMs === null ? start : Math.ceil(endMs / 1000)
  const from = clockWithHours(startMs)
  return end > start ? `${from}–${clockWithHours(end * 1000)}` : from
}

const MONTHS =
  'January February March April May June July August September October November December'
const MONTH_NAMES = MONTHS.split(' ')
const monthOf = ([, month]: Day): string => MONTH_NAMES[Number(month) - 1] ?? ''

function joined(parts: readonly (string | null)[], between = ', '): string {
  return parts.filter((part) => part !== null).join(between)
}

function plainOf({ channel, title, published, url, words, span }: Facts): string {
  const when =
    published === null ? null : `${Number(published[2])} ${monthOf(published)} ${published[0]}`
  const quoted = words === null ? null : `“${words}”`
  return joined([quoted, joined([channel, `“${title}”`, when, span]), url], '\n')
}

/** Characters that Markdown would read as markup anywhere. */
const MARKUP = /[\\`*_[\]<>#|~&]/g

function inMarkdown(text: string): string {
  return text.replace(MARKUP, '\\$&')
}

/** A quotation, and the link below it. A line may begin with neither a list nor a heading. */
function markdownCitation({ channel, title, published, url, words, span }: Facts): string {
  const named = inMarkdown(title)
  const about = joined([
    url === null ? named : `[${named}](${url})`,
    channel === null ? null : inMarkdown(channel),
    published?.join('-') ?? null,
    span,
  ])
  if (words === null) return about
  const line = inMarkdown(words).replace(/^(?:[-+=:]|(\d{1,9})(?=[.)]))/, (start) =>
    /\d/.test(start) ? `${start}\\` : `\\${start}`,
  )
  return `> ${line}\n>\n> — ${about}`
}

/**
 * APA's seventh edition: “Words” (Author, year, time). Below it, Author. (Year, Month day). Title [Video]. Site. URL;
 * section 8.28 has the time in place of a page, 10.12 the entry of the list.
 */
function apaOf({ channel, title, published, url, words, span }: Facts): string {
  const author = channel ?? 'Unknown'
  const [year = 'n.d.', , day] = published ?? []
  const when = published === null ? year : `${year}, ${monthOf(published)} ${Number(day)}`
  const entry = `${author.replace(/\.$/, '')}. (${when}). ${title} [Video]. YouTube. ${url ?? ''}`
  if (words === null) return entry.trim()
  return `“${words}” (${author}, ${year}, ${span})\n\n${entry.trim()}`
}

const TEX: Record<string, string> = {
  '\\': '\\textbackslash{}',
  // BibTeX counts braces behind a backslash, too, so that one alone would take in the next entries.
  '{': '\\textbraceleft{}',
  '}': '\\textbraceright{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
}

function inTex(text: string): string {
  return text.replace(/[\\{}~^#$%&_]/g, (sign) => TEX[sign] ?? `\\${sign}`)
}

/** An entry that BibTeX and biblatex read. `annote` holds the words, which no ordinary style prints in a list. */
function bibtexOf({ key, channel, title, published, url, accessed, words, span }: Facts): string {
  const month = published === null ? null : monthOf(published).slice(0, 3).toLowerCase()
  const fields: [string, string | null][] = [
    ['author', `{{${inTex(channel ?? 'Unknown')}}}`],
    ['title', `{{${inTex(title)}}}`],
    ['year', published === null ? null : `{${published[0]}}`],
    ['month', month],
    ['howpublished', '{YouTube video}'],
    ['url', url === null ? null : `{${url}}`],
    ['urldate', accessed === null ? null : `{${accessed.join('-')}}`],
    ['note', span === null ? null : `{${span.replace('–', '--')}}`],
    ['annote', words === null ? null : `{${inTex(words)}}`],
  ]
  const lines = fields.flatMap(([name, value]) => (value === null ? [] : [`  ${name} = ${value}`]))
  return `@misc{${key},\n${lines.join(',\n')}\n}`
}

/** A record of reference managers: a tag a line, lines that end as the format demands. */
function risOf({ key, channel, title, language, url, words, span, ...days }: Facts): string {
  const { published, accessed } = days
  const tags: [string, string | null][] = [
    ['TY', 'VIDEO'],
    ['ID', key],
    ['AU', channel],
    ['TI', title],
    ['PY', published?.[0] ?? null],
    ['DA', published?.join('/') ?? null],
    ['PB', 'YouTube'],
    ['LA', language],
    ['UR', url],
    ['Y2', accessed?.join('/') ?? null],
    ['N1', words === null ? null : `${span}: “${words}”`],
    ['ER', ''],
  ]
  return tags.flatMap(([tag, value]) => (value === null ? [] : [`${tag}  - ${value}\r\n`])).join('')
}

function cslOf({ key, channel, title, published, language, url, accessed }: Facts): string {
  const entry = {
    id: key,
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
