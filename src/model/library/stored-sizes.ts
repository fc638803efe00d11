/** How long what is stored of texts is, read from the lines that the database makes of it (store/library-sizes.ts). */
import { eachInSteps, type Steps } from '../transcripts/steps.ts'
import type { FileForm } from '../transcripts/formats.ts'
import { SIZES_BYTES, unpackSizes } from '../transcripts/recorded-forms.ts'

/** As the store lists them. */
type SizesOfJob = { jobId: string; sizes: string | null; recorded: Buffer | null }

/** Lengths of gzip members by form, 0 where a form is not stored; and of the text without compression. */
export type StoredSizes = { gzipBytes: Record<FileForm, number>; textBytes: number }

const NONE_STORED = { json: 0, srt: 0, txt: 0, vtt: 0 }

/** A job of 500 videos in four forms takes up to a millisecond. */
const JOBS_A_STEP = 10

/** By job and index, of these forms. */
export function* storedSizesSteps(
  jobs: readonly SizesOfJob[],
  forms: readonly FileForm[],
): Steps<Map<string, Map<number, StoredSizes>>> {
  const stored = new Map<string, Map<number, StoredSizes>>()
  const read = ({ jobId, sizes, recorded }: SizesOfJob): void => {
    const found = readLine(sizes ?? '')
    if (recorded !== null) addRecordedSizes(found, recorded, forms)
    stored.set(jobId, found)
  }
  yield* eachInSteps(jobs, read, JOBS_A_STEP)
  return stored
}

const INDEX_BYTES = 4

function addRecordedSizes(
  sizes: Map<number, StoredSizes>,
  recorded: Buffer,
  forms: readonly FileForm[],
): void {
  for (let at = 0; at < recorded.length;) {
    const of: StoredSizes = { gzipBytes: { ...NONE_STORED }, textBytes: 0 }
    sizes.set(recorded.readInt32BE(at), of)
    at += INDEX_BYTES
    const listed = unpackSizes(recorded.subarray(at))
    for (const { form, sizeBytes, gzipBytes } of listed) {
      const asked = forms.find((one) => one === form)
      if (asked !== undefined) of.gzipBytes[asked] = gzipBytes
      if (form === 'txt') of.textBytes = sizeBytes
    }
    at += 1 + listed.length * SIZES_BYTES
  }
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
      of = { gzipBytes: { ...NONE_STORED }, textBytes: 0 }
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
