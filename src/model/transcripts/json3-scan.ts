/**
 * Scans the events of json3 as bytes (`assembly/events.ts`), without an object for each: a talk of twelve minutes is
 * 130 KB of pieces with their offsets, and 10 KB of words. What is not laid out as always is left to parsing.
 */
import { scanModule } from './forms-module.ts'
import type { PublishedCue } from './transcript.ts'

/** Of each cue: start, duration (negative: none), and where its text ends. */
const CUE_NUMBERS = 3

/**
 * The cues of all events from `at` on, which is behind `"events":`, where they are the end of the document, flat,
 * without blanks, and with whole numbers; else null.
 */
export function scanEvents(body: Buffer, at: number): PublishedCue[] | null {
  const module = scanModule()
  const events = body.subarray(at)
  const eventsAt = module.makeEvents(events.length)
  new Uint8Array(module.memory.buffer, eventsAt, events.length).set(events)
  const many = module.findCues()
  if (many < 0) return null
  const { buffer } = module.memory
  const table = new Float64Array(buffer, module.cuesAt(), CUE_NUMBERS * many)
  const bytes = Buffer.from(buffer, eventsAt, table.at(-1) ?? 0)
  // One string of which each text is a part costs less than a string for each.
  const ascii = module.isAscii() === 1 ? bytes.toString('latin1') : null
  const cues: PublishedCue[] = []
  let from = 0
  for (let next = 0; next < table.length; next += CUE_NUMBERS) {
    const [startMs, durationMs, end] = [
      table[next] ?? 0,
      table[next + 1] ?? 0,
      table[next + 2] ?? 0,
    ]
    cues.push({
      startMs,
      durationMs: durationMs < 0 ? null : durationMs,
      text: ascii === null ? bytes.toString('utf8', from, end) : ascii.slice(from, end),
    })
    from = end
  }
  return cues
}
