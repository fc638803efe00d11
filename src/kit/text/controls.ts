/**
 * Outside text for terminals. A control may begin a command: ESC, and the C1 controls, of which U+009B alone is what
 * `ESC [` is. Embeddings, overrides and isolates turn text around, so that it reads as what it is not (UAX #9).
 */

const CONTROLS = /\p{Cc}/gu
const KEPT = '\t\r\n'
const RETURNS = /\r\n|\r/g
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/**
 * Characters that JSON may hold as they are and that do harm elsewhere: terminals obey some or turn text around, some
 * readers end a line there, and YAML 1.1 may not hold others.
 */
const ESCAPED_IN_JSON =
  /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g

/** Returns the text of a file without what a terminal obeys; each becomes a space. Tabs and line ends stay. */
export function withoutControls(text: string): string {
  return text.replace(CONTROLS, (control) => (KEPT.includes(control) ? control : ' '))
}

/** Returns lines for a terminal: nothing in them commands it, goes back within a line or turns text around. */
export function terminalText(text: string): string {
  const ended = withoutControls(text).replace(RETURNS, (end) => (end === '\r' ? ' ' : end))
  return ended.replace(TURNS, '')
}

/** Returns the JSON of the same value that commands no terminal and whose every line end is one. */
export function escapedJson(json: string): string {
  return json.replace(ESCAPED_IN_JSON, escapeUnit)
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
