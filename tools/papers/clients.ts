/** The catalogue of files as the client libraries and the command line know it. */
import {
  EXPORTS,
  FORM_FILES,
  FORMS,
  WHOLES,
  WORD_FILES,
  WORDS,
  ZIP_EXPORTS,
} from '../../src/model/files/catalogue.ts'
import { withBlock } from './block.ts'

type Row = {
  media: string
  about: string
  client: string
  command: string
  tool?: string
  query?: readonly string[]
}

/** Files of all texts by their names in addresses. */
const ROWS: [file: string, row: Row][] = Object.entries({ ...WHOLES, ...EXPORTS })
const ENDINGS = FORM_FILES.map((form): [string, string] => [FORMS[form].format, form])
const WORD_ENDINGS = WORD_FILES.map((file): [string, string] => [WORDS[file].inZip, file])
const ZIP_WORDS = [...ZIP_EXPORTS].map(([word, file]): [string, string] => {
  return [
    word,
    file in EXPORTS
      ? EXPORTS[file as keyof typeof EXPORTS].about
      : WORDS[file as keyof typeof WORDS].about,
  ]
})

/** Returns the module of the TypeScript client. Comments stand at types, which are no part of what is packed. */
export function catalogueTypeScript(): string {
  const names = ROWS.map(([, { about, client }]) => unionMember(client, about))
  const paths = ROWS.map(([file, { client }]) => [client, `files/${file}`])
  return `${HEAD}
/** Endings of files, by the names of formats. */
export const FORMAT_ENDINGS = ${JSON.stringify(Object.fromEntries(ENDINGS))} as const

/** Endings of files with the time of each word, by what a ZIP is asked with. */
export const WORD_ENDINGS = ${JSON.stringify(Object.fromEntries(WORD_ENDINGS))} as const

/** A further file of each video that a ZIP holds on wish. */
export type ZipExport =
${ZIP_WORDS.map(([word, about]) => unionMember(word, about)).join('')}

/** A file that holds everything of a channel, a playlist or a project. */
export type LibraryFile =
${names.join('')}

/** Paths of these files. */
export const LIBRARY_FILES: Readonly<Record<LibraryFile, string>> = ${JSON.stringify(Object.fromEntries(paths))}
`
}

function unionMember(name: string, about: string): string {
  return `  /** ${capital(about)}. */\n  | '${name}'\n`
}

/** Returns the module of the command line. */
export function catalogueCommand(): string {
  const kinds = ROWS.map(([, { media, client, command, query = [] }]) => {
    const facts = { file: client, command, query, isZip: media.endsWith('/zip') }
    return `  ${JSON.stringify(facts)},\n`
  })
  const notes = ROWS.filter(([file]) => file.endsWith('.jsonl')).map(
    ([, { command, about }]) => `${command}: ${about.replace(/^JSON lines, /, '')}`,
  )
  const ofTools = Map.groupBy(
    ROWS.flatMap(([, { command, tool }]) => (tool === undefined ? [] : [{ command, tool }])),
    ({ tool }) => tool,
  )
  const tools = [...ofTools].map(([tool, kinds], at) => {
    const commands = kinds.map(({ command }) => command)
    return `${commands.join(' and ')}${at > 0 ? '' : commands.length > 1 ? ' are' : ' is'} for ${tool}`
  })
  return `${HEAD}import type { LibraryFile } from '../../typescript/src/index.ts'

/** A file of a whole collection. */
export type LibraryKind = {
  /** Its name in the client library, and behind \`--as\`. */
  file: LibraryFile
  command: string
  /** Fields of the query that it takes. */
  query: readonly string[]
  isZip: boolean
}

export const LIBRARY_KINDS: readonly LibraryKind[] = [
${kinds.join('')}]

/** Notes of the help: what tables and lines hold, and for which programs the other kinds are. */
export const NOTES_OF_KINDS = ${JSON.stringify([...inLines(notes), ...inLines(tools)])}
`
}

/** Returns the parts of a sentence in lines of a help page. */
function inLines(parts: readonly string[]): string[] {
  const lines: string[] = []
  for (const [at, part] of parts.entries()) {
    const piece = `${part}${at === parts.length - 1 ? '.' : ','}`
    const longer = `${lines.at(-1) ?? ''} ${piece}`
    if (lines.length > 0 && longer.length <= HELP_COLUMNS) lines[lines.length - 1] = longer
    else lines.push(piece)
  }
  return lines
}
const HELP_COLUMNS = 80

const HEAD =
  '/** Files that can be downloaded, written from src/model/files/catalogue.ts by `npm run print`. */\n'

/** Marks of the printed block; tools/scripts/places/sources.ts knows them, too. */
const PYTHON_MARKS = {
  open: '# Written by `npm run print`: the files that can be downloaded.\n',
  close: '# End of what is printed.\n',
}

/** Returns the Python client with its block of the catalogue. */
export function cataloguePython(now: string): string {
  const endings = ENDINGS.map(([format, ending]) => `    "${format}": "${ending}",\n`)
  const files = ROWS.map(([file, { about, client }]) => {
    return `    # ${capital(about)}.\n    "${snakeCase(client)}": "files/${file}",\n`
  })
  const exports = ZIP_WORDS.map(([word, about]) => `    # ${capital(about)}.\n    "${word}",\n`)
  const block = `
# Endings of a video's files, by the formats that an order names.
FORMAT_ENDINGS = {
${endings.join('')}}
# Further files of each video that a ZIP holds on wish.
ZIP_EXPORTS = (
${exports.join('')})
# Files that hold everything of a channel, a playlist or a project, by their names in this client.
LIBRARY_FILES = {
${files.join('')}}

`
  return withBlock(now, PYTHON_MARKS, block)
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function capital(about: string): string {
  return about.charAt(0).toUpperCase() + about.slice(1)
}
