/** Reads replies without a promised shape: every step may be missing. */
import { hasVisible } from '../../kit/text/invisible.ts'

/** Returns the value at `path`, or undefined as soon as a step is missing. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let here = value
  for (const step of path) {
    if (typeof here !== 'object' || here === null) return undefined
    here = (here as Record<string | number, unknown>)[step]
  }
  return here
}

export function textAt(value: unknown, ...path: (string | number)[]): string | null {
  const found = at(value, ...path)
  return typeof found === 'string' ? storable(found) : null
}

/** Returns a text for people; null where nothing in it is seen. */
export function visibleTextAt(value: unknown, ...path: (string | number)[]): string | null {
  return visibleOf(textAt(value, ...path))
}

function visibleOf(text: string | null): string | null {
  return text !== null && hasVisible(text) ? text : null
}

/**
 * Returns what the database can keep: PostgreSQL's text holds neither U+0000 nor half of a surrogate pair, and one
 * title with either would fail its whole job. Null where nothing is left.
 */
function storable(text: string): string | null {
  return text.replaceAll('\u0000', '').toWellFormed() || null
}

export function listAt(value: unknown, ...path: (string | number)[]): unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/** The longest label: titles have up to 100 characters, sentences of the platform a few hundred. */
const LABEL_CHARS_MAX = 2_000

/**
 * Returns a label in any of the platform's spellings (a string, `simpleText`, `runs`, `content`), cut where it is too
 * long; null where nothing in it is seen, so that what stands in for a missing title stands in for it.
 */
export function labelAt(value: unknown, ...path: (string | number)[]): string | null {
  const found = at(value, ...path)
  const plain = [found, at(found, 'simpleText'), at(found, 'content')].find(
    (each) => typeof each === 'string',
  )
  if (typeof plain === 'string') return visibleOf(storable(plain.slice(0, LABEL_CHARS_MAX)))
  const runs = listAt(found, 'runs')
    .slice(0, LABEL_CHARS_MAX)
    .map((run) => textAt(run, 'text') ?? '')
  return visibleOf(storable(runs.join('').slice(0, LABEL_CHARS_MAX)))
}
