/**
 * Files of a running job, written as its videos are delivered: when it ends, little is left to fetch. What goes wrong
 * here is left to the end, where it is told.
 */
import { isFinal, type Job, type Scriptorium } from '../../typescript/src/index.ts'
import { deliveredBy, PAGE_ROWS } from './deliveries.ts'
import { namesIndex } from './file-names.ts'
import type { Terminal } from './terminal.ts'
import {
  type FileOutput,
  openFolder,
  type OpenFolder,
  writeJob,
  type WrittenFile,
} from './write-files.ts'
import { askForZip } from './zip-download.ts'

/** What is there of the first `rows` of the job's rows, in the order in which they finished. */
export type Early = { folder: OpenFolder | null; rows: number; written: WrittenFile[] }

export type EarlyFiles = {
  /** Begins to fetch what is new, where it is worth two requests; to be called whenever the job was looked at. */
  look(job: Job): void
  /** When what was begun has come to its end. */
  settled(): Promise<Early>
}

/** A job is worth so many fetches, whatever its size: a key has 60 requests a minute, and half of them look at it. */
const FETCHES = 8
const ROWS_MIN = 8

export function openEarlyFiles(
  client: Scriptorium,
  terminal: Terminal,
  output: FileOutput,
): EarlyFiles {
  const early: Early = { folder: null, rows: 0, written: [] }
  let fetching: Promise<void> | null = null
  // Leading zeros of an index depend on the largest one, which is known at the end.
  let isOver = namesIndex(output.template)

  async function fetchNew(jobId: string): Promise<void> {
    const { rows } = early
    const query = { offset: rows, limit: PAGE_ROWS, view: 'rows' as const }
    const { complete, videos } = await client.jobs.resultsPage(jobId, query)
    // A final job's rows stand in another order.
    if (complete) return
    const deliveries = deliveredBy(jobId, videos)
    if (deliveries.length > 0) {
      const { endings } = output
      early.folder ??= openFolder(client, terminal, output)
      const zip = askForZip(client, jobId, { endings, after: rows })
      // What goes wrong with it is told where it is read.
      zip.catch(() => undefined)
      const wish = { deliveries, indexMax: 1, isQuiet: true }
      early.written.push(...(await writeJob(early.folder, wish, zip)))
    }
    early.rows += videos.length
  }

  return {
    look(job) {
      const { progress, input } = job
      const expected = Math.min(progress.discovered ?? input.maxVideos, input.maxVideos)
      const isWorth = progress.processed - early.rows >= Math.max(ROWS_MIN, expected / FETCHES)
      if (!isWorth || isFinal(job) || isOver || fetching !== null) return
      fetching = fetchNew(job.id)
        .catch(() => {
          isOver = true
        })
        .finally(() => {
          fetching = null
        })
    },
    async settled() {
      isOver = true
      await fetching
      return early
    },
  }
}
