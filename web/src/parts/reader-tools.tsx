/** The actions for a transcript: copying it in several forms, citing it, and downloading it. */
import { fileLink } from '../api/account.ts'
import type { Job, JobVideo } from '../api/client.ts'
import { citationOf, type CitationFormat } from '../citations.ts'
import { clock, counted } from '../format.ts'
import { readingMinutes, type Reading, wordsIn } from '../reading.ts'
import { AddToProject } from './add-to-project.tsx'
import { buttonLook } from './controls.tsx'
import { CopyButton, CopyMenu } from './copy.tsx'
import { FileLinks } from './download-menu.tsx'
import { DownloadIcon, OutIcon } from './icons.tsx'
import { Menu } from './menu.tsx'

type Texts = { read: () => Reading; video: JobVideo }

export function ReaderTools({ read, video, job }: Texts & { job: Job | undefined }) {
  const cite = (format: CitationFormat) => () =>
    citationOf(format, { video, quote: null, readAt: new Date() })
  return (
    <div className="mb-6 flex flex-wrap items-start gap-2 print:hidden">
      <CopyButton label="Copy the text" text={() => textOf(read())} />
      <CopyMenu
        label="Copy as…"
        texts={[
          ['Text with times', () => timedTextOf(read())],
          ['Citation, APA', cite('apa')],
          ['Citation, BibTeX', cite('bibtex')],
          ['Citation, Markdown', cite('markdown')],
          ['Citation, RIS', cite('ris')],
        ]}
      />
      {job !== undefined && <VideoFiles job={job} video={video} />}
      {video.url !== null && (
        <a
          href={video.url}
          target="_blank"
          rel="noreferrer"
          className={buttonLook('plain', 'small')}
        >
          <OutIcon /> Video
        </a>
      )}
      <AddToProject
        what={{ videos: [{ jobId: video.jobId, index: video.index }] }}
        label="Add to a project"
      />
    </div>
  )
}

function textOf({ paragraphs }: Reading): string {
  return paragraphs.map(({ text }) => text).join('\n\n')
}

function timedTextOf({ paragraphs }: Reading): string {
  return paragraphs.map(({ startMs, text }) => `${clock(startMs)}\n${text}`).join('\n\n')
}

/** Returns "12,345 words, 54 minutes to read". */
export function lengthWords({ paragraphs }: Reading, language: string | null): string {
  const words = paragraphs.reduce((sum, { text }) => sum + wordsIn(text, language), 0)
  return `${counted(words, 'word')}, ${counted(readingMinutes(words), 'minute')} to read`
}

const FORMATS: Record<string, [ending: string, name: string]> = {
  text: ['txt', 'Text'],
  srt: ['srt', 'SRT subtitles'],
  vtt: ['vtt', 'VTT subtitles'],
  segments: ['json', 'JSON with times'],
}

const WORD_FILES: [file: string, name: string][] = [
  ['words.json', 'Words with times, JSON'],
  ['words.vtt', 'Words with times, VTT'],
]

/** The video's files: in the formats that the job was asked for, and its words where their times are known. */
function VideoFiles({ job, video }: { job: Job; video: JobVideo }) {
  const { index, hasWordTimes } = video
  const texts = job.input.formats.map((format) => {
    const [ending, name] = FORMATS[format] ?? [format, format]
    return { href: fileLink(job.id, `${index}.${ending}?names=title`), name }
  })
  const words = WORD_FILES.map(([file, name]) => ({
    href: fileLink(job.id, `${index}.${file}?names=title`),
    name,
  }))
  const files = hasWordTimes ? [...texts, ...words] : texts
  if (files.length === 0) return null
  return (
    <Menu
      label={
        <>
          <DownloadIcon /> Download
        </>
      }
      look={buttonLook('plain', 'small')}
    >
      <FileLinks files={files} />
    </Menu>
  )
}
