/**
 * A reader of stored word times that knows only their layout (src/model/transcripts/word-times.ts) and uses nothing of
 * ours, so that whoever has a database or a backup can copy it.
 */
import zlib from 'node:zlib'
import type { Segment } from '../../src/model/transcripts/transcript.ts'
import type { Word } from '../../src/model/transcripts/word-times.ts'

/** Returns the words of each segment, one segment after the other. Throws what zlib throws. */
export function readWordTimes(packed: Uint8Array, segments: readonly Segment[]): Word[] {
  let [bytes, at] = [packed, 1]
  const byte = (): number => bytes[at++] ?? 255
  const number = (): number => {
    for (let value = 0, weight = 1; ; weight *= 128) {
      const next = byte()
      if (next < 128) return value + next * weight
      value += (next - 128) * weight
    }
  }
  number() // the content's length
  ;[bytes, at] = [zlib.zstdDecompressSync(packed.subarray(at)), 0]
  const [count, least] = [number(), number()]
  const kinds = Array.from({ length: count }, number)
  const starts = kinds.map((kind) => (kind < 2 ? 0 : number()))
  const steps = kinds.map((kind) => Array.from({ length: Math.max(0, (kind >> 1) - 1) }, number))
  const cut = (text: string): number[] => (text.match(/ ?[^ ]*/g) ?? []).map(({ length }) => length)
  const lengths = segments.map(({ text }, nth) =>
    (kinds[nth] ?? 0) % 2 === 0 ? cut(text) : [0, ...(steps[nth] ?? [])].map(number),
  )
  return segments.flatMap(({ startMs, endMs, text }, nth) => {
    let [from, last] = [0, startMs + (starts[nth] ?? 0)]
    const times = [last, ...(steps[nth] ?? []).map((step) => (last += least + step)), endMs]
    return times.slice(0, (kinds[nth] ?? 0) >> 1).map((time, i) => {
      const said = text.slice(from, (from += lengths[nth]?.[i] ?? 0))
      const sure = byte()
      const [begins, ends] = [Math.min(time, endMs), Math.min(times[i + 1] ?? endMs, endMs)]
      return {
        startMs: begins,
        endMs: ends,
        text: said,
        confidence: sure === 255 ? null : sure / 254,
      }
    })
  })
}
