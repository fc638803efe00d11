/** A delivered job made up from a seed: rows, forms and report, as a store would answer. */
import type {
  DeliveredRow,
  ReadForms,
  ReadReportRows,
  ReportRow,
} from '../../src/model/files/job-rows.ts'
import { FILE_FORMS, type FileForm } from '../../src/model/files/catalogue.ts'
import { oneLineSegments } from '../../src/model/transcripts/one-line.ts'
import { contentFacts } from '../../src/model/files/recorded-forms.ts'
import { writeForm } from '../../src/model/files/write-form.ts'
import type { Segment } from '../../src/model/transcripts/transcript.ts'

export const TITLES = [
  'A plain title',
  '=SUM(A1:A9), "quoted"',
  '../../etc/passwd',
  'Zürich — 東京 🎉',
  'two\nlines\r\nand a tab\t',
  'CON',
  'harmless\u202etxt.exe',
  'half \ud83d',
  '',
]
export const LINES = [
  'hello there',
  'a --> b',
  '00:00:01,000 --> 00:00:02,000',
  '<i>tags</i> & <b>more</b> 1 < 2',
  'C:\\new {\\an8} {y:i}',
  '>> Who? “Me.” Yes.',
  'שלום 🎉 日本語',
  '42',
  'NOTE',
  'WEBVTT',
]

export type MadeUpJob = {
  rows: DeliveredRow[]
  readForms: ReadForms
  readReportRows: ReadReportRows
  reportRows: ReportRow[]
  segments: Map<number, Segment[]>
  /** Questions that `readForms` was asked. */
  asked: Parameters<ReadForms>[0][]
}

/** Returns a job with `delivered` transcripts at odd indexes, and a failed row at every even one. */
export async function madeUpJob(delivered: number): Promise<MadeUpJob> {
  const contents = new Map<number, Partial<Record<FileForm, Buffer>>>()
  const job: MadeUpJob = {
    rows: [],
    reportRows: [],
    segments: new Map(),
    asked: [],
    readForms: async (keys) => {
      job.asked.push(keys)
      return ({ index, form }) => contents.get(index)![form as FileForm]!
    },
    readReportRows: async ({ after, limit }) => {
      return job.reportRows.filter(({ index }) => index > after).slice(0, limit)
    },
  }
  for (let at = 0; at < delivered; at++) {
    const index = at * 2 + 1
    const segments = segmentsOf(at)
    const forms = FILE_FORMS.map((form) => {
      return [form, writeForm(oneLineSegments(segments), form)] as const
    })
    const facts = forms.map(([form, content]) => [form, contentFacts(content)])
    const row = { ...metadata(index, at), languageCode: 'en', trackKind: 'manual' }
    job.rows.push({ ...row, forms: Object.fromEntries(facts) })
    job.reportRows.push(
      reported(row, 'success'),
      reported(metadata(index + 1, at + 1), 'no_captions'),
    )
    job.segments.set(index, segments)
    contents.set(index, Object.fromEntries(forms))
  }
  return job
}

export { FILE_FORMS }

function metadata(index: number, at: number) {
  return {
    index,
    videoId: `-video${index}`,
    title: TITLES[at % TITLES.length] || null,
    url: `https://videos.example/watch?v=-video${index}`,
    channelName: at % 2 === 0 ? '@channel, "the"' : null,
    publishedAt: '2026-01-02T03:04:05+09:00',
    languageCode: null,
    trackKind: null,
  }
}

function reported(
  row: Omit<ReportRow, 'status' | 'label' | 'errorMessage' | 'chargedUsd'>,
  status: string,
): ReportRow {
  const isDelivered = status === 'success'
  return {
    ...row,
    status,
    label: isDelivered ? 'Delivered' : 'No captions',
    errorMessage: isDelivered ? null : '-1 tracks,\r\nreally',
    chargedUsd: isDelivered ? '0.008' : '0.000',
  }
}

function segmentsOf(at: number): Segment[] {
  return Array.from({ length: 3 + (at % 20) }, (_, line) => ({
    startMs: line * 1_000,
    endMs: line * 1_000 + 1 + ((at * 37 + line * 91) % 1_000),
    text: LINES[(at + line) % LINES.length] ?? '',
  }))
}
