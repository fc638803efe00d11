/** How long what is stored of texts is, read from the lines that the database makes of it (store/library-sizes.ts). */
import { eachInSteps, type Steps } from '../files/steps.ts'
import type { FileForm } from '../transcripts/formats.ts'

/** Lengths of gzip members by form, 0 where a form is not stored; and of the text without compression. */
export type StoredSizes = { gzipBytes: Record<FileForm, number>; textBytes: number }

/** A job of 500 videos in four forms takes up to a millisecond. */
const JOBS_A_STEP = 10

/** By job and index. */
export function* storedSizesSteps(
  jobs: readonly { jobId: string; sizes: string | null }[],
): Steps<Map<string, Map<number, StoredSizes>>> {
  const stored = new Map<string, Map<number, StoredSizes>>()
  const read = ({ jobId, sizes }: (typeof jobs)[number]): void =>
    void stored.set(jobId, readLine(sizes ?? ''))
  yield* eachInSteps(jobs, read, JOBS_A_STEP)
  return stored
}

/** Read without making a string of each number. */
function readLine(line: string): Map<number, StoredSizes> {
  const sizes = new Map<number, StoredSizes>()
  const numberAt = (from: number): number => {
    let number = 0
    for (at = from; at < line.length && line.charCodeAt(at) !== BLANK; at += 1)
      number = number * 10 + line.charCodeAt(at) - ZERO
    at += 1
    return number
  }
  let at = 0
  while (at < line.length) {
    const formEnd = line.indexOf(' ', at)
    const form = line.slice(at, formEnd) as FileForm
    const index = numberAt(formEnd + 1)
    let of = sizes.get(index)
    if (of === undefined) {
      of = { gzipBytes: { json: 0, srt: 0, txt: 0, vtt: 0 }, textBytes: 0 }
      sizes.set(index, of)
    }
    of.gzipBytes[form] = numberAt(at)
    const sizeBytes = numberAt(at)
    if (form === 'txt') of.textBytes = sizeBytes
  }
  return sizes
}

const BLANK = ' '.charCodeAt(0)
const ZERO = '0'.charCodeAt(0)
