/** A video, or a quote from it, as a citation, in the forms that papers and notes use. Pure. */
import { visibleLine, withoutMisleading } from '../../src/kit/text/invisible.ts'
import { videoAt } from './place-links.ts'

/** What a citation says of a video; null where it is not known. */
export type CitedVideo = {
  videoId: string | null
  title: string | null
  channelName: string | null
  publishedAt: string | null
  url: string | null
}

/** Words of a transcript, and when they are said; `endMs` is null where only their beginning is known. */
export type Quote = { words: string; startMs: number; endMs: number | null }

/** `quote` is null where the whole video is cited; `readAt` is the day of reading. */
export type Cited = { video: CitedVideo; quote: Quote | null; readAt: Date }

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

type Day = { year: string; month: number; day: number }

/** Facts in single lines, without what turns text or is not seen; `span` is "0:04:07–0:04:12", with a quote. */
type Facts = {
  key: string
  channel: string | null
  title: string
  date: Day | null
  url: string | null
  readOn: string
  words: string | null
  span: string | null
}

const WRITERS: Record<CitationFormat, (facts: Facts) => string> = {
  plain: plainOf,
  markdown: markdownOf,
  apa: apaOf,
  bibtex: bibtexOf,
  ris: risOf,
}

function factsOf({ video, quote, readAt }: Cited): Facts {
  const videoId = video.videoId?.replace(/[^\w-]/g, '') ?? ''
  const words = lineOf(quote?.words ?? null)
  const key = videoId === '' ? 'video' : videoId
  return {
    key: quote === null ? key : `${key}-${Math.floor(quote.startMs / 1000)}`,
    channel: lineOf(video.channelName),
    title: lineOf(video.title) ?? (videoId === '' ? 'Untitled' : videoId),
    date: dateOf(video.publishedAt),
    url: addressOf(video.url, quote),
    readOn: readAt.toISOString().slice(0, 10),
    words,
    span: quote === null ? null : spanOf(quote),
  }
}

/** Returns one line without controls, or null where nothing of it is seen. */
function lineOf(text: string | null): string | null {
  const line = visibleLine(withoutMisleading((text ?? '').replace(/\s/g, ' ')))
  return line === '' ? null : line
}

/** Returns the day as the platform published it: days of a citation belong to no time zone. */
function dateOf(text: string | null): Day | null {
  const parts = /^(\d{4})-(0[1-9]|1[0-2])-(\d{2})/.exec(text ?? '')
  return parts === null
    ? null
    : { year: parts[1] ?? '', month: Number(parts[2]), day: Number(parts[3]) }
}

/** Returns the address of the video, at the quote's second, without a character that ends a link or a field. */
function addressOf(url: string | null, quote: Quote | null): string | null {
  if (url === null || !URL.canParse(url)) return null
  const address = quote === null ? new URL(url).href : videoAt(url, quote.startMs)
  return address.replace(/[(){}\\|<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
}

function spanOf({ startMs, endMs }: Quote): string {
  const start = Math.floor(startMs / 1000)
  const end = endMs === null ? start : Math.ceil(endMs / 1000)
  return end > start ? `${clockOf(start)}–${clockOf(end)}` : clockOf(start)
}

/** Returns hours, minutes and seconds, the hours always, so that nobody reads minutes as hours. */
function clockOf(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

const MONTHS =
  'January February March April May June July August September October November December'
const MONTH_NAMES = MONTHS.split(' ')
const monthOf = ({ month }: Day): string => MONTH_NAMES[month - 1] ?? ''

function joined(parts: readonly (string | null)[], between = ', '): string {
  return parts.filter((part) => part !== null).join(between)
}

function plainOf({ channel, title, date, url, words, span }: Facts): string {
  const when = date === null ? null : `${date.day} ${monthOf(date)} ${date.year}`
  const quoted = words === null ? null : `“${words}”`
  return joined([quoted, joined([channel, `“${title}”`, when, span]), url], '\n')
}

/** Characters that Markdown would read as markup anywhere. */
const MARKUP = /[\\`*_[\]<>#|~&]/g

function inMarkdown(text: string): string {
  return text.replace(MARKUP, '\\$&')
}

/** A quotation, and the link below it. A line may begin with neither a list nor a heading. */
function markdownOf({ channel, title, date, url, words, span }: Facts): string {
  const named = inMarkdown(title)
  const when = date === null ? null : isoDay(date, '-')
  const about = joined([
    url === null ? named : `[${named}](${url})`,
    channel === null ? null : inMarkdown(channel),
    when,
    span,
  ])
  if (words === null) return about
  const line = inMarkdown(words).replace(/^(?:[-+=:]|(\d{1,9})(?=[.)]))/, (start) =>
    /\d/.test(start) ? `${start}\\` : `\\${start}`,
  )
  return `> ${line}\n>\n> — ${about}`
}

function isoDay({ year, month, day }: Day, between: string): string {
  return [year, String(month).padStart(2, '0'), String(day).padStart(2, '0')].join(between)
}

/**
 * APA's seventh edition: “Words” (Author, year, time). Below it, Author. (Year, Month day). Title [Video]. Site. URL;
 * section 8.28 has the time in place of a page, 10.12 the entry of the list.
 */
function apaOf({ channel, title, date, url, words, span }: Facts): string {
  const author = channel ?? 'Unknown'
  const when = date === null ? 'n.d.' : `${date.year}, ${monthOf(date)} ${date.day}`
  const entry = `${author.replace(/\.$/, '')}. (${when}). ${title} [Video]. YouTube. ${url ?? ''}`
  if (words === null) return entry.trim()
  return `“${words}” (${author}, ${date?.year ?? 'n.d.'}, ${span})\n\n${entry.trim()}`
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
function bibtexOf({ key, channel, title, date, url, readOn, words, span }: Facts): string {
  const fields: [string, string | null][] = [
    ['author', `{{${inTex(channel ?? 'Unknown')}}}`],
    ['title', `{{${inTex(title)}}}`],
    ['year', date === null ? null : `{${date.year}}`],
    ['month', date === null ? null : monthOf(date).slice(0, 3).toLowerCase()],
    ['howpublished', '{YouTube video}'],
    ['url', url === null ? null : `{${url}}`],
    ['urldate', `{${readOn}}`],
    ['note', span === null ? null : `{${span.replace('–', '--')}}`],
    ['annote', words === null ? null : `{${inTex(words)}}`],
  ]
  const lines = fields.flatMap(([name, value]) => (value === null ? [] : [`  ${name} = ${value}`]))
  return `@misc{${key},\n${lines.join(',\n')}\n}`
}

/** A record of reference managers: a tag a line, lines that end as the format demands. */
function risOf({ channel, title, date, url, readOn, words, span }: Facts): string {
  const tags: [string, string | null][] = [
    ['TY', 'VIDEO'],
    ['AU', channel],
    ['TI', title],
    ['PY', date?.year ?? null],
    ['DA', date === null ? null : isoDay(date, '/')],
    ['PB', 'YouTube'],
    ['UR', url],
    ['Y2', readOn.replaceAll('-', '/')],
    ['N1', words === null ? null : `${span}: “${words}”`],
    ['ER', ''],
  ]
  return tags.flatMap(([tag, value]) => (value === null ? [] : [`${tag}  - ${value}\r\n`])).join('')
}
