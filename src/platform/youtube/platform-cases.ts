/**
 * Cases: public videos, channels and lists of every kind, each with the outcomes that are right for it. They show by
 * real questions whether the platform is still read rightly. The file `platform-cases.json` has those of this release,
 * with ids of public test suites (yt-dlp, NewPipeExtractor; looked up 2026-11); another file replaces them.
 */
import fs from 'node:fs/promises'
import path from 'node:path'
import { ConfigError, sentenceOf } from '../../kit/settings.ts'
import { REFUSAL_REASONS } from '../../model/platform/refusal.ts'
import { readSource } from '../../model/platform/source.ts'

const CASE_KINDS = ['video', 'channel', 'list'] as const

/**
 * Outcomes of cases, by their kind. Of a video: its words, in the wished language or another one, or why there are
 * none; of a list `cut_short` where it has fewer pages than are asked for. `obstructed` says nothing of a case.
 */
const OUTCOMES = {
  video: ['success', 'other_language', ...REFUSAL_REASONS],
  channel: ['found', 'missing'],
  list: ['listed', 'empty', 'cut_short', 'missing'],
} as const satisfies Record<(typeof CASE_KINDS)[number], readonly string[]>

export type CaseOutcome = (typeof OUTCOMES)[keyof typeof OUTCOMES][number]

export type PlatformCase = {
  name: string
  kind: (typeof CASE_KINDS)[number]
  /**
   * The line that a customer would paste, on the platform and in the emulator's world; null where none is known. For a
   * video it may name a list, whose first video is then asked for.
   */
  platform: string | null
  standIn: string | null
  /** The language of a video's captions; the original one where it is absent. */
  language?: string
  /** How many pages of a list are read; one where it is absent. */
  pages?: number
  /** The outcomes that are right. */
  allowed: readonly CaseOutcome[]
  why: string
  /** Whether it is one of the few that are asked again and again. */
  canary?: boolean
}

const CASES_MAX = 100
const CASES_BYTES_MAX = 256 * 1024
const PAGES_MAX = 10
const RELEASE_FILE = path.join(import.meta.dirname, 'platform-cases.json')

/** Reads the cases of a file; null for those of this release. Throws a sentence that names the file and the fault. */
export async function readCasesFile(file: string | null): Promise<PlatformCase[]> {
  const name = file ?? RELEASE_FILE
  try {
    const { size } = await fs.stat(name)
    if (size > CASES_BYTES_MAX) throw new Error(`more than ${CASES_BYTES_MAX} bytes`)
    return readPlatformCases(await fs.readFile(name, 'utf8'))
  } catch (error) {
    throw new ConfigError(`${name} holds no cases for the doctor: ${sentenceOf(error)}`)
  }
}

/** Returns the cases. Throws a sentence that names the wrong entry and field. */
export function readPlatformCases(text: string): PlatformCase[] {
  const list = parseList(text)
  if (list.length === 0 || list.length > CASES_MAX)
    throw new Error(`cases: ${list.length} of them, not 1 to ${CASES_MAX}`)
  const cases = list.map(readCase)
  const names = cases.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`cases: ${twice} occurs twice`)
  return cases
}

function parseList(text: string): unknown[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new Error('cases: the file is not JSON', { cause })
  }
  if (!Array.isArray(value)) throw new Error('cases: the file is not a JSON array')
  return value
}

type Fields = Readonly<Record<string, unknown>>

/** A rule of a field: what it says of values that may not stand there. */
type FieldRule = { allows: (value: unknown, entry: Fields) => boolean; fault: string }

const isLine = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= 200

/** Whether a value is null or a line that names a source of the case's kind. */
function isAskable(value: unknown, { kind }: Fields): boolean {
  if (value === null) return true
  if (!isLine(value)) return false
  const reading = readSource(value)
  if (reading.kind !== 'source') return false
  const { kind: found } = reading.source
  if (kind === 'video') return true
  return kind === 'channel' ? found === 'channel' : found !== 'video'
}

function areOutcomes(value: unknown, { kind }: Fields): boolean {
  if (!Array.isArray(value) || value.length === 0) return false
  const known: readonly string[] = OUTCOMES[kind as PlatformCase['kind']]
  return value.every((each) => known.includes(each))
}

const SOURCE_RULE: FieldRule = {
  allows: isAskable,
  fault: 'is neither null nor the address or id of such a thing',
}

const OPTIONAL = new Set(['language', 'pages', 'canary'])

/** The fields of a case in the order in which they are checked. */
const RULES: { readonly [Field in keyof Required<PlatformCase>]: FieldRule } = {
  name: { allows: isLine, fault: 'is no text of 1 to 200 characters' },
  kind: {
    allows: (value) => CASE_KINDS.some((kind) => kind === value),
    fault: `is none of ${CASE_KINDS.join(', ')}`,
  },
  platform: SOURCE_RULE,
  standIn: SOURCE_RULE,
  language: { allows: isLine, fault: 'is no language code' },
  pages: {
    allows: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= PAGES_MAX,
    fault: `is no whole number from 1 to ${PAGES_MAX}`,
  },
  allowed: { allows: areOutcomes, fault: 'names outcomes that its kind does not have, or none' },
  why: { allows: isLine, fault: 'is no text of 1 to 200 characters' },
  canary: { allows: (value) => typeof value === 'boolean', fault: 'is neither true nor false' },
}

function readCase(entry: unknown, index: number): PlatformCase {
  const label = `cases: entry ${index + 1}`
  if (typeof entry !== 'object' || entry === null) throw new Error(`${label} is no object`)
  const fields = entry as Fields
  const named = isLine(fields['name']) ? `${label} (${fields['name']})` : label
  const unknown = Object.keys(fields).find((key) => !Object.hasOwn(RULES, key))
  if (unknown !== undefined)
    throw new Error(`${named}: "${unknown}" is none of ${Object.keys(RULES).join(', ')}`)
  for (const [field, { allows, fault }] of Object.entries(RULES)) {
    if (OPTIONAL.has(field) && fields[field] === undefined) continue
    if (!allows(fields[field], fields)) throw new Error(`${named}: "${field}" ${fault}`)
  }
  return fields as PlatformCase
}
