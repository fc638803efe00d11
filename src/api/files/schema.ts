/** Schemas of requests for files and of their answers, made from the catalogue of files. */
import { type TProperties, Type } from '@fastify/type-provider-typebox'
import { SEPARATORS } from '../../kit/text/csv.ts'
import { EXPORT_LIST, FORMAT_LIST } from '../../model/files/addresses.ts'
import {
  EXPORT_FILES,
  type ExportFile,
  EXPORTS,
  WHOLE_FILES,
  WHOLES,
  WORDS,
  ZIP_EXPORTS,
} from '../../model/files/catalogue.ts'
import type { ExportRow } from '../../model/files/file-rows.ts'
import { NOTEBOOK_PARTS, NOTEBOOK_WORDS } from '../../model/files/notebook.ts'
import { optionalInteger, optionalText, wordOf } from '../contract.ts'

/** Words that ask a ZIP for further files, each with what it brings. */
const ZIPPED = [...ZIP_EXPORTS].map(([word, file]) => {
  return `\`${word}\` (${{ ...EXPORTS, ...WORDS }[file].about})`
})

/** Fields of a query that say how a file is made, by their names. */
export const exportQuery = {
  seconds: optionalInteger({
    minimum: 5,
    maximum: 3_600,
    default: 120,
    description: 'How long a passage of export.jsonl is',
  }),
  exports: optionalText({
    pattern: EXPORT_LIST,
    description:
      `What else the ZIP holds of each video, separated by commas: ${ZIPPED.join(', ')}. ` +
      'Such a ZIP is made while it is sent, without ETag and Range',
    examples: ['md,jsonl'],
  }),
}

/** Bounds of the division of notebook.zip. */
export const notebookQuery = {
  parts: optionalInteger({
    minimum: NOTEBOOK_PARTS.least,
    maximum: NOTEBOOK_PARTS.most,
    default: NOTEBOOK_PARTS.byDefault,
    description:
      'The most sources in notebook.zip: as many as the notebook still takes. Where the texts do not fit, the answer is ' +
      '400 and names how many they need',
  }),
  words: optionalInteger({
    minimum: NOTEBOOK_WORDS.least,
    maximum: NOTEBOOK_WORDS.most,
    default: NOTEBOOK_WORDS.byDefault,
    description: 'The most words in each source of notebook.zip',
  }),
}

/** Returns the schema of a query that names the formats in a ZIP. */
export function formatsQuery(byDefault: string) {
  return optionalText({
    pattern: FORMAT_LIST,
    description: `What the ZIP holds of each video, separated by commas; by default ${byDefault}`,
    examples: ['text'],
  })
}

/** The sign between the cells of a table. */
export const separatorQuery = {
  separator: Type.Optional(
    wordOf(SEPARATORS, {
      default: 'comma',
      description:
        'What stands between the cells of a CSV table; `semicolon` is for spreadsheets of countries that write decimals ' +
        'with a comma, and so are its amounts',
    }),
  ),
}

/** How report.csv is written, of a job and of a collection. */
export const tableQuery = {
  ...separatorQuery,
  bom: Type.Optional(
    wordOf(['0', '1'], {
      default: '0',
      description: '`1`: report.csv begins with a byte order mark, for spreadsheets',
    }),
  ),
}

/** Which texts a file of an order holds. */
export const textsQuery = {
  texts: Type.Optional(
    wordOf(['all'], {
      description: 'Also what other orders brought for its `unchanged` videos (see getFile)',
    }),
  ),
}

/** The names of files. */
export const namesQuery = Type.Optional(
  wordOf(['index', 'title'], {
    default: 'index',
    description: '`title`: readable names for the downloaded file and the files in the ZIP',
  }),
)

/** Returns the query of an export of a job. */
export function queryOfExport(file: ExportFile): TProperties {
  const { query = [] }: ExportRow = EXPORTS[file]
  const fields = { seconds: exportQuery.seconds, ...notebookQuery }
  return { ...textsQuery, ...Object.fromEntries(query.map((name) => [name, fields[name]])) }
}

type Content = Record<string, { schema: object }>

const text = { schema: Type.String() }
const binary = { schema: Type.String({ format: 'binary' }) }
/** Entries of reference managers, which are JSON of another standard. */
const entries = { schema: Type.Array(Type.Object({}, { additionalProperties: true })) }

/** Returns what an answer of this type holds, by its media type. */
export function contentOf(media: string): Content {
  const [type = media] = media.split(';')
  if (type === 'application/zip') return { [type]: binary }
  return { [type]: type.endsWith('+json') ? entries : text }
}

/** Contents of the files of a collection: of those whose length is known, and of all. */
export const WHOLE_CONTENT: Content = contentsOf(WHOLE_FILES.map((file) => WHOLES[file]))
export const COLLECTION_CONTENT: Content = {
  ...WHOLE_CONTENT,
  ...contentsOf(EXPORT_FILES.map((file) => EXPORTS[file])),
}

function contentsOf(rows: readonly { media: string }[]): Content {
  return Object.assign({}, ...rows.map(({ media }) => contentOf(media))) as Content
}
