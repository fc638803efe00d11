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

/** A value that is another each time: the variable that holds it, and SQL that makes it out of `:n`. */
export type Named = { variable: string; made: string }

/**
 * `names`: what stands for the values that are others each time. They are made by a statement of their own, so that
 * they are parameters, as they were when they were sent: an expression in their place would be planned anew each time.
 */
export function toScript(sent: readonly Sent[], names: ReadonlyMap<string, Named>): string {
  const statements = sent.map(({ text, values }) =>
    // From the last to the first, or $1 would be found in $12.
    values.reduceRight<string>(
      (so, value, at) => so.replaceAll(`$${at + 1}`, () => literal(value, names)),
      text,
    ),
  )
  const used = [...names.values()].filter(({ variable }) =>
    statements.some((text) => text.includes(`:${variable}`)),
  )
  const making = used.map(({ variable, made }) => `${made} as ${variable}`).join(', ')
  return [
    '\\set i :i + 1',
    '\\set n :i * :clients + :client_id',
    ...(used.length === 0 ? [] : [`select ${making} \\gset`]),
    ...statements.map((text) => `${text};`),
  ].join('\n')
}

function literal(value: unknown, names: ReadonlyMap<string, Named>): string {
  if (value === null || value === undefined) return 'null'
  if (value instanceof Date) return 'now()'
  if (Array.isArray(value))
    return `array[${value.map((one) => literal(one, names)).join(', ')}]::text[]`
  if (typeof value !== 'string') return String(value)
  const parts = [...names].reduce(
    (so, [name, { variable }]) =>
      so.flatMap((part) =>
        part.made
          ? [part]
          : part.text.split(name).flatMap((text, at) =>
              at === 0
                ? [{ made: false, text }]
                : [
                    { made: true, text: `:${variable}::text` },
                    { made: false, text },
                  ],
            ),
      ),
    [{ made: false, text: value }],
  )
  const shown = parts
    .filter(({ text }) => text !== '')
    .map(({ made, text }) => (made ? `(${text})` : quoted(text)))
  return shown.length === 1
    ? (shown[0] ?? "''")
    : `(${shown.length === 0 ? "''" : shown.join(' || ')})`
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
