/** Counts from an index how often something is said, and says in which transcripts the mentions of a page are. */
import { MASKS, monthName, SHIFTS } from '../../model/search/packed-row.ts'
import { readStanding } from './add-texts.ts'
import { CHANNELS_MAX, findHits, rowsOf } from './ask-index.ts'
import { channelNames } from './channel-names.ts'
import { conditionOf } from './condition.ts'
import { countMentions } from './count-mentions.ts'
import type { IndexFile } from './index-file.ts'
import { resolveQuery } from './index-words.ts'
import type {
  IndexAnswer,
  IndexQuestion,
  MatchesAnswer,
  MatchesQuestion,
  MentionCounts,
  MentionsAnswer,
  MentionsQuestion,
  RowMentions,
} from './messages.ts'

const VIDEOS_MAX = 50

/** A transcript's number with how many mentions it has. */
type Counted = { number: bigint; mentions: number }

export function askMentions(index: IndexFile, question: MentionsQuestion): MentionsAnswer {
  return index.read(() => {
    const query = resolveQuery(index, question.query)
    const { indexed, fingerprint } = readStanding(index)
    const standing = { indexed, fingerprint, query }
    const condition = conditionOf(index, query, question.filter)
    const numbers = condition === null ? [] : listNumbers(index, condition.sql, condition.values)
    const counts = countMentions(index, query, new Set(numbers))
    if (counts === null) return { ...standing, ...NOTHING, total: null }
    const counted = numbers.map((number) => ({ number, mentions: counts.get(number) ?? 0 }))
    return { ...standing, ...sumsOf(index, counted), rows: pageOf(index, counted, question) }
  })
}

/** Answers a question from one state of the index, the count of mentions included. */
export function askIndex(index: IndexFile, question: IndexQuestion): IndexAnswer {
  return index.read(() => ({
    ...findHits(index, question),
    mentions:
      question.counted === true
        ? askMentions(index, { ...question, offset: 0, limit: 0 }).total
        : null,
  }))
}

const NOTHING = { transcripts: 0, rows: [], videos: [], channels: [], months: [] }

/** Lists transcripts that match, newest first, without counting what is said in them. */
export function listMatches(index: IndexFile, question: MatchesQuestion): MatchesAnswer {
  const { below, limit } = question
  return index.read(() => {
    const query = resolveQuery(index, question.query)
    const standing = { ...readStanding(index), query }
    const condition = conditionOf(index, query, question.filter)
    if (condition === null) return { ...standing, rows: [] }
    const sql = below === null ? condition.sql : `${condition.sql} and rowid < ?`
    const values = below === null ? condition.values : [...condition.values, below]
    const numbers = listNumbers(index, sql, values, limit)
    const rows = rowsOf(index, numbers)
    return { ...standing, rows: rows.map((row, at) => ({ ...row, number: numbers[at] ?? 0n })) }
  })
}

function listNumbers(
  { db }: IndexFile,
  sql: string,
  values: (string | bigint)[],
  limit = -1,
): bigint[] {
  const newest = db.prepare(
    `select rowid as number from texts where ${sql} order by rowid desc limit ${limit}`,
  )
  newest.setReadBigInts(true)
  return newest.all(...values).map(({ number }) => number as bigint)
}

/** Returns the transcripts whose mentions are on the page. */
function pageOf(
  index: IndexFile,
  counted: readonly Counted[],
  { offset, limit }: MentionsQuestion,
): RowMentions[] {
  const page: (Counted & { skip: number; take: number })[] = []
  let before = 0
  for (const one of counted) {
    const skip = Math.max(0, offset - before)
    const take = Math.min(one.mentions, offset + limit - before) - skip
    if (take > 0) page.push({ ...one, skip, take })
    before += one.mentions
    if (before >= offset + limit) break
  }
  const rows = rowsOf(
    index,
    page.map(({ number }) => number),
  )
  return rows.map((row, at) => ({ ...row, skip: page[at]?.skip ?? 0, take: page[at]?.take ?? 0 }))
}

type Sums = MentionCounts & { total: number; videos: MentionsAnswer['videos'] }

function sumsOf(index: IndexFile, counted: readonly Counted[]): Sums {
  const names = channelNames(index)
  const nameOf = new Map<number, ReturnType<typeof names.of>>()
  const channels = new Map<string, Sums['channels'][number]>()
  const months = new Map<number, Sums['months'][number]>()
  let total = 0
  for (const { number, mentions } of counted) {
    const month = Number(number >> BigInt(SHIFTS.month))
    const channel = Number(number >> BigInt(SHIFTS.channel)) & MASKS.channel
    const { key, ...named } = nameOf.get(channel) ?? names.of(channel)
    nameOf.set(channel, { key, ...named })
    addTo(channels, key, named, mentions)
    addTo(months, month, { month: monthName(month) }, mentions)
    total += mentions
  }
  const most = [...counted].sort((a, b) => b.mentions - a.mentions).slice(0, VIDEOS_MAX)
  const rows = rowsOf(
    index,
    most.map(({ number }) => number),
  )
  return {
    total,
    transcripts: counted.length,
    videos: rows.map((row, at) => ({ ...row, mentions: most[at]?.mentions ?? 0 })),
    channels: [...channels.values()].sort((a, b) => b.mentions - a.mentions).slice(0, CHANNELS_MAX),
    months: [...months].sort(([a], [b]) => a - b).map(([, month]) => month),
  }
}

function addTo<Key, Named extends object>(
  counts: Map<Key, Named & { transcripts: number; mentions: number }>,
  key: Key,
  named: Named,
  mentions: number,
): void {
  const known = counts.get(key) ?? { ...named, transcripts: 0, mentions: 0 }
  known.transcripts += 1
  known.mentions += mentions
  counts.set(key, known)
}
