/** Notes of a vault: a video as one Markdown file that begins with its properties, as Obsidian reads them. */
import { hasVisible } from '../../kit/text/invisible.ts'
import { trimCharacters } from '../../kit/text/outside-text.ts'
import { publishDay } from '../platform/publish-day.ts'
import { oneLine } from '../transcripts/one-line.ts'
import type { Segment } from '../transcripts/transcript.ts'
import { captionsWord } from './four-cat.ts'
import { frontMatter, markdownOf } from './markdown.ts'
import type { ExportedVideo } from './passages.ts'

/** Markup of notes and not of all Markdown: formulas, comments, highlights. */
const NOTE_MARKUP = /\$|%(?=%)|=(?==)/g
/** Characters that no tag of a vault may have. */
const NO_TAG = /[^\p{L}\p{M}\p{N}_-]+/gu
const LETTER = /\p{L}/u

/** Returns the note; what is not known of the video is no property of it. */
export function noteOf(video: ExportedVideo, segments: readonly Segment[]): string {
  const { videoId, title, channelName, publishedAt, url, languageCode, durationSeconds } = video
  const properties = {
    title: propertyOf(title) ?? videoId,
    channel: propertyOf(channelName),
    published: publishDay(publishedAt),
    url,
    videoId,
    language: languageCode,
    captions: captionsWord(video),
    duration: durationSeconds,
    tags: tagsOf(video.keywords ?? []),
  }
  const known = Object.entries(properties).filter(([, value]) => value !== null)
  const text = markdownOf(video, segments).replace(NOTE_MARKUP, '\\$&')
  return `${frontMatter(Object.fromEntries(known))}${text}`
}

function propertyOf(text: string | null): string | null {
  const line = oneLine(text ?? '')
  return hasVisible(line) ? line : null
}

/** Returns keywords as tags: words joined by hyphens, with a letter at least, each once. */
function tagsOf(keywords: readonly string[]): string[] {
  const tags = keywords.map((keyword) => {
    return trimCharacters(keyword.toWellFormed().replace(NO_TAG, '-'), { start: '-', end: '-' })
  })
  return [...new Set(tags)].filter((tag) => LETTER.test(tag))
}
