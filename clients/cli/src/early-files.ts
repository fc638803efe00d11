/**
 * Files of a running job, written as its videos are delivered, so that little is left to fetch when it ends. A failure
 * stops the early fetching; what is missing is fetched at the end, where failures are reported.
 */
import { isFinal, type Job, type Scriptorium } from '../../typescript/src/index.ts'
import { deliveredBy, PAGE_ROWS } from './deliveries.ts'
import { namesIndex } from './file-names.ts'
import { type FileOutput, type OpenFolder, writeJob, type WrittenFile } from './write-files.ts'
import { askForZip } from './zip-download.ts'

/** Files written so far, of the first `rows` rows in the order in which they finished. */
export type Early = { rows: number; written: WrittenFile[] }

export type EarlyFiles = {
  /** Begins to fetch new files, where they are worth two requests. Call this with each state of the job. */
  look(job: Job): void
  /** Resolves when a fetch that was begun has ended. */
  settled(): Promise<Early>
}

/**
 * A job gets this many fetches, whatever its size: a key has 60 requests a minute, and half of them ask for its state.
 */
const FETCHES = 8
const ROWS_MIN = 8

export function openEarlyFiles(
  client: Scriptorium,
  output: FileOutput,
  open: () => OpenFolder,
): EarlyFiles {
  const early: Early = { rows: 0, written: [] }
  let fetching: Promise<void> | null = null
  // Leading zeros of an index depend on the largest index, which is known only at the end.
  let isOver = namesIndex(output.template)

  async function fetchNew(jobId: string): Promise<void> {
    const { rows } = early
    const query = { offset: rows, limit: PAGE_ROWS, view: 'rows' as const }
    const { complete, videos } = await client.jobs.resultsPage(jobId, query)
    // A final job's rows are in another order.
    if (complete) return
    const deliveries = deliveredBy(jobId, videos)
    if (deliveries.length > 0) {
      const { endings } = output
      const folder = open()
      const zip = askForZip(client, jobId, { endings, after: rows })
      // A failure is reported where the ZIP is read.
      zip.catch(() => undefined)
      const wish = { deliveries, indexMax: 1, isQuiet: true }
      early.written.push(...(await writeJob(folder, wish, zip)))
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
