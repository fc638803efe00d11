/**
 * The catalogue of files: a row for each that may be downloaded. Addresses, types, operations, names, the website's
 * menus, the clients, the command line and the table of the documents are made from the rows. A further file is a row,
 * its writer beside this file, and the line that names the writer; docs/changing.md has the steps. The website imports
 * this as it is.
 */
import type { ExportRow, FormRow, SizedRow, WordsRow } from './file-rows.ts'

const TEXT = 'text/plain; charset=utf-8'
const CSV = 'text/csv; charset=utf-8'
const JSON_LINES = 'application/jsonl; charset=utf-8'
const ZIP = 'application/zip'

/** Files of one text, by their endings. */
export const FORMS = {
  txt: {
    format: 'text',
    number: 0,
    isAlways: true,
    media: TEXT,
    label: 'Text',
    about: 'readable paragraphs',
  },
  srt: {
    format: 'srt',
    number: 3,
    isAlways: false,
    media: TEXT,
    label: 'SRT subtitles',
    about: 'SubRip, for players',
  },
  vtt: {
    format: 'vtt',
    number: 4,
    isAlways: false,
    media: TEXT,
    label: 'VTT subtitles',
    about: 'WebVTT, for players',
  },
  json: {
    format: 'segments',
    number: 1,
    isAlways: true,
    media: 'application/json; charset=utf-8',
    label: 'JSON with times',
    about: 'segments with their times',
  },
} as const satisfies Record<string, FormRow>

/** The number of a form that is no file: the JSON string of results pages. The next free number is 7. */
export const PAGE_TEXT_NUMBER = 2

/** Files of the words of one text, by their endings. */
export const WORDS = {
  'words.json': {
    number: 5,
    inZip: 'words',
    media: 'application/json; charset=utf-8',
    label: 'Words with times, JSON',
    about: 'the time of each word, where it is known, as JSON',
    operationId: 'getWords',
    summary: 'Read when each word of a text is said, as the platform published it',
  },
  'words.vtt': {
    number: 6,
    inZip: 'wordsvtt',
    media: 'text/vtt; charset=utf-8',
    label: 'Words with times, VTT',
    about: 'the time of each word, where it is known, as WebVTT',
    operationId: 'getWordsVtt',
    summary: 'Download the captions of a text as WebVTT with a time stamp before each word',
  },
} as const satisfies Record<string, WordsRow>

/** Files of all texts whose length is known before they are sent. */
export const WHOLES = {
  zip: {
    media: ZIP,
    about: 'all texts in each format, and the report',
    menu: 'To read',
    offers: {
      'ZIP with Markdown and passages': 'exports=md,jsonl',
      'ZIP with the times of words': 'exports=words,wordsvtt',
    },
    client: 'zip',
    command: 'zip',
    query: ['formats', 'exports'],
    behindName: '.zip',
    aroundId: ['transcripts-', '.zip'],
  },
  'all.txt': {
    media: TEXT,
    about: 'all texts in one',
    menu: 'To read',
    isUsual: true,
    offers: { 'All texts in one': '' },
    client: 'text',
    command: 'text',
    behindName: ' all texts.txt',
    aroundId: ['all-transcripts-', '.txt'],
  },
  'report.csv': {
    media: CSV,
    about: 'a line for each video, failures included',
    menu: 'For tables and programs',
    isUsual: true,
    offers: {
      'Report as CSV': 'bom=1',
      'Report as CSV with semicolons': 'bom=1&separator=semicolon',
    },
    client: 'report',
    command: 'csv',
    query: ['bom', 'separator'],
    behindName: ' report.csv',
    aroundId: ['report-', '.csv'],
  },
} as const satisfies Record<string, SizedRow>

/** Files of all texts that are made while they are sent. */
export const EXPORTS = {
  'export.md': {
    media: 'text/markdown; charset=utf-8',
    about: 'Markdown with linked times',
    menu: 'To read',
    isUsual: true,
    offers: { Markdown: '' },
    client: 'markdown',
    command: 'markdown',
    operationId: 'getMarkdown',
    summary: 'Download the transcripts of a job as one Markdown document',
    inZip: 'md',
  },
  'export.jsonl': {
    media: JSON_LINES,
    about: 'JSON lines, one line for each passage',
    menu: 'For tables and programs',
    offers: { 'JSON lines, one line for each passage': '' },
    client: 'passages',
    command: 'jsonl',
    operationId: 'getPassages',
    summary: 'Download the transcripts of a job as JSON lines, one line for each passage',
    query: ['seconds'],
    inZip: 'jsonl',
  },
  'export.videos.jsonl': {
    media: JSON_LINES,
    about: 'JSON lines, one line for each video',
    menu: 'For tables and programs',
    offers: { 'JSON lines, one line for each video': '' },
    client: 'videos',
    command: 'videos',
    operationId: 'getVideoLines',
    summary: 'Download the transcripts of a job as JSON lines, one line for each video',
  },
  'export.4cat.csv': {
    media: CSV,
    about: 'the columns that 4CAT takes in',
    menu: 'For other tools',
    offers: { '4CAT (CSV)': '' },
    client: 'fourCat',
    command: '4cat',
    tool: '4CAT',
    operationId: 'getFourCatTable',
    summary: 'Download the transcripts of a job as a table for 4CAT',
  },
  'export.ris': {
    media: 'application/x-research-info-systems; charset=utf-8',
    about: 'RIS, an entry for each video, for reference managers',
    menu: 'For other tools',
    isUsual: true,
    offers: { 'Zotero and others (RIS)': '' },
    client: 'ris',
    command: 'ris',
    tool: 'Zotero',
    operationId: 'getRisEntries',
    summary: 'Download the videos of a job as RIS, for reference managers',
  },
  'export.csl.json': {
    media: 'application/vnd.citationstyles.csl+json',
    about: 'CSL-JSON, an entry for each video, for reference managers',
    menu: 'For other tools',
    offers: { 'Zotero and others (CSL-JSON)': '' },
    client: 'csl',
    command: 'csl',
    tool: 'Zotero',
    operationId: 'getCslEntries',
    summary: 'Download the videos of a job as CSL-JSON, for reference managers',
  },
  'notebook.zip': {
    media: ZIP,
    about: 'sources for NotebookLM',
    menu: 'For other tools',
    isUsual: true,
    offers: { 'NotebookLM sources (ZIP)': 'parts=300' },
    client: 'notebook',
    command: 'notebook',
    tool: 'NotebookLM',
    operationId: 'getNotebookSources',
    summary: 'Download the transcripts of a job as sources for NotebookLM',
    query: ['parts', 'words'],
  },
  'vault.zip': {
    media: ZIP,
    about: 'a note with properties for each text',
    menu: 'For other tools',
    isUsual: true,
    offers: { 'Obsidian notes (ZIP)': '' },
    client: 'vault',
    command: 'vault',
    tool: 'Obsidian',
    operationId: 'getVault',
    summary: 'Download the transcripts of a job as notes with properties, for a vault',
  },
} as const satisfies Record<string, ExportRow>

/** A file of one text, by its ending. */
export type FileForm = keyof typeof FORMS
/** A format that a caller may ask for. */
export type Format = (typeof FORMS)[FileForm]['format']
export type WordFile = keyof typeof WORDS
export type WholeFile = keyof typeof WHOLES
export type ExportFile = keyof typeof EXPORTS

/** The names of a register, in its order. */
const namesOf = <Rows extends object>(rows: Rows): (keyof Rows & string)[] =>
  Object.keys(rows) as (keyof Rows & string)[]

export const WORD_FILES: readonly WordFile[] = namesOf(WORDS)
export const WHOLE_FILES: readonly WholeFile[] = namesOf(WHOLES)
export const EXPORT_FILES: readonly ExportFile[] = namesOf(EXPORTS)
export const FORM_FILES: readonly FileForm[] = namesOf(FORMS)
/** Endings of forms, sorted. */
export const FILE_FORMS: readonly FileForm[] = FORM_FILES.toSorted()
export const FORMATS: readonly Format[] = FORM_FILES.map((form) => FORMS[form].format)

/** Files of each video that a ZIP holds on wish, by the word that asks for them. */
export const ZIP_EXPORTS: ReadonlyMap<string, ZipExport> = new Map(
  Object.entries({ ...EXPORTS, ...WORDS }).flatMap(([file, row]) =>
    'inZip' in row ? [[row.inZip, file as ZipExport]] : [],
  ),
)
type Zipped<Rows> = {
  [File in keyof Rows]: Rows[File] extends { inZip: string } ? File : never
}[keyof Rows]
export type ZipExport = Zipped<typeof EXPORTS> | WordFile
