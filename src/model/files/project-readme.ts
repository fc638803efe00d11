/** README.txt of a project's ZIP: what the data is, where it comes from, what is missing, and what to mind. */
import { counted } from '../../kit/text/counted.ts'
import { ALL_TEXT_NAME, REPORT_NAME } from './file-names.ts'
import { oneLine } from '../transcripts/one-line.ts'
import type { ReportedVideo } from '../library/collection.ts'
import { publishDay } from '../platform/publish-day.ts'
import type { Project } from '../library/project.ts'

/** Returns the text; equal for equal rows. `texts` is how many of them are in the ZIP. */
export function projectReadme(
  { name, note, tags, changedAt }: Project,
  videos: readonly ReportedVideo[],
  texts: number,
): string {
  const days = videos.flatMap(({ publishedAt }) => publishDay(publishedAt) ?? []).sort()
  const channels = new Set(videos.map(({ channelName }) => channelName))
  const kept = videos.filter(({ errorMessage }) => errorMessage === null)
  const facts = [
    ['Data as of', changedAt.toISOString().slice(0, DAY_CHARS)],
    ['Videos', `${new Set(videos.map(({ videoId }) => videoId)).size}, channels: ${channels.size}`],
    ['Published', days.length === 0 ? 'unknown' : `${days[0]} to ${days.at(-1)}`],
    ['Transcripts', String(texts)],
    ['Languages', listed(countsBy(kept, ({ languageCode }) => languageCode ?? 'unknown'))],
    ['Captions', listed(countsBy(kept, ({ trackKind }) => trackWords(trackKind)))],
  ].map(([about, value]) => `${about}: ${value}\n`)
  const head = [name, ...(note === null ? [] : ['', ...note.split('\n')]), '']
  if (tags.length > 0) facts.unshift(`Tags: ${tags.map(oneLine).join(', ')}\n`)
  return `${head.map(oneLine).join('\n')}\n${facts.join('')}\n${FETCHED}\n${missingWords(videos)}\n${FILES}\n${RIGHTS}`
}

const DAY_CHARS = 'YYYY-MM-DD'.length

const FETCHED = `How it was fetched
  These are the captions that the platform publishes with its videos, as their creators
  wrote them or as the platform's speech recognition made them, as said above. Nothing
  was transcribed or corrected here.
`
const FILES = `What the files are
  A folder for each channel, with a file for each transcript and format. ${REPORT_NAME} has
  a line for each transcript: language, kind of captions, dates, address of the video.
  ${ALL_TEXT_NAME} has all of them in one.
`
const RIGHTS = `What to mind
  The words belong to those who said or wrote them: a licence to use or publish them is
  not part of this file.
`

function trackWords(trackKind: string | null): string {
  return trackKind === 'asr' ? 'automatic' : "the creator's own"
}

function countsBy(
  videos: readonly ReportedVideo[],
  wordOf: (video: ReportedVideo) => string,
): [word: string, count: number][] {
  const counts = new Map<string, number>()
  for (const video of videos) counts.set(wordOf(video), (counts.get(wordOf(video)) ?? 0) + 1)
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
}

/** Returns `en (10), de (1)`. */
function listed(counts: readonly [word: string, count: number][]): string {
  return counts.map(([word, count]) => `${oneLine(word)} (${count})`).join(', ') || 'none'
}

function missingWords(videos: readonly ReportedVideo[]): string {
  const removed = videos.filter(({ errorMessage }) => errorMessage !== null)
  const lines = countsBy(removed, ({ errorMessage }) => errorMessage ?? '').map(
    ([reason, count]) => `  ${counted(count, 'transcript')}: ${oneLine(reason)}\n`,
  )
  const [named] = removed
  const more = named === undefined ? '  Nothing.\n' : `  ${REPORT_NAME} names each.\n`
  return `What is missing\n${lines.join('')}${more}`
}
