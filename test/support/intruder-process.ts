/**
 * Another process of this machine that tries to get into an embedded database: by its socket without and with a guessed
 * password, and by the file that holds the right one. Prints what it got. This file is both sides: run as a program it
 * is the process.
 */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'

/** Result of each try: `in`, or the refusal's code. */
export type Intrusion = { trust: string; guess: string; file: string }

export function intrude(dataDir: string, as: { uid: number; gid: number } | null): Intrusion {
  const { stdout, stderr } = spawnSync(process.execPath, [import.meta.filename, dataDir], {
    encoding: 'utf8',
    ...as,
  })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}

async function tryIn(dataDir: string, password: string): Promise<string> {
  const host = path.join(dataDir, 'postgres')
  const client = new pg.Client({
    host,
    user: 'scriptorium',
    database: 'postgres',
    password,
    ssl: false,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return 'in'
  } catch (error) {
    return codeOf(error)
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function beTheProcess(dataDir: string): Promise<void> {
  let file = ''
  try {
    file = fs.readFileSync(path.join(dataDir, 'postgres-password'), 'utf8') === '' ? 'empty' : 'in'
  } catch (error) {
    file = codeOf(error)
  }
  const got: Intrusion = {
    trust: await tryIn(dataDir, ''),
    guess: await tryIn(dataDir, 'scriptorium'),
    file,
  }
  process.stdout.write(JSON.stringify(got))
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error ? String(error.code) : error.message
}

if (import.meta.main) await beTheProcess(process.argv[2]!)
