/** What the demo prints: progress, the rows of a job, a few lines of a transcript. */
import { stripVTControlCharacters } from 'node:util'
import type { Job, JobEvent, Video } from '../../clients/typescript/src/index.ts'

const BAR_WIDTH = 30
const LINES_SHOWN = 4
/** Delivered rows that are shown; the others are counted. */
const DELIVERED_SHOWN = 5
/** Width of a line in a pipe. */
const COLUMNS = 120

/**
 * Draws what happens to a job: a bar that moves with each video on a terminal, elsewhere a line for each state.
 * Resolves with the job when it is final.
 */
export async function drawProgress(events: AsyncIterable<JobEvent>): Promise<Job | null> {
  let job: Job | null = null
  const counted = { processed: 0, delivered: 0 }
  for await (const event of events) {
    if (event.type === 'job') {
      ;({ job } = event)
      Object.assign(counted, job.progress)
    } else if (event.type === 'video') {
      counted.processed += 1
      counted.delivered += event.video.status === 'success' ? 1 : 0
    }
    if (job !== null) drawBar(job, counted, event.type)
  }
  return job
}

function drawBar(
  { state, progress: { discovered } }: Job,
  { processed, delivered }: { processed: number; delivered: number },
  type: JobEvent['type'],
): void {
  const counts = `${state}: ${processed} of ${discovered ?? '?'} videos, ${delivered} transcripts`
  if (!process.stdout.isTTY) {
    if (type === 'job') process.stdout.write(`  ${counts}\n`)
    return
  }
  const share = Math.min(1, processed / Math.max(1, discovered ?? 0))
  const full = Math.round(share * BAR_WIDTH)
  const bar = `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)}`
  process.stdout.write(`\r\x1b[2K  ${bar} ${counts}${type === 'end' ? '\n' : ''}`)
}

/** Prints the first delivered rows, and every row that was not delivered with its reason. */
export function printRows(rows: readonly Video[]): void {
  const delivered = rows.filter(({ status }) => status === 'success')
  const others = rows.filter(({ status }) => status !== 'success')
  const more = delivered.length - DELIVERED_SHOWN
  const lines = [
    ...delivered
      .slice(0, DELIVERED_SHOWN)
      .map((row) => lineOf(row, `${row.languageCode} ${row.trackKind}`, row.title ?? '')),
    ...(more > 0 ? [`  ${' '.repeat(NUMBER_WIDTH)}  and ${more} more`] : []),
    ...others.map((row) => lineOf(row, row.status, `${row.title ?? row.url ?? ''}: ${row.label}`)),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

const NUMBER_WIDTH = 3
const KIND_WIDTH = 12

function lineOf({ index }: Video, kind: string, text: string): string {
  const before = `  ${String(index).padStart(NUMBER_WIDTH)}  ${kind.padEnd(KIND_WIDTH)}  `
  return before + fit(text, (process.stdout.columns ?? COLUMNS) - before.length)
}

export function printTranscript(rows: readonly Video[]): void {
  const row = rows.find(
    (one) => one.status === 'success' && one.languageCode?.startsWith('en') === true,
  )
  if (row === undefined) return
  const lines = (row.segments ?? [])
    .slice(0, LINES_SHOWN)
    .map(({ startMs, text }) => `  ${clock(startMs)}  ${plain(text)}`)
  process.stdout.write(`\n"${plain(row.title ?? '')}" begins:\n${lines.join('\n')}\n`)
}

function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`.padStart(6)
}

/** Removes what moves a terminal's cursor, since titles can hold anything. */
function plain(text: string): string {
  return stripVTControlCharacters(text).replace(/\p{C}/gu, '')
}

/** Cuts a long text in its middle, since titles of a channel often begin alike. */
function fit(text: string, width: number): string {
  const letters = [...plain(text)]
  if (letters.length <= width) return letters.join('')
  const head = Math.ceil((width - 1) / 2)
  const tail = Math.max(0, width - 1 - head)
  return `${letters.slice(0, head).join('')}…${letters.slice(letters.length - tail).join('')}`
}
