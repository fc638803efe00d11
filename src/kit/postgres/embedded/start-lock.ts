/**
 * The start lock: one process at a time prepares the data folder and starts the server.
 *
 * A file with the holder's process id and start time. Node knows no lock that the system releases,
 * so a lock whose holder is gone is taken over. The lock saves ten processes ten initialisations and
 * decides who may mend `postmaster.pid`; that two servers never share a cluster is PostgreSQL's own lock.
 */
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { isAlive, startedAt } from './processes.ts'

/** A draft or a lock moved aside lives for a moment; one this old belongs to nobody. */
const EMBEDDED_START_LOCK_DRAFT_MS = 60_000

export type StartLock = { release(): void }

/** Null where another process that lives holds it. */
export function takeStartLock(file: string): StartLock | null {
  const mine = `${process.pid} ${startedAt(process.pid)} ${randomBytes(8).toString('hex')}\n`
  if (tryCreate(file, mine) || (removeIf(file, isAbandoned) && tryCreate(file, mine))) {
    sweepDrafts(file)
    return { release: () => removeIf(file, (line) => line === mine) }
  }
  return null
}

/** Whole or not at all: written under another name, then linked, which refuses a name in use. */
function tryCreate(file: string, line: string): boolean {
  const draft = besides(file)
  fs.writeFileSync(draft, line, { mode: 0o644 })
  try {
    fs.linkSync(draft, file)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    fs.rmSync(draft, { force: true })
  }
}

function isAbandoned(line: string): boolean {
  const [pid, started] = line.trim().split(' ')
  return !isAlive(Number(pid)) || startedAt(Number(pid)) !== started
}

/**
 * Removes the lock where `isRight` says so of its line. It is moved aside first and looked at again:
 * between two looks another process may have taken it, and then gets it back.
 */
function removeIf(file: string, isRight: (line: string) => boolean): boolean {
  const aside = besides(file)
  try {
    if (!isRight(fs.readFileSync(file, 'utf8'))) return false
    fs.renameSync(file, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return true
    throw error
  }
  const line = fs.readFileSync(aside, 'utf8')
  const wasRight = isRight(line)
  if (!wasRight) tryCreate(file, line)
  fs.rmSync(aside, { force: true })
  return wasRight
}

/** What processes left that were killed between two steps; the lock just taken tells the time. */
function sweepDrafts(file: string): void {
  const folder = path.dirname(file)
  const { mtimeMs } = fs.statSync(file)
  for (const name of fs.readdirSync(folder)) {
    if (!name.startsWith(`${path.basename(file)}.`)) continue
    const found = fs.statSync(path.join(folder, name), { throwIfNoEntry: false })
    if (found !== undefined && found.mtimeMs < mtimeMs - EMBEDDED_START_LOCK_DRAFT_MS) {
      fs.rmSync(path.join(folder, name), { force: true })
    }
  }
}

function besides(file: string): string {
  return `${file}.${randomBytes(6).toString('hex')}`
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null
}
