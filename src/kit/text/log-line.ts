/** A line of the log as text, for people at a terminal. */
import { escapedJson } from './controls.ts'

/** Names of pino's levels. */
const LEVELS: Record<number, string> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
}
/** Names that are told by their place, or that a terminal needs not: one process writes there. */
const PASSED_OVER = new Set(['level', 'time', 'pid', 'msg', 'err'])
/** A text that needs no quotes; everything else stands as JSON, where a line end is `\n` and a control is escaped. */
const PLAIN = /^[^\s"=\p{Cc}]+$/u

/**
 * Returns one line of the log, JSON of pino, as time (UTC), level, message and `name=value`, with the stack of an error
 * in lines below. Each text from outside stays one line, and commands no terminal. Lines that are not such JSON come
 * back with the rest escaped.
 */
export function textLogLine(json: string): string {
  const entry = entryOf(json)
  if (entry === null) return escapedJson(json)
  const { level, time, msg = '', err } = entry
  const facts = Object.entries(entry)
    .filter(([name]) => !PASSED_OVER.has(name))
    .map(([name, value]) => `${oneWord(name)}=${valueOf(value)}`)
  const at = new Date(Number(time)).toISOString().replace('T', ' ').replace(/\.\d+/, '')
  const words = [at, (LEVELS[Number(level)] ?? String(level)).padEnd(5), oneLine(String(msg))]
  return escapedJson(`${[...words, ...facts].join(' ')}\n${linesOfError(err)}`)
}

type Entry = Record<string, unknown>

function entryOf(json: string): Entry | null {
  try {
    const entry: unknown = JSON.parse(json)
    const isEntry = typeof entry === 'object' && entry !== null && 'time' in entry
    return isEntry && Number.isSafeInteger(entry.time) ? (entry as Entry) : null
  } catch {
    return null
  }
}

function linesOfError(error: unknown): string {
  if (typeof error !== 'object' || error === null)
    return error === undefined ? '' : `  ${valueOf(error)}\n`
  const { type, message, stack, ...more } = error as Entry
  const told = typeof stack === 'string' ? stack : `${String(type)}: ${String(message)}`
  const facts = Object.entries(more).map(([name, value]) => `${oneWord(name)}=${valueOf(value)}`)
  const lines = [...told.split('\n'), ...(facts.length > 0 ? [facts.join(' ')] : [])]
  return lines.map((line) => `    ${oneLine(line.trim())}\n`).join('')
}

function valueOf(value: unknown): string {
  return typeof value === 'string' && PLAIN.test(value) ? value : JSON.stringify(value)
}

function oneWord(name: string): string {
  return PLAIN.test(name) ? name : JSON.stringify(name)
}

/** Returns a text with its controls escaped as JSON has them. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (control) => JSON.stringify(control).slice(1, -1))
}
