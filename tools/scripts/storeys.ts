/**
 * The storeys of `src`, from the ground up, and its rooms: folders that are imported as a unit. A room imports from its
 * own storey and from those below, types included, and no ring of rooms imports itself.
 * `tools/scripts/check-imports.ts` refuses every breach by name; ARCHITECTURE.md says why.
 */

export const STOREYS = [
  { name: 'kit', holds: 'what all may use: kinds of settings, problems, HTTP, PostgreSQL, text' },
  { name: 'config', holds: 'what an operator sets, and limits: numbers that nobody sets' },
  { name: 'model', holds: 'nouns and codecs: types and pure functions' },
  { name: 'store', holds: 'tables and statements, no decisions' },
  { name: 'platform', holds: 'the outside: knows no table' },
  { name: 'features', holds: 'verbs: one use case, mostly one transaction' },
  { name: 'surfaces', holds: 'what callers, agents, operators and the queue reach' },
  { name: 'wiring', holds: 'opens everything and hands it on' },
] as const

export type Storey = (typeof STOREYS)[number]['name']

/** Storeys of which each folder is a room. */
const FOLDERS_OF_ROOMS = ['kit', 'model', 'platform', 'features']
/** A room beside the nouns of the API, which are one room: it answers the website alone. */
const API_OF_WEBSITE = 'api/account-api'
const SURFACES = ['admin', 'api', 'context', 'mcp', 'metrics', 'worker']

/**
 * Returns the room of a file, given by its path from `src`: `model/jobs`, `store`; files at the root are the wiring.
 */
export function roomOf(file: string): string {
  const [folder = '', second = '', third] = file.split('/')
  if (second === '') return file === 'context.ts' ? 'context' : 'wiring'
  if (file.startsWith(`${API_OF_WEBSITE}/`)) return API_OF_WEBSITE
  return FOLDERS_OF_ROOMS.includes(folder) && third !== undefined ? `${folder}/${second}` : folder
}

export function storeyOf(room: string): Storey {
  const [folder = ''] = room.split('/')
  if (SURFACES.includes(folder)) return 'surfaces'
  const storey = STOREYS.find(({ name }) => name === folder)
  if (storey === undefined)
    throw new Error(`src/${folder} is of no storey: see tools/scripts/storeys.ts`)
  return storey.name
}

/** Codecs use zlib, and some wait for it; apart from that they are as pure as nouns. */
export const CODECS: readonly string[] = [
  'model/files/recorded-forms.ts',
  'model/files/transcript-forms.ts',
  'model/transcripts/transcript-body.ts',
  'model/transcripts/word-times.ts',
]

/** Returns whether a file of `src` must know no clock, chance, waiting, network or database. */
export function isPure(file: string): boolean {
  return /^(model|kit\/text)\//.test(file) && !CODECS.includes(file)
}
