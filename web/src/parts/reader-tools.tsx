/** The actions for a transcript: copying it in several forms, citing it, and downloading it. */
import { FORMATS, FORMS, WORD_FILES, WORDS } from '../../../src/model/files/catalogue.ts'
import { formOf } from '../../../src/model/files/formats.ts'
import { fileLink } from '../api/account.ts'
import type { Job, JobVideo } from '../api/client.ts'
import {
  CITATION_FORMATS,
  citationOf,
  type CitationFormat,
} from '../../../src/model/files/citations.ts'
import { counted } from '../format.ts'
import { clock } from '../../../src/kit/text/clock.ts'
import { readingMinutes, type Reading, wordsIn } from '../reading.ts'
import { AddToProject } from './add-to-project.tsx'
import { buttonLook } from './controls.tsx'
import { CopyButton, CopyMenu } from './copy.tsx'
import { DeleteTexts } from './delete-texts.tsx'
import { FileLinks } from './download-menu.tsx'
import { DownloadIcon, OutIcon } from './icons.tsx'
import { Menu } from './menu.tsx'

/** The text that can be copied is plain already. */
const CITATIONS = (Object.keys(CITATION_FORMATS) as CitationFormat[]).filter(
  (format) => format !== 'plain',
)

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
          ...CITATIONS.map((format): [string, () => string] => [
            `Citation, ${CITATION_FORMATS[format]}`,
            cite(format),
          ]),
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
      <DeleteTexts
        path={`/jobs/${video.jobId}/videos/${video.index}/text`}
        label="Delete this text…"
        look={buttonLook('plain', 'small')}
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

/** The video's files: in the formats that the job was asked for, and its words where their times are known. */
function VideoFiles({ job, video }: { job: Job; video: JobVideo }) {
  const { index, hasWordTimes } = video
  const ordered = FORMATS.filter((format) => job.input.formats.includes(format))
  const texts = ordered.map((format) => {
    const form = formOf(format)
    return { href: fileLink(job.id, `${index}.${form}?names=title`), name: FORMS[form].label }
  })
  const words = WORD_FILES.map((file) => ({
    href: fileLink(job.id, `${index}.${file}?names=title`),
    name: WORDS[file].label,
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
