/**
 * Markdown: transcripts as one document that people read and note-taking programs take in.
 *
 *     ---                              what it is about (YAML)
 *     title: "Daily Notes"
 *     ---
 *     # A video                        one for each video
 *     - Channel: …
 *     ## A chapter                     where the description names some
 *     [1:02](https://…&t=62s) A paragraph …
 */
import { clock } from '../../kit/text/clock.ts'
import { escapedJson } from '../../kit/text/controls.ts'
import { paragraphsOf } from '../transcripts/readable-text.ts'
import { oneLine } from '../transcripts/one-line.ts'
import type { Segment } from '../transcripts/transcript.ts'
import { type Chapter, chapterAt } from '../library/video-details.ts'
import type { ExportedVideo } from './passages.ts'
import { videoAt } from './video-at.ts'

export type FrontMatter = Readonly<Record<string, string | number | null | readonly string[]>>

/**
 * Returns the fields as YAML: strings, numbers and lists of JSON, with escapes for characters that YAML 1.1 may not
 * hold.
 */
export function frontMatter(fields: FrontMatter): string {
  const lines = Object.entries(fields).map(([name, value]) => {
    return `${name}: ${escapedJson(JSON.stringify(value))}\n`
  })
  return `---\n${lines.join('')}---\n`
}

export function markdownOf(video: ExportedVideo, segments: readonly Segment[]): string {
  const parts = chapterParts(segments, video.chapters).map((part) => renderPart(part, video.url))
  return `\n${markdownHead(video)}${parts.join('')}`
}

/** Returns the heading of a video, and its facts. */
export function markdownHead(video: ExportedVideo): string {
  const facts = [
    ['Channel', video.channelName],
    ['Published', video.publishedAt],
    ['Language', video.languageCode],
    ['Captions', video.trackKind === 'asr' ? 'automatic' : 'by the creator'],
  ].flatMap(([name, value]) => (value == null ? [] : [`- ${name}: ${escapedMarkdown(value)}\n`]))
  const link = video.url === null ? '' : `- Video: <${video.url}>\n`
  const title = escapedMarkdown(video.title ?? video.videoId)
  return `# ${title}\n\n${facts.join('')}${link}`
}

type Part = { chapter: Chapter | null; segments: Segment[] }

function chapterParts(segments: readonly Segment[], chapters: readonly Chapter[]): Part[] {
  const parts: Part[] = []
  for (const segment of segments) {
    const chapter = chapterAt(chapters, segment.startMs)
    const last = parts.at(-1)
    if (last?.chapter === chapter) last.segments.push(segment)
    else parts.push({ chapter, segments: [segment] })
  }
  return parts
}

function renderPart({ chapter, segments }: Part, url: string | null): string {
  const heading = chapter === null ? '' : `\n## ${escapedMarkdown(chapter.title)}\n`
  const paragraphs = paragraphsOf(segments).map(({ startMs, text }) => {
    return `\n${timeLink(startMs, url)} ${escapedMarkdown(text)}\n`
  })
  return `${heading}${paragraphs.join('')}`
}

function timeLink(ms: number, url: string | null): string {
  return url === null ? clock(ms) : `[${clock(ms)}](${videoAt(url, ms)})`
}

/** Characters that would be read as markup, `&lt;` included. Lists and quotes begin lines, which no text does here. */
const MARKUP = /[\\`*_[\]<>#|~&]/g

/** Returns one line in which nothing is read as markup. */
export function escapedMarkdown(text: string): string {
  return oneLine(text).replace(MARKUP, (found) => `\\${found}`)
}
