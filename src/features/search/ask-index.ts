/** Answers a question from an index: which transcripts, in which order, and how many of each channel and month. */
import { MASKS, monthName, SHIFTS } from '../../model/search/packed-row.ts'
import { readStanding } from './add-texts.ts'
import { type ChannelNames, channelNames } from './channel-names.ts'
import { conditionOf, type MatchCondition } from './condition.ts'
import type { IndexFile } from './index-file.ts'
import { resolveQuery } from './index-words.ts'
import type { FoundHits, HitCounts, IndexAnswer, IndexQuestion } from './messages.ts'

/** Number of matches that are ranked, the newest ones: ranking looks at every match, and more would take too long. */
const RANKED_MAX = 20_000
export const CHANNELS_MAX = 50

const MONTH = `(rowid >> ${SHIFTS.month})`
const CHANNEL = `((rowid >> ${SHIFTS.channel}) & ${MASKS.channel})`

/** A month and a channel as one number. */
const PLACES_OF_MONTH = MASKS.channel + 1
const PLACE = `${MONTH} * ${PLACES_OF_MONTH} + ${CHANNEL}`

/** Number of matches of each month and channel. */
type Tally = [place: number, count: number][]
type Matches = { tally: Tally; numbers: bigint[] }

export function findHits(index: IndexFile, question: IndexQuestion): FoundHits {
  return index.read(() => {
    const query = resolveQuery(index, question.query)
    const standing = readStanding(index)
    const condition = conditionOf(index, query, question.filter)
    if (condition === null)
      return { ...standing, total: 0, hits: [], channels: [], months: [], query }
    const { tally, numbers } = findMatches(index, condition, question)
    return { ...standing, ...countsOf(index, tally), hits: rowsOf(index, numbers), query }
  })
}

/** Returns the matches; `numbers` are those of the page that is asked for. */
function findMatches(
  index: IndexFile,
  condition: MatchCondition,
  question: IndexQuestion,
): Matches {
  if (question.limit === 0) return { tally: tallyOf(index, condition), numbers: [] }
  if (question.sort === 'newest')
    return { tally: tallyOf(index, condition), numbers: listNewest(index, condition, question) }
  const ranked = rankNewest(index, condition, question)
  const isAll = sumOf(ranked.tally) < RANKED_MAX
  return isAll ? ranked : { ...ranked, tally: tallyOf(index, condition) }
}

function tallyOf({ db }: IndexFile, { sql, values }: MatchCondition): Tally {
  const found = db
    .prepare(`select tally(${PLACE}) as places from texts where ${sql}`)
    .get(...values)
  return JSON.parse(String(found?.['places'])) as Tally
}

function listNewest(
  { db }: IndexFile,
  { sql, values }: MatchCondition,
  { limit, offset }: IndexQuestion,
): bigint[] {
  const newest = db.prepare(
    `select rowid as number from texts where ${sql} order by rowid desc limit ? offset ?`,
  )
  newest.setReadBigInts(true)
  return newest.all(...values, limit, offset).map(({ number }) => number as bigint)
}

/** Counts and ranks the newest RANKED_MAX in one go: finding them is what takes long. */
function rankNewest(
  { db }: IndexFile,
  { sql, values }: MatchCondition,
  { limit, offset }: IndexQuestion,
): Matches {
  const ranked = db.prepare(
    `with scored as materialized (
      select rowid, bm25(texts) as score from texts where ${sql} order by rowid desc limit ${RANKED_MAX}
    )
    select tally(${PLACE}) as places, null as number from scored
    union all
    select null, rowid from (select rowid from scored order by score, rowid desc limit ? offset ?)`,
  )
  ranked.setReadBigInts(true)
  const [first, ...rest] = ranked.all(...values, limit, offset)
  return {
    tally: JSON.parse(String(first?.['places'])) as Tally,
    numbers: rest.map(({ number }) => number as bigint),
  }
}

function sumOf(tally: Tally): number {
  return tally.reduce((sum, [, count]) => sum + count, 0)
}

function countsOf(index: IndexFile, tally: Tally): HitCounts {
  const months = new Map<number, number>()
  const channels = new Map<number, number>()
  for (const [place, n] of tally) {
    const [month, channel] = [Math.floor(place / PLACES_OF_MONTH), place % PLACES_OF_MONTH]
    months.set(month, (months.get(month) ?? 0) + n)
    channels.set(channel, (channels.get(channel) ?? 0) + n)
  }
  return {
    total: sumOf(tally),
    months: [...months]
      .sort(([a], [b]) => a - b)
      .map(([month, count]) => ({ month: monthName(month), count })),
    channels: byChannel(channelNames(index), channels),
  }
}

/** Returns the channels with the most; numbers of one channel are counted together. */
function byChannel(names: ChannelNames, counts: Map<number, number>): IndexAnswer['channels'] {
  const channels = new Map<string, IndexAnswer['channels'][number]>()
  for (const [number, count] of counts) {
    const { key, ...channel } = names.of(number)
    const known = channels.get(key) ?? { ...channel, count: 0 }
    channels.set(key, { ...known, count: known.count + count })
  }
  return [...channels.values()].sort((a, b) => b.count - a.count).slice(0, CHANNELS_MAX)
}

/** Returns which row of which job each number is. */
export function rowsOf({ prepare }: IndexFile, numbers: readonly bigint[]): IndexAnswer['hits'] {
  const doc = prepare(
    'select j.id as "jobId", d.idx as "index" from doc d join job j on j.number = d.job where d.number = ?',
  )
  return numbers.map((number) => doc.get(number) as IndexAnswer['hits'][number])
}
