/** All that can be done with a transcript, in one menu: its copies, its files, and what becomes of it. */
import { FORMATS, FORMS, WORD_FILES, WORDS } from '../../../src/model/files/catalogue.ts'
import {
  CITATION_FORMATS,
  type CitationFormat,
  citationOf,
} from '../../../src/model/files/citations.ts'
import { formOf } from '../../../src/model/files/formats.ts'
import { clock } from '../../../src/kit/text/clock.ts'
import { fileLink } from '../api/account.ts'
import type { Job, JobVideo } from '../api/client.ts'
import type { Reading } from '../reading.ts'
import { DeleteTexts } from './delete-texts.tsx'
import { FileLinks } from './download-menu.tsx'
import { MENU_ROW } from './menu.tsx'

/** The text that can be copied is plain already. */
const CITATIONS = (Object.keys(CITATION_FORMATS) as CitationFormat[]).filter(
  (format) => format !== 'plain',
)

type Props = {
  video: JobVideo
  job: Job | undefined
  read: () => Reading
  copyText: () => string
  onCopy: (text: string) => void
  onAdd: () => void
}

const GROUP = 'border-b border-line pb-1 mb-1'

export function ReaderActions({ video, job, read, copyText, onCopy, onAdd }: Props) {
  const { jobId, index, url } = video
  const copies: [name: string, text: () => string][] = [
    ['the text', copyText],
    ['with times', () => timedTextOf(read())],
    ...CITATIONS.map((format): [string, () => string] => [
      `a citation, ${CITATION_FORMATS[format]}`,
      () => citationOf(format, { video, quote: null, readAt: new Date() }),
    ]),
  ]
  return (
    <>
      <div className={GROUP}>
        {copies.map(([name, text]) => (
          <button key={name} type="button" className={MENU_ROW} onClick={() => onCopy(text())}>
            Copy {name}
          </button>
        ))}
      </div>
      <div className={`${GROUP} empty:hidden`}>
        {job !== undefined && <FileLinks files={filesOf(job, video)} />}
      </div>
      {url !== null && (
        <a href={url} target="_blank" rel="noreferrer" className={MENU_ROW}>
          Open the video
        </a>
      )}
      <button type="button" className={MENU_ROW} onClick={onAdd}>
        Add to a project
      </button>
      {/* The menu stays open behind the question, which gives the focus back. */}
      <div onClick={(event) => event.stopPropagation()}>
        <DeleteTexts
          path={`/jobs/${jobId}/videos/${index}/text`}
          trigger="Delete this text…"
          triggerLook={`${MENU_ROW} text-danger`}
        />
      </div>
    </>
  )
}

function timedTextOf({ paragraphs }: Reading): string {
  return paragraphs.map(({ startMs, text }) => `${clock(startMs)}\n${text}`).join('\n\n')
}

/** The video's files: in the formats that the job was asked for, and its words where their times are known. */
function filesOf(job: Job, { index, hasWordTimes }: JobVideo) {
  const forms = FORMATS.filter((format) => job.input.formats.includes(format)).map(formOf)
  const files = [
    ...forms.map((form) => [form, FORMS[form].label]),
    ...(hasWordTimes ? WORD_FILES.map((file) => [file, WORDS[file].label]) : []),
  ]
  return files.map(([file, label]) => ({
    href: fileLink(job.id, `${index}.${file}?names=title`),
    name: `Download ${label}`,
  }))
}
