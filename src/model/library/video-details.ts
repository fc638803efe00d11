/** Details of a video that the platform tells beside its captions, chapters among them. */
import type { TrackKind } from '../transcripts/transcript.ts'
import { firstWhere } from '../../kit/first-where.ts'
import { hasVisible, withoutInvisible } from '../../kit/text/invisible.ts'

/** Facts of a row's video and its captions that files show; null where nothing is known. */
export type FiledVideo = {
  videoId: string | null
  title: string | null
  url: string | null
  channelName: string | null
  /** The publish date in ISO 8601. */
  publishedAt: string | null
  languageCode: string | null
  trackKind: string | null
}

/** Details of a video that exports show. */
export type ShownDetails = {
  channelId: string | null
  durationSeconds: number | null
  /** The uploader's own keywords; empty where there are none. */
  keywords: string[] | null
}

/** Details but for the tracks. Each is null where the platform did not say; a later reply may. */
export type TracklessDetails = ShownDetails & {
  viewCount: number | null
  description: string | null
  category: string | null
}

export type VideoDetails = TracklessDetails & {
  /** Every caption track that the video has; null where none was listed. */
  tracks: VideoTrack[] | null
}

/** A caption track of a video, as the platform lists it. */
export type VideoTrack = {
  /** The code as the platform spells it. */
  languageCode: string
  kind: TrackKind
  /** Name that the platform or the track's author gave it; null where it has none. */
  name: string | null
  /** Whether players of the platform show it by default. */
  isDefault: boolean
  /** Whether the platform would translate it by machine. */
  isTranslatable: boolean
}

export const NO_DETAILS: VideoDetails = {
  channelId: null,
  durationSeconds: null,
  viewCount: null,
  keywords: null,
  description: null,
  category: null,
  tracks: null,
}

/** Returns whether anything is known that is worth keeping. */
export function hasDetails(details: VideoDetails): boolean {
  return Object.values(details).some((value) => value !== null)
}

/** Merges what two replies say of the same video; where both say something, the first one is believed. */
export function mergeDetails(known: VideoDetails, more: VideoDetails): VideoDetails {
  const said = Object.entries(known).filter(([, value]) => value !== null)
  return { ...more, ...Object.fromEntries(said) }
}

/**
 * A part of a video that its description names on one line: `4:10 – What went wrong`. The platform's own rule (its help
 * pages, 2026): the first begins at 0:00, there are three or more, and each is ten seconds or longer.
 */
export type Chapter = { startMs: number; title: string }

const CHAPTERS_MIN = 3
/** More chapters than a description of 5,000 characters can hold. */
const CHAPTERS_MAX = 500
const CHAPTER_MS_MIN = 10_000
const TITLE_CHARS_MAX = 200
const LINE_CHARS_MAX = 400

/** Signs that people put before a time in a list: blanks, bullets, dashes, a bracket. */
const BEFORE_TIME = /^[\s\-–—•*▶►([]+/u
const DIGIT = /\d/
const TIME = /^(?:\d{1,2}:)?[0-5]?\d:[0-5]\d/
/** Signs between a time and its title: without one, the digits read were part of a longer number. */
const AFTER_TIME = /^[\s\-–—:.|,)\]]+/u

/** Returns the chapters in order; empty where the description names none. */
export function chaptersOf(description: string | null): Chapter[] {
  if (description === null) return []
  const chapters: Chapter[] = []
  for (const line of description.split('\n')) {
    const chapter = readLine(line)
    if (chapter !== null && chapters.length < CHAPTERS_MAX) chapters.push(chapter)
  }
  return isChapterList(chapters) ? chapters : []
}

/**
 * Returns the chapter that is on at an instant; null before the first one or where there are none. It is asked for each
 * segment of a text, so it halves the chapters instead of looking through them.
 */
export function chapterAt(chapters: readonly Chapter[], ms: number): Chapter | null {
  const next = firstWhere(chapters, ({ startMs }) => startMs > ms)
  return chapters[next - 1] ?? null
}

function readLine(line: string): Chapter | null {
  const whole = line.slice(0, LINE_CHARS_MAX)
  const from = whole.search(DIGIT)
  if (from < 0 || withoutInvisible(whole.slice(0, from)).replace(BEFORE_TIME, '') !== '')
    return null
  const text = whole.slice(from)
  const time = TIME.exec(text)?.[0] ?? ''
  const rest = text.slice(time.length)
  const title = rest.replace(AFTER_TIME, '').trim()
  if (time === '' || !hasVisible(title) || title === rest) return null
  return { startMs: msOf(time), title: title.slice(0, TITLE_CHARS_MAX).toWellFormed() }
}

function isChapterList(chapters: readonly Chapter[]): boolean {
  if (chapters.length < CHAPTERS_MIN || chapters[0]?.startMs !== 0) return false
  return chapters.every(({ startMs }, at) => {
    const before = chapters[at - 1]
    return before === undefined || startMs >= before.startMs + CHAPTER_MS_MIN
  })
}

/** Returns the milliseconds of `m:ss` or `h:mm:ss`. */
function msOf(time: string): number {
  return time.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0) * 1000
}
