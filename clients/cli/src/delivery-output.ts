/** Brings the texts of a job to where they are wanted, and prints what became of them. */
import path from 'node:path'
import type { FileStream, Job, Scriptorium, Video } from '../../typescript/src/index.ts'
import { unchangedOf } from '../../typescript/src/earlier.ts'
import { readRows } from './deliveries.ts'
import { type Early, openEarlyFiles } from './early-files.ts'
import { EXIT, type ExitCode } from './failure.ts'
import type { Output } from './output.ts'
import { type PrintFormat, printTexts } from './print-texts.ts'
import { printJson, type Shell } from './shell.ts'
import { dollars } from './usd.ts'
import { videosIn } from './wish.ts'
import { type FileOutput, openFolder, writeFiles, type WrittenFile } from './write-files.ts'
import { askForZip } from './zip-download.ts'

/** Statuses of rows that were asked for and have no text anywhere. */
const MISSING: ReadonlySet<string> = new Set([
  'no_captions',
  'language_not_available',
  'private',
  'unavailable',
  'blocked_suspect',
  'invalid_url',
  'failed',
])

export type Delivering = {
  /** Call this with each state of the running job: texts that it has delivered may be fetched already. */
  look(job: Job): void
  /** Takes a final job. Prints what was written and what is missing; returns the command's exit code. */
  deliver(job: Job): Promise<ExitCode>
}

export function openDelivery(shell: Shell, client: Scriptorium, output: Output): Delivering {
  if (output.kind === 'stdout') {
    const { format } = output
    return {
      look: () => undefined,
      deliver: async (job) => sayEnd(shell, job, await print(shell, client, { job, format })),
    }
  }
  const early = openEarlyFiles(client, shell.terminal, output)
  return {
    look: early.look,
    async deliver(job) {
      const there = await early.settled()
      return sayEnd(shell, job, await write(shell, client, { job, output, early: there }))
    },
  }
}

function sayEnd(shell: Shell, job: Job, rows: readonly Video[]): ExitCode {
  if (!shell.isJson) {
    sayMissing(shell, rows)
    sayEnding(shell, job, rows)
  }
  return exitOf(job, rows)
}

async function print(
  { terminal }: Shell,
  client: Scriptorium,
  { job, format }: { job: Job; format: PrintFormat },
): Promise<Video[]> {
  const rows = await readRows(client, job.id)
  const printed = await printTexts(client, terminal, { job, rows, format })
  terminal.say(`${counted(printed, 'transcript')} printed${costOf(job)}`)
  return rows
}

async function write(
  shell: Shell,
  client: Scriptorium,
  { job, output, early }: { job: Job; output: FileOutput; early: Early },
): Promise<Video[]> {
  const { rows, zip } = await rowsAndZip(client, job, { output, early })
  const folder = early.folder ?? openFolder(client, shell.terminal, output)
  const files = await writeFiles(folder, { job, rows, written: early.written, zip })
  if (shell.isJson) await printJson(shell, summaryOf({ job, rows, output, files }))
  else sayFiles(shell, { job, output, files })
  return rows
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
    return { rows: await readRows(client, job.id), zip }
  } catch (error) {
    // An open connection would keep the program running.
    void zip?.then((stream) => stream.cancel()).catch(() => undefined)
    throw error
  }
}

function summaryOf({
  job,
  rows,
  output,
  files,
}: {
  job: Job
  rows: readonly Video[]
  output: FileOutput
  files: readonly WrittenFile[]
}) {
  return {
    job,
    folder: output.folder,
    files,
    missing: rows
      .filter(({ status }) => MISSING.has(status))
      .map(({ index, videoId, title, url, status, label, errorMessage }) => {
        return { index, videoId, title, url, status, label, errorMessage }
      }),
  }
}

function sayFiles(
  { terminal }: Shell,
  { job, output, files }: { job: Job; output: FileOutput; files: readonly WrittenFile[] },
): void {
  const fresh = files.filter(({ isNew }) => isNew).length
  const present = files.length - fresh
  const kept = present === 0 ? '' : `, ${present} there already`
  const folder = path.relative('', output.folder)
  const shown = folder === '' ? '.' : folder.startsWith('..') ? output.folder : folder
  terminal.say(`${counted(fresh, 'file')} written to ${shown}${kept}${costOf(job)}`)
}

function sayMissing({ terminal }: Shell, rows: readonly Video[]): void {
  const missing = rows.filter(({ status }) => MISSING.has(status))
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

function sayEnding({ terminal }: Shell, job: Job, rows: readonly Video[]): void {
  const { state, error, input, progress } = job
  if (state !== 'finished')
    terminal.warn(`The job is ${state}${error === null ? '' : `: ${error}`}`)
  const unchanged = unchangedOf(job, rows).length
  if (unchanged > 0) {
    terminal.say(`${counted(unchanged, 'video')} had been delivered before and cost nothing again`)
  }
  const used = progress.processed - freeRows(rows)
  if (state === 'finished' && used >= input.maxVideos && videosIn(input.urls) === null) {
    terminal.say(
      `That was the limit, ${counted(used, 'video')}: the same command goes on behind them`,
    )
  }
}

function freeRows(rows: readonly Video[]): number {
  return rows.filter(({ status }) => ['unchanged', 'skipped', 'truncated'].includes(status)).length
}

function costOf({ billing }: Job): string {
  return billing.charged === null ? '' : `, ${dollars(billing.charged)}`
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

function exitOf(job: Job, rows: readonly Video[]): ExitCode {
  if (job.state !== 'finished') return EXIT.partial
  const isCapped = job.input.maxVideos < job.input.requestedMaxVideos
  const isCut = isCapped && job.progress.processed - freeRows(rows) >= job.input.maxVideos
  return isCut || rows.some(({ status }) => MISSING.has(status)) ? EXIT.partial : EXIT.ok
}
