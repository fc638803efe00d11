/** The server's log file, bounded: two files of at most 8 MB or so. */
import fs from 'node:fs'

const EMBEDDED_LOG_BYTES = 8 * 1024 * 1024
const EMBEDDED_LOG_LOOK_MS = 60_000

/**
 * Trims the file now and every minute. The server keeps it open for appending, so its content is copied to `<file>.1`
 * and the file emptied, not renamed.
 */
export function keepLogBounded(file: string): { stop(): void } {
  trimLog(file)
  const timer = setInterval(() => trimLog(file), EMBEDDED_LOG_LOOK_MS).unref()
  return { stop: () => clearInterval(timer) }
}

/** Empties a file that is too large, after copying it to `<file>.1`; leaves a file that it may not write. */
export function trimLog(file: string, maxBytes = EMBEDDED_LOG_BYTES): void {
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size <= maxBytes) return
  try {
    fs.copyFileSync(file, `${file}.1`)
    fs.truncateSync(file)
  } catch {
    // The next look tries again, for example after a full disk.
  }
}
