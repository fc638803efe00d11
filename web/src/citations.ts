/** A video as a citation, in the forms that papers and notes use. Pure. */
import type { JobVideo } from './api/client.ts'

/** `readAt` is the day of reading, which works that may change are cited with. */
type Cited = { video: JobVideo; readAt: Date }

const MONTHS =
  'January February March April May June July August September October November December'
const MONTH_NAMES = MONTHS.split(' ')

/** Returns the day as the platform published it: days of a citation belong to no time zone. */
function dateOf(text: string | null): { year: string; month: number; day: number } | null {
  const parts = /^(\d{4})-(\d{2})-(\d{2})/.exec(text ?? '')
  return parts === null
    ? null
    : { year: parts[1] ?? '', month: Number(parts[2]), day: Number(parts[3]) }
}

/** Returns the form of APA's seventh edition: Author. (Year, Month day). Title [Video]. Site. URL */
export function apaOf({ video }: Cited): string {
  const date = dateOf(video.publishedAt)
  const when = date === null ? 'n.d.' : `${date.year}, ${MONTH_NAMES[date.month - 1]} ${date.day}`
  return `${video.channelName ?? 'Unknown'}. (${when}). ${titleOf(video)} [Video; transcript]. YouTube. ${video.url ?? ''}`.trim()
}

export function bibtexOf({ video, readAt }: Cited): string {
  const date = dateOf(video.publishedAt)
  const fields: [string, string | null][] = [
    ['author', `{${escaped(video.channelName ?? 'Unknown')}}`],
    ['title', `{${escaped(titleOf(video))}}`],
    ['year', date?.year ?? null],
    ['month', date === null ? null : String(date.month)],
    ['howpublished', 'YouTube video, transcript'],
    ['url', video.url],
    ['urldate', readAt.toISOString().slice(0, 10)],
  ]
  const lines = fields
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `  ${name} = {${value}}`)
  return `@misc{${video.videoId ?? 'video'},\n${lines.join(',\n')}\n}`
}

export function markdownOf({ video }: Cited): string {
  const date = dateOf(video.publishedAt)
  const facts = [video.channelName, date === null ? null : (video.publishedAt ?? '').slice(0, 10)]
  const about = facts.filter((fact) => fact !== null).join(', ')
  const title = titleOf(video).replace(/[[\]\\]/g, '\\$&')
  return `[${title}](${video.url ?? ''})${about === '' ? '' : `, ${about}`}`
}

function titleOf({ title, videoId }: JobVideo): string {
  return title ?? videoId ?? 'Untitled'
}

/** Returns the text with TeX's special characters escaped. */
function escaped(text: string): string {
  return text.replace(/[#$%&_{}]/g, '\\$&')
}
