/** Addresses of files: which names there are below a job and a collection, and what a name means. */
import {
  EXPORT_FILES,
  type ExportFile,
  type FileForm,
  FORM_FILES,
  FORMATS,
  WHOLE_FILES,
  type WholeFile,
  WORD_FILES,
  type WordFile,
  ZIP_EXPORTS,
} from './catalogue.ts'

/** A file of a job, as its address names it. */
type FileRef =
  | { kind: 'whole'; file: WholeFile }
  | { kind: 'export'; file: ExportFile }
  | { kind: 'form'; index: number; file: FileForm }
  | { kind: 'words'; index: number; file: WordFile }
/** A file whose length and checksum are known before it is sent, and that is made of recorded forms. */
export type RecordedRef = Extract<FileRef, { kind: 'whole' | 'form' }>

/** The largest index: the database's int. */
export const ROW_INDEX_MAX = 2 ** 31 - 1

const WHOLE = alternativesOf(WHOLE_FILES)
const EXPORT = alternativesOf(EXPORT_FILES)
const FORM = alternativesOf(FORM_FILES)
const WORDS = alternativesOf(WORD_FILES)
/** Patterns of names in addresses: below /jobs/{id}/files and below /library/{id}/files, and all that a job has. */
export const JOB_FILE = `^(${WHOLE}|\\d+\\.(${FORM}))$`
export const COLLECTION_FILE = `^(${WHOLE}|${EXPORT})$`
export const ANY_JOB_FILE = `^(${WHOLE}|${EXPORT}|\\d{1,9}\\.(${FORM}|${WORDS}))$`

/** Patterns of the lists that a query may name, separated by commas: formats, and further files of a ZIP. */
export const FORMAT_LIST = listOf(FORMATS.join('|'))
export const EXPORT_LIST = listOf([...ZIP_EXPORTS.keys()].join('|'))

function listOf(words: string): string {
  return `^(${words})(,(${words}))*$`
}

function alternativesOf(names: readonly string[]): string {
  return names.map((name) => name.replaceAll('.', '\\.')).join('|')
}

/** Reads a requested file name; null for all else, `0`, leading zeros and huge numbers included. */
export function readFileName(name: string): FileRef | null {
  const whole = WHOLE_FILES.find((known) => known === name)
  if (whole !== undefined) return { kind: 'whole', file: whole }
  const exported = EXPORT_FILES.find((known) => known === name)
  if (exported !== undefined) return { kind: 'export', file: exported }
  const [, digits = '', ending = ''] = /^([1-9]\d{0,9})\.([a-z.]+)$/.exec(name) ?? []
  const index = Number(digits)
  if (index > ROW_INDEX_MAX) return null
  const form = FORM_FILES.find((known) => known === ending)
  if (form !== undefined) return { kind: 'form', index, file: form }
  const words = WORD_FILES.find((known) => known === ending)
  return words === undefined ? null : { kind: 'words', index, file: words }
}
