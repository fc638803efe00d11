/** Adds transcripts to an index: tokens, numbers and words, with how far their job is, in one transaction. */
import { exactly } from '../../model/jobs/date-bounds.ts'
import { publishClockMs } from '../../model/platform/publish-day.ts'
import { type IndexedRow, type IndexedText, MASKS, packRow } from '../../model/search/packed-row.ts'
import { saidText } from '../../model/search/said-text.ts'
import { tokensOf } from '../../model/search/tokens.ts'
import { segmentsOfStored } from '../../model/transcripts/transcript-body.ts'
import type { IndexFile } from './index-file.ts'
import { addWords, partedWords } from './index-words.ts'
import type { IndexedJob, Progress, TextsToIndex } from './messages.ts'

/** Number of characters of a text's hash that tell the texts of one video apart. */
const HASH_CHARS = 16

/** How far an index is; 0 and '' where it was made new. `made` tells it from the one that was in its place before. */
export type Standing = { indexed: number; fingerprint: string; made: string }

export function readStanding({ prepare }: IndexFile): Standing {
  return prepare('select indexed, fingerprint, made from standing').get() as Standing
}

/** Returns the jobs of which the index lacks something, with how far it is; null where it knows more than there is. */
export function findBehind(
  { prepare, read }: IndexFile,
  jobs: readonly IndexedJob[],
): IndexedJob[] | null {
  const known = prepare('select done, success from job where id = ?')
  return read(() => {
    const behind: IndexedJob[] = []
    for (const { id, done, success } of jobs) {
      const here = (known.get(id) ?? { done: 0, success: 0 }) as Progress
      if (here.done > done || here.success > success) return null
      if (here.success < success) behind.push({ id, ...here })
    }
    return behind
  })
}

/** Adds texts. Returns false where the index does not stand where the caller takes it to; nothing is added then. */
export function addTexts(index: IndexFile, texts: TextsToIndex): boolean {
  const { jobId, from, to, success, rows } = texts
  const prepared = rows.flatMap((row) => prepareText(row) ?? [])
  return index.write(() => {
    const job = numberOfJob(index, jobId)
    if (job.done !== from) return false
    for (const text of numbered(index, prepared)) insertText(index, job.number, text)
    index
      .prepare('update job set done = ?, success = ? where number = ?')
      .run(to, success, job.number)
    index.prepare('update standing set indexed = indexed + ?').run(rows.length)
    return true
  })
}

/**
 * Notes that the index has everything up to this fingerprint; returns false where its number of jobs is another one.
 */
export function confirmStanding(index: IndexFile, fingerprint: string, jobs: number): boolean {
  return index.write(() => {
    const { n } = index.prepare('select count(*) as n from job').get() as { n: number }
    if (n !== jobs) return false
    index.prepare('update standing set fingerprint = ?').run(fingerprint)
    return true
  })
}

type PreparedText = { row: IndexedRow; tokens: string[]; same: string }
type NumberedText = PreparedText & { number: bigint }

/** Returns the text's tokens and facts; null where there is no text any more. */
function prepareText(row: IndexedRow): PreparedText | null {
  if (row.stored === null) return null
  const said = saidText(segmentsOfStored(row.stored))
  const tokens = tokensOf(said.text).map(({ text }) => text)
  return { row, tokens, same: sameOf(row) }
}

/** Returns what tells a text from all others of an index, whichever jobs brought it. */
export function sameOf({ videoId, textHash }: IndexedText): string {
  return `${videoId} ${textHash?.slice(0, HASH_CHARS) ?? ''}`
}

/**
 * Returns the texts in the order of their numbers, which FTS5 adds fastest. A text of a video that is in the index
 * already is left out.
 */
function numbered(index: IndexFile, texts: readonly PreparedText[]): NumberedText[] {
  const isKnown = index.prepare('select 1 from doc where same = ?')
  const isTaken = index.prepare('select 1 from doc where number = ?')
  const added = new Map<string, NumberedText>()
  const numbers = new Set<bigint>()
  let next = readStanding(index).indexed // any start does; counting the texts would take longer with each batch
  for (const text of texts) {
    if (added.has(text.same) || isKnown.get(text.same) !== undefined) continue
    const facts = placeOf(index, text.row)
    let number = packRow(facts, next++)
    for (let tries = 0; numbers.has(number) || isTaken.get(number) !== undefined; tries += 1) {
      if (tries > MASKS.number) throw new Error('an hour, channel and language has no number left')
      number = packRow(facts, next++)
    }
    numbers.add(number)
    added.set(text.same, { ...text, number })
  }
  return [...added.values()].sort((a, b) => (a.number < b.number ? -1 : 1))
}

function placeOf(index: IndexFile, row: IndexedRow) {
  const { channelName, channelId, publishedAt, languageCode } = row
  return {
    clockMs: publishClockMs(publishedAt),
    channel: numberOfChannel(index, channelName ?? '', channelId ?? ''),
    language: numberOf(index, 'language', { code: languageCode }, MASKS.language),
  }
}

/** Returns the channel's number: 0 where nothing is known of it. */
function numberOfChannel(index: IndexFile, name: string, id: string): number {
  return name === '' && id === '' ? 0 : numberOf(index, 'channel', { name, id }, MASKS.channel)
}

/** Returns the number of a row with these values; the last number for all that come after the numbers are used up. */
function numberOf(
  { prepare }: IndexFile,
  table: 'channel' | 'language',
  values: Record<string, string>,
  max: number,
): number {
  const names = Object.keys(values)
  const given = Object.values(values)
  const isRow = names.map((name) => `${name} = ?`).join(' and ')
  const known = prepare(`select number from ${table} where ${isRow}`).get(...given)
  if (known !== undefined) return Math.min(Number(known['number']), max)
  const add = `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')}) returning number`
  return Math.min(Number(prepare(add).get(...given)?.['number']), max)
}

function numberOfJob({ prepare }: IndexFile, id: string): { number: number; done: number } {
  const find = prepare('select number, done from job where id = ?')
  const add = prepare('insert into job (id, done, success) values (?, 0, 0) returning number, done')
  return (find.get(id) ?? add.get(id)) as { number: number; done: number }
}

function instantMs(publishedAt: string | null): number | null {
  const date = exactly(publishedAt)
  return date.kind === 'exact' ? date.at.getTime() : null
}

function insertText(
  index: IndexFile,
  job: number,
  { row, tokens, same, number }: NumberedText,
): void {
  const texts = index.prepare('insert into texts (rowid, body) values (?, ?)')
  texts.run(number, tokens.join(' '))
  index
    .prepare('insert into doc (number, job, idx, same, at) values (?, ?, ?, ?, ?)')
    .run(number, job, row.index, same, instantMs(row.publishedAt))
  addWords(index, partedWords(new Set(tokens), row.languageCode))
}
