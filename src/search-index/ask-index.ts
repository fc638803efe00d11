/** Answers a question from an index: which transcripts, in which order, and how many of each channel and month. */
import { MASKS, monthName, packedInstant, SHIFTS } from '../search/packed-row.ts'
import { matchExpression } from '../search/search-query.ts'
import { readStanding } from './add-texts.ts'
import type { IndexFile } from './index-file.ts'
import { resolveQuery } from './index-words.ts'
import type { IndexAnswer, IndexFilter, IndexQuestion } from './messages.ts'

/** Ranking looks at every match; of more than these only the newest are ranked, since it takes too long. */
const RANKED_MAX = 20_000
const CHANNELS_MAX = 50
const HOUR_MS = 3_600_000

const MONTH = `(rowid >> ${SHIFTS.month})`
const CHANNEL = `((rowid >> ${SHIFTS.channel}) & ${MASKS.channel})`
const LANGUAGE = `((rowid >> ${SHIFTS.language}) & ${MASKS.language})`

type Condition = { sql: string; values: (string | bigint)[] }

export function askIndex(index: IndexFile, question: IndexQuestion): IndexAnswer {
  return index.read(() => {
    const query = resolveQuery(index, question.query)
    const standing = readStanding(index)
    const condition = conditionOf(index, matchExpression(query), question.filter)
    if (condition === null)
      return { ...standing, total: 0, hits: [], channels: [], months: [], query }
    const counted = countMatches(index, condition)
    return {
      ...standing,
      ...counted,
      hits: listHits(index, condition, question, counted.total),
      query,
    }
  })
}

/** Null where no transcript can be in it: the index knows no such channel or language. */
function conditionOf(
  index: IndexFile,
  expression: string,
  { channel, language, afterMs, beforeMs }: IndexFilter,
): Condition | null {
  const parts = ['texts match ?']
  const values: (string | bigint)[] = [expression]
  if (afterMs !== null) {
    parts.push('rowid >= ?')
    values.push(packedInstant(afterMs))
  }
  if (beforeMs !== null) {
    // What is not dated is neither before nor after anything.
    parts.push('rowid < ?', 'rowid >= ?')
    values.push(packedInstant(beforeMs + HOUR_MS), 1n << BigInt(SHIFTS.month))
  }
  if (channel !== null) {
    const found = index.prepare('select number from channel where name = ?').get(channel)
    if (found === undefined) return null
    parts.push(`${CHANNEL} = ${Math.min(Number(found['number']), MASKS.channel)}`)
  }
  if (language !== null) {
    const numbers = languageNumbers(index, language)
    if (numbers.length === 0) return null
    parts.push(`${LANGUAGE} in (${numbers.join(', ')})`)
  }
  return { sql: parts.join(' and '), values }
}

/** `pt` is also `pt-BR`. */
function languageNumbers({ prepare }: IndexFile, language: string): number[] {
  const wanted = language.toLowerCase()
  return prepare('select number, code from language')
    .all()
    .map(({ number, code }) => ({ number: Number(number), code: String(code).toLowerCase() }))
    .filter(({ code }) => code === wanted || code.startsWith(`${wanted}-`))
    .map(({ number }) => Math.min(number, MASKS.language))
}

function countMatches(
  { db, prepare }: IndexFile,
  { sql, values }: Condition,
): Pick<IndexAnswer, 'total' | 'channels' | 'months'> {
  const grouped = db.prepare(
    `select ${MONTH} as month, ${CHANNEL} as channel, count(*) as n from texts where ${sql} group by 1, 2`,
  )
  const months = new Map<number, number>()
  const channels = new Map<number, number>()
  let total = 0
  for (const row of grouped.iterate(...values)) {
    const [month, channel, n] = [Number(row['month']), Number(row['channel']), Number(row['n'])]
    months.set(month, (months.get(month) ?? 0) + n)
    channels.set(channel, (channels.get(channel) ?? 0) + n)
    total += n
  }
  const nameOf = prepare('select name from channel where number = ?')
  const most = [...channels].sort(([, a], [, b]) => b - a).slice(0, CHANNELS_MAX)
  return {
    total,
    months: [...months]
      .sort(([a], [b]) => a - b)
      .map(([month, count]) => ({ month: monthName(month), count })),
    channels: most.map(([number, count]) => {
      const name = nameOf.get(number)?.['name']
      return { channelName: name === undefined ? null : String(name), count }
    }),
  }
}

function listHits(
  { db, prepare }: IndexFile,
  { sql, values }: Condition,
  { sort, offset, limit }: IndexQuestion,
  total: number,
): IndexAnswer['hits'] {
  if (offset >= total || limit === 0) return []
  const order = sort === 'newest' ? 'rowid desc' : 'bm25(texts), rowid desc'
  const newest = sort === 'relevance' && total > RANKED_MAX ? ' and rowid > ?' : ''
  const numbers = db.prepare(
    `select rowid as number from texts where ${sql}${newest} order by ${order} limit ? offset ?`,
  )
  numbers.setReadBigInts(true)
  const from = newest === '' ? [] : [oldestRanked(db, { sql, values })]
  const doc = prepare(
    'select j.id as "jobId", d.idx as "index" from doc d join job j on j.number = d.job where d.number = ?',
  )
  return numbers.all(...values, ...from, limit, offset).map(({ number }) => {
    return doc.get(number as bigint) as IndexAnswer['hits'][number]
  })
}

/** The match before the newest RANKED_MAX. */
function oldestRanked(db: IndexFile['db'], { sql, values }: Condition): bigint {
  const found = db.prepare(
    `select rowid as number from texts where ${sql} order by rowid desc limit 1 offset ?`,
  )
  found.setReadBigInts(true)
  return found.get(...values, RANKED_MAX)?.['number'] as bigint
}
