/**
 * A migration: plain SQL, whose first lines may say more about it:
 *
 *     -- no transaction        its statements run one by one, for `create index concurrently`
 *     -- contract: 0042-name   programs that do not know that migration cannot work after this one
 *     -- formerly: 2096c9…     the hash of an earlier wording, which no release contained
 *
 * Without the second line, programs of any earlier release may continue and may be started again.
 */
import { createHash } from 'node:crypto'

export type Migration = {
  name: string
  text: string
  sha256: string
  isTransaction: boolean
  /** The migration that a program must know to work on the schema after this one; null: any program works. */
  needs: string | null
  /** Hashes of the file as it was between two releases; a later migration makes both schemas one. */
  formerly: string[]
}

export function migrationOf(name: string, text: string): Migration {
  const head = text.slice(0, text.search(/^(?!--)/m)).split('\n')
  const saidOf = (what: string): string[] =>
    head.flatMap((line) => (line.startsWith(`-- ${what}: `) ? [line.slice(what.length + 5)] : []))
  return {
    name,
    text,
    sha256: createHash('sha256').update(text).digest('hex'),
    isTransaction: !head.includes('-- no transaction'),
    needs: saidOf('contract')[0]?.trim() ?? null,
    formerly: saidOf('formerly').map((sha256) => sha256.trim()),
  }
}

/** Stands for a semicolon that ends no statement; no migration has this character. */
const INNER = '\u0000'

/**
 * Returns the statements of a migration that is no transaction, where no text may hold a semicolon but one between two
 * `$$`, as functions have them.
 */
export function statementsOf({ text }: Migration): string[] {
  const uncommented = text.replace(/--.*$/gm, '')
  return uncommented
    .split('$$')
    .map((part, at) => (at % 2 === 0 ? part : part.replaceAll(';', INNER)))
    .join('$$')
    .split(';')
    .map((one) => one.replaceAll(INNER, ';').trim())
    .filter((one) => one !== '')
}
