/**
 * pgbench as a load on the database alone: what our code sent is turned into a script that it repeats, each time
 * for another account and another job. It is part of every PostgreSQL client package; nothing is measured
 * where it is missing.
 */
import { execFile, execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type pg from 'pg'

/** A statement as it was sent. */
export type Sent = { text: string; values: unknown[] }

export type Load = { clients: number; seconds: number; flushMs: number }

export function hasPgbench(): boolean {
  try {
    execFileSync('pgbench', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** What `work` sends over connections of the pool that are opened meanwhile, in order. */
export async function recordStatements(
  pool: pg.Pool,
  work: () => Promise<unknown>,
): Promise<Sent[]> {
  const sent: Sent[] = []
  const record = (client: pg.PoolClient): void => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    const recording = (...given: unknown[]): unknown => {
      const [text, values] = given
      if (typeof text === 'string') sent.push({ text, values: (values as unknown[]) ?? [] })
      return query(...given)
    }
    client.query = recording as pg.PoolClient['query']
  }
  pool.on('connect', record)
  await work().finally(() => pool.off('connect', record))
  return sent
}

export type LoadRun = { perSecond: number; transactions: number }

/** A number of nineteen digits, another one in each transaction: what stands in the place of an id. */
const NUMBER = ':n::text'
const FIRST_NUMBER = 10n ** 18n

/** The number that stands for an id in the transaction of this number, from 0 on. */
export function numberOf(transaction: number): string {
  return String(FIRST_NUMBER + BigInt(transaction))
}

/** `ids`: words that are others each time, in whose place a number stands. */
export function toScript(sent: readonly Sent[], ids: readonly string[]): string {
  const statements = sent.map(({ text, values }) =>
    // From the last to the first, or $1 would be found in $12.
    values.reduceRight<string>(
      (so, value, at) => so.replaceAll(`$${at + 1}`, () => literal(value, ids)),
      text,
    ),
  )
  return [
    '\\set i :i + 1',
    `\\set n ${FIRST_NUMBER} + :i * :clients + :client_id`,
    ...statements.map((text) => `${text};`),
  ].join('\n')
}

/** Stands in the place of an id; no text has it. */
const ID = '\u0001'

function literal(value: unknown, ids: readonly string[]): string {
  if (value === null || value === undefined) return 'null'
  if (value instanceof Date) return 'now()'
  if (Array.isArray(value))
    return `array[${value.map((one) => literal(one, ids)).join(', ')}]::text[]`
  if (typeof value !== 'string') return String(value)
  const parts = ids.reduce((all, id) => all.replaceAll(id, ID), value).split(ID)
  const texts = parts.map((part) => (part === '' && parts.length > 1 ? [] : [quoted(part)]))
  const shown = texts.flatMap((text, at) => (at === 0 ? text : [`(${NUMBER})`, ...text]))
  return shown.length === 1 ? (shown[0] ?? '') : `(${shown.join(' || ')})`
}

/** pgbench takes a word behind a colon for a variable, in a string too. */
function quoted(text: string): string {
  const plain = `'${text.replaceAll("'", "''")}'`
  return /:\w/.test(text) ? `(${plain.replaceAll(':', `' || chr(58) || '`)})` : plain
}

/**
 * Transactions a second of a script, while each flush of the log takes at least `flushMs`: the one who
 * writes it waits so long before, holding the log, as a slow disk would hold it; the others' commits gather behind.
 */
export async function runPgbench(
  url: string,
  script: string,
  { clients, seconds, flushMs }: Load,
): Promise<LoadRun> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'scriptorium-pgbench-'))
  const file = path.join(folder, 'script.sql')
  fs.writeFileSync(file, script)
  const PGOPTIONS = `-c commit_delay=${Math.round(flushMs * 1000)} -c commit_siblings=0`
  const given = [
    '-n',
    '-M',
    'prepared',
    '-c',
    clients,
    '-j',
    1,
    '-T',
    seconds,
    '-D',
    'i=-1',
    '-D',
    `clients=${clients}`,
    '-f',
    file,
    url,
  ]
  try {
    const { stdout } = await promisify(execFile)('pgbench', given.map(String), {
      env: { ...process.env, PGOPTIONS },
    })
    const [, tps] = /tps = ([\d.]+)/.exec(stdout) ?? []
    const [, transactions] = /actually processed: (\d+)/.exec(stdout) ?? []
    if (tps === undefined || !/number of failed transactions: 0 /.test(stdout))
      throw new Error(`pgbench: ${stdout}`)
    return { perSecond: Number(tps), transactions: Number(transactions) }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}
