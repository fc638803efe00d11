/** The look of a cue: in which pens and at which place of the picture the formats that have them write it. */
import { hasVisible, withoutInvisible } from '../../kit/text/invisible.ts'

/** A piece of a cue in one pen. */
export type PennedRun = { pen: string; text: string }

/** The first of the pens, positions and styles of windows, which is meant where none is named. */
export const USUAL = '0'

/** Returns the place that a position and a style of windows make; null where neither is named. */
export function screenPlace(position: unknown, style: unknown): string | null {
  if ((position ?? style ?? null) === null) return null
  return `${String(position ?? USUAL)}/${String(style ?? USUAL)}`
}

/** Returns the look as a text to compare. */
export function lookOf(place: string | null, pens: string): string {
  return `${place ?? `${USUAL}/${USUAL}`} ${pens}`
}

/**
 * Returns the pens of what is seen, and of several how many characters each but the last writes. A pen that fills a cue
 * with what nobody sees is not told.
 */
export function pensOf(runs: readonly PennedRun[]): string {
  const seen = runs.filter(({ text }) => hasVisible(text))
  const pen = seen[0]?.pen ?? USUAL
  if (seen.every((run) => run.pen === pen)) return pen
  const parts: { pen: string; chars: number }[] = []
  for (const run of seen) {
    const chars = withoutInvisible(run.text).replace(/\s+/g, '').length
    const last = parts.at(-1)
    if (last?.pen === run.pen) last.chars += chars
    else parts.push({ pen: run.pen, chars })
  }
  return parts
    .map((part, at) => (at + 1 < parts.length ? `${part.pen}:${part.chars}` : part.pen))
    .join()
}
