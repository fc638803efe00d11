/** What the demo prints: progress, the table of rows, a few lines of a transcript. */
import { stripVTControlCharacters } from 'node:util'
import { isFinal, type Job, type Video } from '../clients/typescript/src/index.ts'

const BAR_WIDTH = 30
const TITLE_WIDTH = 38
const LINES_SHOWN = 4

let lastLine = ''

/** A bar that redraws itself on a terminal; elsewhere a plain line for each change. */
export function printProgress({ state, progress }: Job): void {
  const { discovered, processed, delivered } = progress
  const counts = `${state}: ${processed} of ${discovered ?? '?'} videos, ${delivered} transcripts`
  if (!process.stdout.isTTY) {
    if (counts !== lastLine) process.stdout.write(`  ${counts}\n`)
  } else {
    const share = discovered === null || discovered === 0 ? 0 : Math.min(1, processed / discovered)
    const full = Math.round(share * BAR_WIDTH)
    const isOver = isFinal({ state })
    process.stdout.write(
      `\r\x1b[2K  ${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} ${counts}${isOver ? '\n' : ''}`,
    )
  }
  lastLine = counts
}

export function printRows(rows: Video[]): void {
  const line = (cells: string[]): string =>
    `  ${cells.map((cell, at) => fit(cell, WIDTHS[at] ?? 20)).join('  ')}`.trimEnd()
  const head = line(['#', 'status', 'track', 'title', 'why'])
  const body = rows.map((row) =>
    line([
      String(row.index),
      row.status,
      row.languageCode === null ? '' : `${row.languageCode} ${row.trackKind ?? ''}`,
      row.title ?? row.url ?? '',
      row.status === 'success' ? '' : row.label,
    ]),
  )
  process.stdout.write(`\n${[head, ...body].join('\n')}\n`)
}

const WIDTHS = [3, 14, 9, TITLE_WIDTH, 40]

export function printTranscript(rows: Video[]): void {
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

function fit(text: string, width: number): string {
  const letters = [...plain(text)]
  return letters.length > width
    ? `${letters.slice(0, width - 1).join('')}…`
    : letters.join('').padEnd(width)
}
