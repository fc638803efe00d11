/** Brings the texts of a job to where they are wanted, and prints what became of them. */
import path from 'node:path'
import { WORD_ENDINGS } from '../../typescript/src/catalogue.ts'
import type { FileStream, Job, Scriptorium, Video } from '../../typescript/src/index.ts'
import { unchangedOf } from '../../typescript/src/earlier.ts'
import { readRows } from './deliveries.ts'
import { type Early, openEarlyFiles } from './early-files.ts'
import { EXIT, type ExitCode } from './failure.ts'
import type { Output } from './output.ts'
import { printTexts } from './print-texts.ts'
import { printJson, type Shell } from './shell.ts'
import type { Terminal } from './terminal.ts'
import { dollars } from './usd.ts'
import { videosIn } from './wish.ts'
import {
  type FileOutput,
  type OpenFolder,
  openFolder,
  writeFiles,
  type WrittenFile,
} from './write-files.ts'
import { askForZip, isOfWords } from './zip-download.ts'

/** Statuses of rows that have a text, or of videos that were not asked for: all others are of missing texts. */
const NOT_MISSING: ReadonlySet<string> = new Set<Video['status']>([
  'success',
  'unchanged',
  'skipped',
  'truncated',
])

/** What an order has brought so far: its folder, once one is open, its videos, and how many texts it printed. */
export type Sofar = { folder: OpenFolder | null; videos: Set<string | null>; printed: number }

/** What a job brought. Rows of videos that the same order brought before are left out. */
export type Brought = { job: Job; rows: Video[]; files: WrittenFile[] }

export type Bringing = {
  /** Call this with each state of the running job: texts that it has delivered may be fetched already. */
  look(job: Job): void
  /** Takes a final job, and writes or prints its texts. */
  bring(job: Job): Promise<Brought>
}

export type Delivering = Pick<Bringing, 'look'> & {
  /** Takes a final job. Prints what was written and what is missing; returns the command's exit code. */
  deliver(job: Job): Promise<ExitCode>
}

export function nothingYet(): Sofar {
  return { folder: null, videos: new Set(), printed: 0 }
}

export function openDelivery(shell: Shell, client: Scriptorium, output: Output): Delivering {
  const sofar = nothingYet()
  const { look, bring } = openBringing(shell, client, { output, sofar })
  return {
    look,
    async deliver(job) {
      const { rows, files } = await bring(job)
      if (shell.isJson && output.kind === 'files') {
        const { folder } = output
        await printJson(shell, { job, folder, files, missing: missingOf(rows) })
      } else {
        sayBrought(shell, { output, files, printed: sofar.printed, cost: job.billing.charged })
        sayMissing(shell, rows)
        sayEnding(shell, job, rows)
      }
      return exitOf(job, rows)
    },
  }
}

/** Brings the texts of one job of an order, without telling of them. */
export function openBringing(
  shell: Shell,
  client: Scriptorium,
  { output, sofar }: { output: Output; sofar: Sofar },
): Bringing {
  const ofJob = (rows: readonly Video[]): Video[] =>
    rows.filter(({ status, videoId }) => status === 'success' || !sofar.videos.has(videoId))
  const had = (rows: readonly Video[]): void => {
    for (const { status, videoId } of rows)
      if (status === 'success' || status === 'unchanged') sofar.videos.add(videoId)
  }
  if (output.kind === 'stdout') {
    const { format } = output
    return {
      look: () => undefined,
      async bring(job) {
        const rows = ofJob(await readRows(client, job.id, { include: 'textRow' }))
        const printing = { job, rows, format, before: sofar.printed }
        sofar.printed += await printTexts(client, shell.terminal, printing)
        had(rows)
        return { job, rows, files: [] }
      },
    }
  }
  const open = (): OpenFolder => (sofar.folder ??= openFolder(client, shell.terminal, output))
  const early = openEarlyFiles(client, output, open)
  return {
    look: early.look,
    async bring(job) {
      const there = await early.settled()
      const { rows: all, zip } = await rowsAndZip(client, job, { output, early: there })
      const rows = ofJob(all)
      const files = await writeFiles(open(), { job, rows, written: there.written, zip })
      had(rows)
      return { job, rows, files }
    },
  }
}

/** Reads the rows, and meanwhile asks for the ZIP of files that are not written yet; null where none are missing. */
async function rowsAndZip(
  client: Scriptorium,
  job: Job,
  { output, early }: { output: FileOutput; early: Early },
): Promise<{ rows: Video[]; zip: Promise<FileStream> | null }> {
  const videos = new Set(early.written.map(({ index }) => index)).size
  const isWanted = job.progress.delivered > videos
  const { endings } = output
  const zip = isWanted ? askForZip(client, job.id, { endings, after: early.rows }) : null
  // A failure is reported where the ZIP is read.
  zip?.catch(() => undefined)
  try {
    return { rows: await readRows(client, job.id, { include: 'textRow' }), zip }
  } catch (error) {
    // An open connection would keep the program running.
    void zip?.then((stream) => stream.cancel()).catch(() => undefined)
    throw error
  }
}

/** Returns the rows that were asked for and have no text anywhere. */
export function missingRows(rows: readonly Video[]): Video[] {
  return rows.filter(({ status }) => !NOT_MISSING.has(status))
}

/** Returns what `--json` tells of them. */
export function missingOf(rows: readonly Video[]) {
  return missingRows(rows).map(({ index, videoId, title, url, status, label, errorMessage }) => {
    return { index, videoId, title, url, status, label, errorMessage }
  })
}

type Summary = {
  output: Output
  files: readonly WrittenFile[]
  printed: number
  /** What was charged; null where that is not known yet. */
  cost: string | null
}

export function sayBrought({ terminal }: Shell, { output, files, printed, cost }: Summary): void {
  const price = cost === null ? '' : `, ${dollars(cost)}`
  if (output.kind === 'stdout') {
    return terminal.say(`${counted(printed, 'transcript')} printed${price}`)
  }
  const fresh = files.filter(({ isNew }) => isNew).length
  const present = files.length - fresh
  const kept = present === 0 ? '' : `, ${present} there already`
  const folder = path.relative('', output.folder)
  const shown = folder === '' ? '.' : folder.startsWith('..') ? output.folder : folder
  terminal.say(`${counted(fresh, 'file')} written to ${shown}${kept}${price}`)
  const without = output.endings.some(isOfWords) ? withoutWords(files) : 0
  if (without > 0) terminal.say(`No times of words for ${counted(without, 'video')}: ${NO_TIMES}`)
}

const NO_TIMES = 'the platform published none, or the text was fetched before the service kept any'

/** Returns how many of the videos whose files these are have no file of words. */
function withoutWords(files: readonly WrittenFile[]): number {
  const nameOf = ({ jobId, index }: WrittenFile): string => `${jobId} ${index}`
  const timed = files.filter(({ path }) =>
    Object.values(WORD_ENDINGS).some((ending) => path.endsWith(`.${ending}`)),
  )
  return new Set(files.map(nameOf)).size - new Set(timed.map(nameOf)).size
}

export function sayMissing({ terminal }: Shell, rows: readonly Video[]): void {
  const missing = missingRows(rows)
  if (missing.length === 0) return
  terminal.warn(`${counted(missing.length, 'video')} without a transcript (free):`)
  const byReason = new Map<string, Video[]>()
  for (const video of missing) {
    const reason = video.errorMessage ?? video.label
    byReason.set(reason, [...(byReason.get(reason) ?? []), video])
  }
  for (const [reason, videos] of byReason) {
    terminal.warn(`  ${reason}`)
    for (const video of videos) terminal.warn(`    ${nameOf(video)}`)
  }
}

function nameOf({ title, videoId, url }: Video): string {
  if (title === null) return url ?? videoId ?? 'a video'
  return videoId === null ? title : `${title} [${videoId}]`
}

function sayEnding({ terminal, options }: Shell, job: Job, rows: readonly Video[]): void {
  const { state, error, input, progress } = job
  if (state !== 'finished')
    terminal.warn(`The job is ${state}${error === null ? '' : `: ${error}`}`)
  sayUnchanged(terminal, unchangedOf(job, rows).length)
  const used = progress.processed - freeRows(rows)
  // An order of all videos ends at its limit where it has all of them, and goes on where a list is cut.
  const isCut = options['all'] !== true || (progress.counts['truncated'] ?? 0) > 0
  const isAtLimit = used >= input.maxVideos && videosIn(input.urls) === null
  if (state === 'finished' && isAtLimit && isCut) {
    terminal.say(
      `That was the limit, ${counted(used, 'video')}: run the same command again for the next ones`,
    )
  }
}

export function sayUnchanged(terminal: Terminal, unchanged: number): void {
  if (unchanged === 0) return
  terminal.say(`${counted(unchanged, 'video')} had been delivered before and cost nothing again`)
}

function freeRows(rows: readonly Video[]): number {
  return rows.filter(({ status }) => ['unchanged', 'skipped', 'truncated'].includes(status)).length
}

export function counted(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`
}

function exitOf(job: Job, rows: readonly Video[]): ExitCode {
  if (job.state !== 'finished') return EXIT.partial
  const isCapped = job.input.maxVideos < job.input.requestedMaxVideos
  const isCut = isCapped && job.progress.processed - freeRows(rows) >= job.input.maxVideos
  return isCut || missingRows(rows).length > 0 ? EXIT.partial : EXIT.ok
}
