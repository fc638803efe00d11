/** Prints delivered transcripts on standard output: `text`, `jsonl` or `markdown`. */
import os from 'node:os'
import { publishDay } from '../../../src/model/platform/publish-day.ts'
import { unchangedOf } from '../../typescript/src/earlier.ts'
import type { Job, Scriptorium, Video } from '../../typescript/src/index.ts'
import type { PRINT_FORMATS } from './commands.ts'
import { type Delivery, deliveredBy, earlierJobs } from './deliveries.ts'
import { jsonOf } from './printable.ts'
import type { Terminal } from './terminal.ts'
import { askForZip, damaged, receiveZip } from './zip-download.ts'

export type PrintFormat = (typeof PRINT_FORMATS)[number]

type Printing = { client: Scriptorium; terminal: Terminal; format: PrintFormat }

/** Rows of a page; with text and segments they are a few megabytes at most. */
const PAGE_ROWS = 50

/**
 * Prints every delivered video of a final job, then the earlier deliveries that it names. Returns how many are printed
 * now; `before` are those of other jobs.
 */
export async function printTexts(
  client: Scriptorium,
  terminal: Terminal,
  {
    job,
    rows,
    format,
    before,
  }: { job: Job; rows: readonly Video[]; format: PrintFormat; before: number },
): Promise<number> {
  const printing = { client, terminal, format }
  const own = deliveredBy(job.id, rows)
  let printed = await printJob(printing, own, before)
  for await (const { deliveries } of earlierJobs(client, job, unchangedOf(job, rows))) {
    printed = await printJob(printing, deliveries, printed)
  }
  return printed
}

/**
 * Prints the deliveries of one job and returns the new count. `printed` is the count so far, since texts have a blank
 * line between them.
 */
async function printJob(
  printing: Printing,
  deliveries: readonly Delivery[],
  printed: number,
): Promise<number> {
  const [first] = deliveries
  if (first === undefined) return printed
  if (printing.format === 'jsonl') await printRows(printing, deliveries)
  else await printParagraphs(printing, first.jobId, { deliveries, isFirst: printed === 0 })
  return printed + deliveries.length
}

/** Prints rows as the service has them, with text and segments. */
async function printRows(
  { client, terminal }: Printing,
  deliveries: readonly Delivery[],
): Promise<void> {
  for (let at = 0; at < deliveries.length;) {
    const { jobId = '', offset = 0 } = deliveries[at] ?? {}
    const near = deliveries.slice(at).filter((one) => one.offset < offset + PAGE_ROWS)
    const limit = (near.at(-1)?.offset ?? offset) - offset + 1
    const { videos } = await client.jobs.resultsPage(jobId, { offset, limit })
    const indexes = new Set(near.map(({ video }) => video.index))
    for (const video of videos.filter(({ index }) => indexes.has(index))) {
      await terminal.data(`${jsonOf(video)}\n`)
    }
    at += near.length
  }
}

/** Prints readable texts from one download for all of them. */
async function printParagraphs(
  { client, terminal, format }: Printing,
  jobId: string,
  { deliveries, isFirst }: { deliveries: readonly Delivery[]; isFirst: boolean },
): Promise<void> {
  const onArrival = (sofar: string): void => terminal.status(() => `Fetching texts  ${sofar}`)
  const indexes = deliveries.map(({ video }) => video.index)
  const endings = ['txt'] as const
  const stream = await askForZip(client, jobId, { endings })
  const zip = await receiveZip(stream, { folder: os.tmpdir(), indexes, endings, onArrival })
  try {
    let gap = isFirst ? '' : '\n'
    for (const delivery of deliveries) {
      const { video } = delivery
      const entry = zip.entries.get(video.index)?.get('txt')
      if (entry === undefined) throw damaged('the ZIP')
      const text = String(zip.read(entry))
      await terminal.data(gap + (format === 'markdown' ? inMarkdown(video, text) : text))
      gap = '\n'
    }
  } finally {
    zip.close()
  }
}

function inMarkdown(video: Video, text: string): string {
  const { title, videoId, channelName, publishedAt, url, languageCode, trackKind } = video
  const captions = trackKind === 'asr' ? `${languageCode}, automatic captions` : languageCode
  const facts = [channelName, publishDay(publishedAt), captions]
    .filter((fact) => fact !== null && fact !== undefined)
    .map(escaped)
  const link = url === null ? [] : [`<${url}>`]
  return [
    `# ${escaped(title ?? videoId ?? 'Untitled')}`,
    '',
    [...facts, ...link].join(' · '),
    '',
    paragraphs(text),
  ].join('\n')
}

/** Returns outside text without the power to make a heading, list, link, picture or HTML. */
function escaped(text: string): string {
  return text.replace(/\s/g, ' ').replace(/[\\`*_[\]<>#&|~]/g, '\\$&')
}

function paragraphs(text: string): string {
  return text
    .split('\n')
    .map((line) => escaped(line).replace(/^(\d{0,9})([-+=.)])/, '$1\\$2'))
    .join('\n')
}
