/** Files that can be downloaded, written from src/model/files/catalogue.ts by `npm run print`. */

/** Endings of files, by the names of formats. */
export const FORMAT_ENDINGS = { text: 'txt', srt: 'srt', vtt: 'vtt', segments: 'json' } as const

/** Endings of files with the time of each word, by what a ZIP is asked with. */
export const WORD_ENDINGS = { words: 'words.json', wordsvtt: 'words.vtt' } as const

/** A further file of each video that a ZIP holds on wish. */
export type ZipExport =
  /** Markdown with linked times. */
  | 'md'
  /** JSON lines, one line for each passage. */
  | 'jsonl'
  /** The time of each word, where it is known, as JSON. */
  | 'words'
  /** The time of each word, where it is known, as WebVTT. */
  | 'wordsvtt'

/** A file that holds everything of a channel, a playlist or a project. */
export type LibraryFile =
  /** All texts in each format, and the report. */
  | 'zip'
  /** All texts in one. */
  | 'text'
  /** A line for each video, failures included. */
  | 'report'
  /** Markdown with linked times. */
  | 'markdown'
  /** JSON lines, one line for each passage. */
  | 'passages'
  /** JSON lines, one line for each video. */
  | 'videos'
  /** The columns that 4CAT takes in. */
  | 'fourCat'
  /** RIS, an entry for each video, for reference managers. */
  | 'ris'
  /** CSL-JSON, an entry for each video, for reference managers. */
  | 'csl'
  /** Sources for NotebookLM. */
  | 'notebook'
  /** A note with properties for each text. */
  | 'vault'

/** Paths of these files. */
export const LIBRARY_FILES: Readonly<Record<LibraryFile, string>> = {
  zip: 'files/zip',
  text: 'files/all.txt',
  report: 'files/report.csv',
  markdown: 'files/export.md',
  passages: 'files/export.jsonl',
  videos: 'files/export.videos.jsonl',
  fourCat: 'files/export.4cat.csv',
  ris: 'files/export.ris',
  csl: 'files/export.csl.json',
  notebook: 'files/notebook.zip',
  vault: 'files/vault.zip',
}
