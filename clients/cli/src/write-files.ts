/** Writes delivered transcripts into a folder: each file at once and whole, none that is there already. */
import fs from 'node:fs'
import path from 'node:path'
import type { FileStream, Job, Scriptorium, Video } from '../../typescript/src/index.ts'
import {
  deliveredBy,
  type Delivery,
  type EarlierJob,
  earlierJobs,
  findEarlier,
} from './deliveries.ts'
import { fileStem, type NamedVideo, type Template } from './file-names.ts'
import { FilePlaces, type Wanted } from './file-places.ts'
import type { Terminal } from './terminal.ts'
import { type JobZip, receiveZip } from './zip-download.ts'

export type FileOutput = {
  folder: string
  template: Template
  /** Of files: `txt`, `srt`, `vtt`, `json`. */
  endings: readonly string[]
}

export type WrittenFile = {
  path: string
  index: number
  videoId: string | null
  jobId: string
  /** False where a file of this content was there already. */
  isNew: boolean
}

/** Videos between two changes of the line that tells how many are written. */
const WRITTEN_A_LOOK = 16

type Writing = FileOutput & { client: Scriptorium; terminal: Terminal; places: FilePlaces }

/**
 * Every delivered video of a final job, then what earlier jobs delivered and the folder lacks. `zip`: of the job,
 * where it was asked for already.
 */
export async function writeFiles(
  client: Scriptorium,
  terminal: Terminal,
  {
    job,
    rows,
    output,
    zip,
  }: { job: Job; rows: readonly Video[]; output: FileOutput; zip: Promise<FileStream> | null },
): Promise<WrittenFile[]> {
  fs.mkdirSync(output.folder, { recursive: true })
  removeLeftOvers(output.folder)
  const writing = { ...output, client, terminal, places: new FilePlaces(output.folder) }
  const indexMax = rows.at(-1)?.index ?? 1
  const own = { deliveries: deliveredBy(job.id, rows), indexMax }
  const written = await writeJob(writing, own, zip ?? undefined)

  const unchanged = rows.filter(({ status }) => status === 'unchanged')
  const missing = hasIds(output.template) ? withoutFiles(output, unchanged, indexMax) : unchanged
  for (const earlier of earlierJobs(missing)) {
    written.push(...(await writeEarlier(writing, earlier)))
  }
  return written
}

async function writeEarlier(writing: Writing, earlier: EarlierJob): Promise<WrittenFile[]> {
  return writeJob(writing, await findEarlier(writing.client, earlier))
}

/** Whether a name says for certain which video it is of. */
function hasIds(template: Template): boolean {
  return template.at(-1)?.some((piece) => piece.kind === 'value' && piece.name === 'id') === true
}

/** Those with no file of their name: a daily repeat asks for nothing that it wrote before. */
function withoutFiles(
  { folder, template, endings }: FileOutput,
  videos: readonly Video[],
  indexMax: number,
): Video[] {
  const missing: Video[] = []
  for (const video of videos) {
    const stem = path.join(folder, ...fileStem(template, namedVideo(video), indexMax))
    if (!endings.every((ending) => fs.existsSync(`${stem}.${ending}`))) missing.push(video)
  }
  return missing
}

/** Deliveries of one job. */
async function writeJob(
  writing: Writing,
  { deliveries, indexMax }: { deliveries: readonly Delivery[]; indexMax: number },
  asked?: Promise<FileStream>,
): Promise<WrittenFile[]> {
  const [first] = deliveries
  if (first === undefined) return []
  const { client, terminal, folder, endings } = writing
  const onShare = (share: number): void => {
    terminal.status(() => `Fetching files  ${Math.floor(share * 100)} %`)
  }
  const indexes = deliveries.map(({ video }) => video.index)
  const stream = await (asked ?? client.files.zip(first.jobId))
  const zip = await receiveZip(stream, { folder, indexes, endings, onShare })
  try {
    const lacking = endings.filter((ending) => !zip.entries.get(first.video.index)?.has(ending))
    if (lacking.length > 0) {
      terminal.warn(`Job ${first.jobId} was ordered without ${lacking.join(' and ')} files`)
    }
    return deliveries.flatMap((delivery, at) => {
      if (at % WRITTEN_A_LOOK === 0)
        terminal.status(() => `Writing files  ${at} of ${deliveries.length}`)
      return writeVideo(writing, zip, delivery, indexMax)
    })
  } finally {
    terminal.status(null)
    zip.close()
  }
}

function writeVideo(
  { folder, template, endings, places }: Writing,
  zip: JobZip,
  { jobId, video }: Delivery,
  indexMax: number,
): WrittenFile[] {
  const entries = zip.entries.get(video.index)
  const wanted: Wanted[] = endings.flatMap((ending) => {
    const entry = entries?.get(ending)
    return entry === undefined ? [] : [{ ...entry, ending }]
  })
  const placed = places.place(fileStem(template, namedVideo(video), indexMax), wanted)
  for (const { file, wanted, isPresent } of placed) {
    const entry = entries?.get(wanted.ending)
    if (!isPresent && entry !== undefined) replaceFile(folder, file, zip.read(entry))
  }
  const { index, videoId } = video
  return placed.map(({ file, isPresent }) => ({
    path: file,
    index,
    videoId,
    jobId,
    isNew: !isPresent,
  }))
}

/** A name that is there is whole: what ends us meanwhile leaves only a hidden file. */
function replaceFile(folder: string, file: string, content: Buffer): void {
  const young = path.join(folder, `.scriptorium-${process.pid}.part`)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(young, content)
  fs.renameSync(young, file)
}

/** What commands left that were ended at once. */
function removeLeftOvers(folder: string): void {
  for (const name of fs.readdirSync(folder)) {
    const [, pid] = /^\.scriptorium-(\d{1,10})(?:-[\da-f-]{36})?\.(?:part|zip)$/.exec(name) ?? []
    if (pid !== undefined && !isRunning(Number(pid))) {
      fs.rmSync(path.join(folder, name), { force: true })
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function namedVideo(video: Video): NamedVideo {
  const { index, videoId, title, channelName, publishedAt, languageCode, trackKind } = video
  return { index, videoId, title, channelName, publishedAt, languageCode, trackKind }
}
