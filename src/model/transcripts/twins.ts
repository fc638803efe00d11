/** Twins: the same words for a reader, published again in another layer of the picture or another moment of a style. */
import { composed } from '../../kit/text/outside-text.ts'
import { visibleLine, withoutInvisible } from '../../kit/text/invisible.ts'
import type { TimedWord } from './transcript.ts'

/** A cue with words and with an end. */
export type ShownLine = {
  startMs: number
  endMs: number
  /** Whether the platform gave no end, so that it is ours. */
  isOpen: boolean
  text: string
  words: readonly TimedWord[] | null
  /** The pens and the place in which it is written, in the end. */
  look: string
  /** All looks that it has at a time; absent where that is one. */
  layers?: Set<string> | undefined
}

const PLAIN = /^[ -~]*$/

/** Cues of one sentence may overlap, or leave a gap, of a frame or so, in milliseconds. */
const FRAME_MS = 50
/** So many lines of the same words end in a frame where a track makes sense; more are not compared. */
const COMPARED_MAX = 100

/**
 * Leaves out of a creator's track, sorted by start, what is said once and written again: in layers, or in another pen
 * or place from the moment at which the cue before it ends. What one look repeats is a refrain.
 */
export function withoutTwins(lines: readonly ShownLine[]): ShownLine[] {
  const [first] = lines
  if (lines.every(({ look }) => look === first?.look)) return saidOnce(lines)
  const layers = saidOnce(lines, (line) => `${line.endMs} ${seenWords(line)}`)
  return saidOnce(withoutRestyled(layers))
}

/**
 * Leaves out what is said once and published again at the same start: all of a track of a video with several sounds
 * (seen in 2026), or the layer for the shadow beside the one for the outline. The longest stays.
 */
export function saidOnce(lines: readonly ShownLine[], keyOf = seenWords): ShownLine[] {
  const single: ShownLine[] = []
  /** The lines of the last start by their words; null while it has one. */
  let together: Map<string, ShownLine> | null = null
  for (const line of lines) {
    const last = single.at(-1)
    if (last?.startMs !== line.startMs) together = null
    else together ??= new Map([[keyOf(last), last]])
    const key = together === null ? '' : keyOf(line)
    const twin = together?.get(key)
    if (twin === undefined) {
      single.push(line)
      together?.set(key, line)
    } else {
      lengthen(twin, line)
      if (line.look !== twin.look)
        twin.layers = (twin.layers ?? new Set([twin.look])).add(line.look)
      keepWords(twin, line)
    }
  }
  return single
}

/** Gives a line the end of another if that is later; an end that the platform gave goes before one of ours. */
export function lengthen(line: ShownLine, other: ShownLine): void {
  if (line.isOpen === other.isOpen) line.endMs = Math.max(line.endMs, other.endMs)
  else if (line.isOpen) line.endMs = other.endMs
  line.isOpen &&= other.isOpen
}

/** Joins lines of the same words, each of which begins in another look as the one before ends, whatever is between. */
function withoutRestyled(lines: readonly ShownLine[]): ShownLine[] {
  const single: ShownLine[] = []
  /** The lines by the frame in which they end and their words, so that none is compared with all. */
  const ending = new Map<string, Set<ShownLine>>()
  for (const line of lines) {
    const words = seenWords(line)
    const above = restyledBy(line, words, ending)
    if (above === undefined) single.push(line)
    else {
      ending.get(endOf(above, words))?.delete(above)
      above.endMs = Math.max(above.endMs, line.endMs)
      above.look = line.look
      above.layers = line.layers
      keepWords(above, line)
    }
    const shown = above ?? line
    const end = endOf(shown, words)
    const others = ending.get(end)
    if (others === undefined) ending.set(end, new Set([shown]))
    else others.add(shown)
  }
  return single
}

function endOf({ endMs }: { endMs: number }, words: string): string {
  return `${Math.floor(endMs / FRAME_MS)} ${words}`
}

/** Returns the line that this one shows on in another look; undefined where there is none. */
function restyledBy(
  line: ShownLine,
  words: string,
  ending: ReadonlyMap<string, ReadonlySet<ShownLine>>,
): ShownLine | undefined {
  const near = [-FRAME_MS, 0, FRAME_MS].values().flatMap((awayMs) => {
    return ending.get(endOf({ endMs: line.startMs + awayMs }, words)) ?? []
  })
  return near
    .take(COMPARED_MAX)
    .find((above) => Math.abs(line.startMs - above.endMs) <= FRAME_MS && !sharesLook(above, line))
}

function sharesLook(one: ShownLine, other: ShownLine): boolean {
  const { layers } = one
  if (layers === undefined) return other.layers?.has(one.look) ?? one.look === other.look
  if (other.layers === undefined || other.layers.size < layers.size) return sharesLook(other, one)
  return layers.values().some((look) => other.layers?.has(look))
}

/** Gives a line the text of its twin where only that says when each word is said. */
function keepWords(line: ShownLine, twin: ShownLine): void {
  if (line.words !== null || twin.words === null) return
  const laterMs = twin.startMs - line.startMs
  line.text = twin.text
  line.words = twin.words.map((word) => ({ ...word, offsetMs: word.offsetMs + laterMs }))
}

/** Returns the words as a reader sees them: marks, joiners and selectors make no other words. */
function seenWords({ text }: ShownLine): string {
  return PLAIN.test(text) ? text : composed(visibleLine(withoutInvisible(text)))
}
