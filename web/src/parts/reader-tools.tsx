/** The actions for a transcript: copying it in several forms, citing it, and downloading it. */
import { fileLink } from '../api/account.ts'
import type { Job, JobVideo } from '../api/client.ts'
import { apaOf, bibtexOf, markdownOf } from '../citations.ts'
import { clock, counted } from '../format.ts'
import { readingMinutes, type Reading, wordsIn } from '../reading.ts'
import { buttonLook } from './controls.tsx'
import { CopyButton } from './copy.tsx'
import { DownloadIcon, OutIcon } from './icons.tsx'

type Texts = { read: () => Reading; video: JobVideo }

export function ReaderTools({ read, video, job }: Texts & { job: Job | undefined }) {
  return (
    <div className="mb-6 flex flex-wrap items-start gap-2 print:hidden">
      <CopyButton label="Copy the text" text={() => textOf(read())} />
      <CopyAs read={read} video={video} />
      {job?.input.formats.map((format) => (
        <FormatLink key={format} jobId={job.id} index={video.index} format={format} />
      ))}
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
    </div>
  )
}

function CopyAs({ read, video }: Texts) {
  const cited = () => ({ video, readAt: new Date() })
  return (
    <details
      className="group relative"
      onKeyDown={({ key, currentTarget }) => {
        if (key !== 'Escape') return
        currentTarget.open = false
        currentTarget.querySelector('summary')?.focus()
      }}
    >
      <summary className={`${buttonLook('plain', 'small')} list-none`}>Copy as…</summary>
      <div className="absolute z-20 mt-1 flex flex-col items-stretch gap-1 rounded-xl border border-line bg-surface p-2 shadow-card">
        <CopyButton label="With times" text={() => timedTextOf(read())} />
        <CopyButton label="Citation, APA" text={() => apaOf(cited())} />
        <CopyButton label="Citation, BibTeX" text={() => bibtexOf(cited())} />
        <CopyButton label="Citation, Markdown" text={() => markdownOf(cited())} />
      </div>
    </details>
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

const FORMATS: Record<string, [string, string]> = {
  text: ['txt', 'Text'],
  srt: ['srt', 'SRT'],
  vtt: ['vtt', 'VTT'],
  segments: ['json', 'JSON'],
}

function FormatLink({ jobId, index, format }: { jobId: string; index: number; format: string }) {
  const [ending, name] = FORMATS[format] ?? [format, format]
  return (
    <a
      href={fileLink(jobId, `${index}.${ending}?names=title`)}
      download
      className={buttonLook('plain', 'small')}
    >
      <DownloadIcon /> {name}
    </a>
  )
}
