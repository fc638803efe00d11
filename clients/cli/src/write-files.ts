/** Writes delivered transcripts into a folder: each file as a whole, and no existing file is replaced. */
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { unchangedOf } from '../../typescript/src/earlier.ts'
import type { FileStream, Job, Scriptorium, Video } from '../../typescript/src/index.ts'
import { deliveredBy, type Delivery, earlierJobs } from './deliveries.ts'
import { fileStem, type NamedVideo, type Template } from './file-names.ts'
import { FilePlaces, type Wanted } from './file-places.ts'
import type { Terminal } from './terminal.ts'
import { askForZip, type Ending, isOfWords, type JobZip, receiveZip } from './zip-download.ts'

export type FileOutput = {
  folder: string
  template: Template
  /** Endings of the files; those of times of words lack where none are kept. */
  endings: readonly Ending[]
}

export type WrittenFile = {
  path: string
  index: number
  videoId: string | null
  jobId: string
  /** False where a file of this content existed already. */
  isNew: boolean
}

/** Videos between two updates of the line that counts the written files. */
const WRITTEN_A_LOOK = 16

/** A folder that is written to, with the names given in it. */
export type OpenFolder = FileOutput & {
  client: Scriptorium
  terminal: Terminal
  places: FilePlaces
}

/** Deliveries of one job, and how to write them. */
type Wish = {
  deliveries: readonly Delivery[]
  indexMax: number
  /** True keeps progress, and formats that the job lacks, off the terminal. */
  isQuiet?: boolean
}

/** Opens the folder, which is created where it does not exist. */
export function openFolder(
  client: Scriptorium,
  terminal: Terminal,
  output: FileOutput,
): OpenFolder {
  fs.mkdirSync(output.folder, { recursive: true })
  removeLeftOvers(output.folder)
  return { ...output, client, terminal, places: new FilePlaces(output.folder) }
}

/**
 * Writes every delivered video of a final job, then earlier deliveries that the folder lacks. `written` are files from
 * while it ran; `zip` has the rest, where it was asked for already.
 */
export async function writeFiles(
  folder: OpenFolder,
  {
    job,
    rows,
    written,
    zip,
  }: {
    job: Job
    rows: readonly Video[]
    written: readonly WrittenFile[]
    zip: Promise<FileStream> | null
  },
): Promise<WrittenFile[]> {
  const indexMax = rows.at(-1)?.index ?? 1
  const known = new Set(written.map(({ index }) => index))
  const deliveries = deliveredBy(job.id, rows).filter(({ video }) => !known.has(video.index))
  const rest = await writeJob(folder, { deliveries, indexMax }, zip ?? undefined)
  const all = [...written, ...rest].sort((a, b) => a.index - b.index)

  const unchanged = unchangedOf(job, rows)
  const missing = hasIds(folder.template) ? withoutFiles(folder, unchanged, indexMax) : unchanged
  for await (const earlier of earlierJobs(folder.client, job, missing))
    all.push(...(await writeJob(folder, earlier)))
  return all
}

/** Returns whether a file's name identifies its video. */
function hasIds(template: Template): boolean {
  return template.at(-1)?.some((piece) => piece.kind === 'value' && piece.name === 'id') === true
}

/** Returns the videos without a file of their name: a daily repeat fetches nothing that it wrote before. */
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

/** Writes the deliveries of one job; `asked` is its ZIP, where it was asked for already. */
export async function writeJob(
  folder: OpenFolder,
  { deliveries, indexMax, isQuiet = false }: Wish,
  asked?: Promise<FileStream>,
): Promise<WrittenFile[]> {
  const [first] = deliveries
  if (first === undefined) {
    // An open connection would keep the program running.
    await asked?.then((stream) => stream.cancel())
    return []
  }
  const { client, terminal, endings } = folder
  const status = (draw: (() => string) | null): void => {
    if (!isQuiet) terminal.status(draw)
  }
  const onArrival = (sofar: string): void => status(() => `Fetching files  ${sofar}`)
  const indexes = deliveries.map(({ video }) => video.index)
  const stream = await (asked ?? askForZip(client, first.jobId, { endings }))
  const zip = await receiveZip(stream, { folder: folder.folder, indexes, endings, onArrival })
  try {
    const has = zip.entries.get(first.video.index)
    const lacking = endings.filter((ending) => !isOfWords(ending) && has?.has(ending) !== true)
    if (lacking.length > 0 && !isQuiet) {
      terminal.warn(`Job ${first.jobId} was ordered without ${lacking.join(' and ')} files`)
    }
    return deliveries.flatMap((delivery, at) => {
      if (at % WRITTEN_A_LOOK === 0) status(() => `Writing files  ${at} of ${deliveries.length}`)
      return writeVideo(folder, zip, delivery, indexMax)
    })
  } finally {
    status(null)
    zip.close()
  }
}

function writeVideo(
  { folder, template, endings, places }: OpenFolder,
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

/**
 * Writes a file under a hidden name and renames it: a file with its own name is always whole, even if the program is
 * killed. Where others may write to the folder, too, none of them can guess the name, and `wx` follows no link.
 */
function replaceFile(folder: string, file: string, content: Buffer): void {
  const young = path.join(folder, `.scriptorium-${process.pid}-${randomUUID()}.part`)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(young, content, { flag: 'wx' })
  fs.renameSync(young, file)
}

/** Removes what killed commands left behind. */
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
