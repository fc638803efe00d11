/** Rows of the catalogue of files: facts that it has of each. */

export const MENU_GROUPS = ['To read', 'For tables and programs', 'For other tools'] as const

/** Facts of every file. */
type FileRow = {
  /** The type of the content, as it is sent; one that names a character set is text. */
  media: string
  /** Its description, in words for the documents. */
  about: string
}

/** A file of one text in a format that an order may name. */
export type FormRow = FileRow & {
  /** Its name in an order. */
  format: string
  /** The number under which its length and checksums are stored: never changed, never given again. */
  number: number
  /** True where every text has it, whatever was ordered: results and readers need it. */
  isAlways: boolean
  /** Its name on the website; where there is little room, its first word. */
  label: string
}

/** A file of the words of one text, each with its times. */
export type WordsRow = FileRow &
  Operation & {
    /** Its number and its label, as a form has them. */
    number: number
    label: string
    /** The word by which a ZIP is asked for it. */
    inZip: string
  }

/** The operation that the description of the API has of a file. */
type Operation = { operationId: string; summary: string }

/** A file of all texts of a job or a collection. */
type WholeRow = FileRow & {
  /** The group of the website's menu in which it stands, and under which labels, each with its query. */
  menu: (typeof MENU_GROUPS)[number]
  /** Present where its first label stands before the groups: most people want one of these. */
  isUsual?: true
  offers: Readonly<Record<string, string>>
  /** Its name in the client libraries, and behind `--as` on the command line. */
  client: string
  command: string
  /** The program that it is for. */
  tool?: string
}

/** A file whose length and checksum are known before it is sent, and how it is called where it is saved. */
export type SizedRow = WholeRow & {
  /** Fields of the query that say how it is made. */
  query?: readonly ('formats' | 'exports' | 'bom' | 'separator')[]
  /** Behind the name of its job or collection. */
  behindName: string
  /** Before and behind the id of its job. */
  aroundId: readonly [before: string, behind: string]
}

/** A file that is made while it is sent. */
export type ExportRow = WholeRow &
  Operation & {
    /** Fields of the query that say how it is made. */
    query?: readonly ('seconds' | 'parts' | 'words')[]
    /** The word by which a ZIP is asked for it, of each video. */
    inZip?: string
  }
