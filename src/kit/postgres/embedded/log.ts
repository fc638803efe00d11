/** The server's log file, kept from growing without bound: two files of at most 8 MB, about. */
import fs from 'node:fs'
import { LIMITS } from '../../config/config.ts'

/**
 * Looks at the file now and every minute. The server keeps it open for appending, so its content is
 * copied to `<file>.1` and the file emptied, not renamed.
 */
export function keepLogBounded(file: string): { stop(): void } {
  trimLog(file)
  const timer = setInterval(() => trimLog(file), LIMITS.embeddedLogLookMs).unref()
  return { stop: () => clearInterval(timer) }
}

/** Does nothing to a file of ordinary size, or to one it may not write. */
export function trimLog(file: string, maxBytes = LIMITS.embeddedLogBytes): void {
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size <= maxBytes) return
  try {
    fs.copyFileSync(file, `${file}.1`)
    fs.truncateSync(file)
  } catch {
    // A full disk, say: the next look tries again.
  }
}
