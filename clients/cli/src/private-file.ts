/** Files that only the user may read, replaced as a whole: a crash leaves the old content or the new one. */
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { EXIT, Failure } from './failure.ts'

const OWNER_ONLY = 0o600

/** Returns the JSON in a file; null where there is no file, or one that was cut off while it was written. */
export function readPrivate(file: string): unknown {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError || codeOf(error) === 'ENOENT') return null
    throw unusable(file, 'read', error)
  }
}

/** Writes a file that is on the disk on return, so that it outlives a crash of the machine. */
export function writePrivate(file: string, value: unknown): void {
  const young = `${file}.${randomUUID().slice(0, 8)}.tmp`
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    const handle = fs.openSync(young, 'wx', OWNER_ONLY)
    try {
      fs.writeSync(handle, `${JSON.stringify(value, null, 2)}\n`)
      fs.fsyncSync(handle)
    } finally {
      fs.closeSync(handle)
    }
    fs.renameSync(young, file)
  } catch (error) {
    fs.rmSync(young, { force: true })
    throw unusable(file, 'written', error)
  }
}

export function removePrivate(file: string): void {
  fs.rmSync(file, { force: true })
}

function unusable(file: string, what: 'read' | 'written', error: unknown): Failure {
  const reason = codeOf(error) ?? String(error)
  return new Failure(`${file} cannot be ${what} (${reason})`, { exit: EXIT.error, code: 'files' })
}

function codeOf(error: unknown): string | null {
  return (error as { code?: string }).code ?? null
}
