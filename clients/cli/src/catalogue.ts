/** Files that can be downloaded, written from src/model/files/catalogue.ts by `npm run print`. */
import type { LibraryFile } from '../../typescript/src/index.ts'

/** A file of a whole collection. */
export type LibraryKind = {
  /** Its name in the client library, and behind `--as`. */
  file: LibraryFile
  command: string
  /** Fields of the query that it takes. */
  query: readonly string[]
  isZip: boolean
}

export const LIBRARY_KINDS: readonly LibraryKind[] = [
  { file: 'zip', command: 'zip', query: ['formats', 'exports'], isZip: true },
  { file: 'text', command: 'text', query: [], isZip: false },
  { file: 'report', command: 'csv', query: ['bom', 'separator'], isZip: false },
  { file: 'markdown', command: 'markdown', query: [], isZip: false },
  { file: 'passages', command: 'jsonl', query: ['seconds'], isZip: false },
  { file: 'videos', command: 'videos', query: [], isZip: false },
  { file: 'fourCat', command: '4cat', query: [], isZip: false },
  { file: 'ris', command: 'ris', query: [], isZip: false },
  { file: 'csl', command: 'csl', query: [], isZip: false },
  { file: 'notebook', command: 'notebook', query: ['parts', 'words'], isZip: true },
  { file: 'vault', command: 'vault', query: [], isZip: true },
]

/** Notes of the help: what tables and lines hold, and for which programs the other kinds are. */
export const NOTES_OF_KINDS = [
  'jsonl: one line for each passage, videos: one line for each video.',
  '4cat is for 4CAT, ris and csl for Zotero, notebook for NotebookLM,',
  'vault for Obsidian.',
]
