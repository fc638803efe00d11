/**
 * The start lock: one process at a time prepares the data folder and starts the server.
 *
 * It is a file with the holder's process id and start time. Node has no lock that the system releases, so a lock whose
 * holder is gone is taken over. The lock saves ten processes ten initialisations and decides which of them may repair
 * `postmaster.pid`. That two servers never share a cluster is ensured by PostgreSQL's own lock.
 */
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { isAlive, startedAt } from './processes.ts'

/** The age at which a draft, or a lock that was moved aside, is abandoned; it normally lives for a moment. */
const EMBEDDED_START_LOCK_DRAFT_MS = 60_000

export type StartLock = { release(): void }

/** Takes the lock; returns null where another living process holds it. */
export function takeStartLock(file: string): StartLock | null {
  const mine = `${process.pid} ${startedAt(process.pid)} ${randomBytes(8).toString('hex')}\n`
  if (tryCreate(file, mine) || (removeIf(file, isAbandoned) && tryCreate(file, mine))) {
    sweepDrafts(file)
    return { release: () => removeIf(file, (line) => line === mine) }
  }
  return null
}

/** Creates the lock whole or not at all: it is written under another name, then linked, which refuses a name in use. */
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
 * Removes the lock where `isRight` accepts its line. The lock is moved aside first and read again: between two reads
 * another process may have taken it, and then gets it back.
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

/**
 * Removes drafts of processes that were killed between two steps; the time of the lock that was taken tells their age.
 */
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
