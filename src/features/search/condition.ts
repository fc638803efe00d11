/** The condition of SQL under which a transcript of an index matches: its words, and what narrows a search. */
import { publishClockMs } from '../../model/platform/publish-day.ts'
import { MASKS, packedHour, SHIFTS } from '../../model/search/packed-row.ts'
import { matchExpression, type SearchQuery } from '../../model/search/search-query.ts'
import { sameOf } from './add-texts.ts'
import type { IndexFile } from './index-file.ts'
import type { DateSpan, IndexFilter } from './messages.ts'

const DAY_MS = 86_400_000
/** The first number of a transcript whose date is known. */
const DATED = 1n << BigInt(SHIFTS.month)
/** The platform's id of a channel. */
const CHANNEL_ID = /^UC[\w-]{22}$/

const CHANNEL = `((rowid >> ${SHIFTS.channel}) & ${MASKS.channel})`
const LANGUAGE = `((rowid >> ${SHIFTS.language}) & ${MASKS.language})`

export type MatchCondition = { sql: string; values: (string | bigint)[] }

/** Returns the SQL condition; null where no transcript can match: the index knows no such channel or language. */
export function conditionOf(
  index: IndexFile,
  query: SearchQuery,
  { channel, texts, videoId, language, dates }: IndexFilter,
): MatchCondition | null {
  const parts = ['texts match ?']
  const values: (string | bigint)[] = [matchExpression(query)]
  if (dates !== null) addDates(dates, parts, values)
  if (texts !== undefined) {
    // The plus keeps SQLite from asking the words once for each of these texts: it looks each match up in them instead.
    parts.push('+rowid in (select number from doc where same in (select value from json_each(?)))')
    values.push(JSON.stringify(texts.map(sameOf)))
  } else if (channel !== null) {
    const numbers = channelNumbers(index, channel)
    if (numbers.length === 0) return null
    parts.push(`${CHANNEL} in (${numbers.join(', ')})`)
  }
  if (videoId !== null) {
    parts.push('rowid in (select number from doc where same >= ? and same < ?)')
    values.push(`${videoId} `, `${videoId}!`)
  }
  if (language !== null) {
    const numbers = languageNumbers(index, language)
    if (numbers.length === 0) return null
    parts.push(`${LANGUAGE} in (${numbers.join(', ')})`)
  }
  return { sql: parts.join(' and '), values }
}

/** Days are those of the numbers themselves; instants are looked up. A text without a date is not between any. */
function addDates(
  { afterMs, beforeMs, afterDay, beforeDay }: DateSpan,
  parts: string[],
  values: MatchCondition['values'],
): void {
  if (afterDay !== null) {
    parts.push('rowid >= ?')
    values.push(packedHour(publishClockMs(afterDay)))
  } else if (afterMs !== null) {
    parts.push('+rowid in (select number from doc where at >= ?)')
    values.push(BigInt(afterMs))
  }
  if (beforeDay !== null) {
    parts.push('rowid < ?', 'rowid >= ?')
    values.push(packedHour((publishClockMs(beforeDay) ?? 0) + DAY_MS), DATED)
  } else if (beforeMs !== null) {
    parts.push('+rowid in (select number from doc where at <= ?)')
    values.push(BigInt(beforeMs))
  }
}

/** Returns the numbers of a channel, by its id or its name. Rows whose channel has no known id go by their name. */
function channelNumbers(index: IndexFile, channel: string): number[] {
  const byName = 'select number from channel where name = ?'
  if (!CHANNEL_ID.test(channel)) return numbersOf(index.prepare(byName).all(channel))
  const byId = index.prepare('select number from channel where id = ?').all(channel)
  const unnamed = index.prepare(
    `select c.number from channel c where c.id = '' and c.name <> ''
      and (select min(o.id) from channel o where o.name = c.name and o.id <> '') = ?1
      and (select max(o.id) from channel o where o.name = c.name and o.id <> '') = ?1`,
  )
  return numbersOf([...byId, ...unnamed.all(channel)])
}

function numbersOf(rows: readonly Record<string, unknown>[]): number[] {
  return rows.map(({ number }) => Math.min(Number(number), MASKS.channel))
}

/** Returns the numbers of a language: `pt` is also `pt-BR`. */
function languageNumbers({ prepare }: IndexFile, language: string): number[] {
  const wanted = language.toLowerCase()
  return prepare('select number, code from language')
    .all()
    .map(({ number, code }) => ({ number: Number(number), code: String(code).toLowerCase() }))
    .filter(({ code }) => code === wanted || code.startsWith(`${wanted}-`))
    .map(({ number }) => Math.min(number, MASKS.language))
}
