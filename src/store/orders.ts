/**
 * Orders in the tables that keep one by the same columns: `job`, `preview` and `batch`. What the lines name is kept
 * beside them: a job's in `job_source`, a row a line, as a subscription keeps that of its only line.
 */
import type { Order, Terms } from '../model/jobs/order.ts'
import { columnOf } from '../kit/text/column-name.ts'
import { toColumns } from './database.ts'

/** An order as its row has it. */
export type KeptOrder = Terms & { urls: string[]; urlSetHash: string; notices: string[] }

/** SQL of the value that each column is stripped to when its account is deleted; null where it stays as it is. */
const STRIPPED: Record<Exclude<keyof KeptOrder, 'urls'>, string | null> = {
  urlSetHash: `''`,
  language: `''`,
  wishedTrack: 'null',
  formats: `'{}'`,
  maxVideos: null,
  publishedAfter: 'null',
  publishedBefore: 'null',
  afterAt: 'null',
  beforeAt: 'null',
  skipsOwned: null,
  notices: `'{}'`,
}
const TERMS = Object.keys(STRIPPED) as (keyof typeof STRIPPED)[]

/** The names of the columns, where rows are inserted. */
export const ORDER_NAMES = ['urls', ...TERMS].map(columnOf).join(', ')

/** The columns of a KeptOrder without its lines. */
export const TERM_COLUMNS = TERMS.map((name) => `${columnOf(name)} as "${name}"`).join(', ')

export const ORDER_COLUMNS = `urls, ${TERM_COLUMNS}`

/** SQL that takes away what a customer asked for. */
export const STRIPPED_ORDER = TERMS.reduce(
  (sql, name) => (STRIPPED[name] === null ? sql : `${sql}, ${columnOf(name)} = ${STRIPPED[name]}`),
  `urls = '{}'`,
)

/** Returns an order's values by the names of their columns, for `json_populate_record`. */
export function orderRow({ lines, ...order }: Order): object {
  const urls = lines.map(({ text }) => text)
  const sources = lines.map(({ source }) => source)
  const terms = Object.fromEntries(TERMS.map((name) => [name, order[name]]))
  return toColumns({ urls, sources, ...terms })
}
