/**
 * A backup file: gzip of UTF-8 lines, so that a person can look into it.
 *
 *     scriptorium backup 1
 *     {"createdAt":…,"migrations":[…],"tables":[{"name":…,"columns":[…]}…],"sequences":[…]}
 *     table account
 *     …rows as PostgreSQL's COPY text, one line each…
 *     \.
 *     …
 *     end {"rows":{"account":3,…},"sha256":"…of everything above"}
 */
import { createHash, type Hash } from 'node:crypto'

const FIRST_LINE = 'scriptorium backup 1'
const END_OF_ROWS = Buffer.from('\\.\n')
const NEWLINE = 0x0a

export type BackupHeader = {
  /** The instant in ISO 8601, from the database's clock. */
  createdAt: string
  /** The migrations of the schema to which the rows belong, in order. */
  migrations: { name: string; sha256: string }[]
  /** The tables in an order in which no row refers to a later table. */
  tables: { name: string; columns: string[] }[]
  sequences: { name: string; lastValue: string; isCalled: boolean }[]
}

export type BackupEnd = { rows: Record<string, number>; sha256: string }

/** Says in one sentence what is wrong with a file or a database. */
export class BackupError extends Error {
  override name = 'BackupError'
}

/** Yields the bytes of a backup, before compression; `rowsOf` gives a table's lines. */
export async function* writeBackup(
  header: BackupHeader,
  rowsOf: (table: BackupHeader['tables'][number]) => AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, BackupEnd> {
  const hash = createHash('sha256')
  const rows: Record<string, number> = {}
  const hashed = (bytes: Buffer) => {
    hash.update(bytes)
    return bytes
  }
  yield hashed(Buffer.from(`${FIRST_LINE}\n${JSON.stringify(header)}\n`))
  for (const table of header.tables) {
    yield hashed(Buffer.from(`table ${table.name}\n`))
    let count = 0
    for await (const lines of rowsOf(table)) {
      count += countLines(lines)
      yield hashed(lines)
    }
    yield hashed(END_OF_ROWS)
    rows[table.name] = count
  }
  const end = { rows, sha256: hash.digest('hex') }
  yield Buffer.from(`end ${JSON.stringify(end)}\n`)
  return end
}

/** Reads a backup from its uncompressed bytes, front to back. Throws a `BackupError` where it is damaged. */
export class BackupReader {
  #input: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)
  #hash: Hash = createHash('sha256')
  #rows: Record<string, number> = {}

  constructor(input: AsyncIterable<Buffer>) {
    this.#input = input[Symbol.asyncIterator]()
  }

  async readHeader(): Promise<BackupHeader> {
    if ((await this.#line()).toString() !== `${FIRST_LINE}\n`) {
      throw new BackupError('it is not a backup by this program, or its format has another version')
    }
    return JSON.parse((await this.#line()).toString())
  }

  /** Yields the lines of the next table, which must be `name`; they have to be read to their end. */
  async *readRows(name: string): AsyncGenerator<Buffer> {
    if ((await this.#line()).toString() !== `table ${name}\n`) throw new BackupError(DAMAGED)
    let count = 0
    for (;;) {
      const lines = await this.#takeLines()
      if (lines === null) break
      count += countLines(lines)
      yield lines
    }
    this.#rows[name] = count
  }

  /** Compares the sums with what was read, and makes sure that nothing follows. */
  async readEnd(): Promise<BackupEnd> {
    const sha256 = this.#hash.digest('hex')
    const line = (await this.#untilNewline()).toString()
    const end: BackupEnd = line.startsWith('end {')
      ? JSON.parse(line.slice(4))
      : { rows: {}, sha256: '' }
    const isSame = JSON.stringify(end.rows) === JSON.stringify(this.#rows) && end.sha256 === sha256
    if (!isSame || this.#rest.length > 0 || (await this.#more())) throw new BackupError(DAMAGED)
    return end
  }

  async #line(): Promise<Buffer> {
    const line = await this.#untilNewline()
    this.#hash.update(line)
    return line
  }

  async #untilNewline(): Promise<Buffer> {
    for (let from = 0; ;) {
      const at = this.#rest.indexOf(NEWLINE, from)
      if (at >= 0) return this.#take(at + 1)
      from = this.#rest.length
      if (!(await this.#more())) throw new BackupError(DAMAGED)
    }
  }

  /** Returns whole lines of rows; null at their end. COPY escapes backslashes: no row is the line `\.`. */
  async #takeLines(): Promise<Buffer | null> {
    for (;;) {
      if (this.#rest.subarray(0, END_OF_ROWS.length).equals(END_OF_ROWS)) {
        this.#hash.update(this.#take(END_OF_ROWS.length))
        return null
      }
      const end = this.#rest.indexOf('\n\\.\n')
      const length = (end >= 0 ? end : this.#rest.lastIndexOf(NEWLINE)) + 1
      if (length > 0) {
        const lines = this.#take(length)
        this.#hash.update(lines)
        return lines
      }
      if (!(await this.#more())) throw new BackupError(DAMAGED)
    }
  }

  #take(length: number): Buffer {
    const taken = this.#rest.subarray(0, length)
    this.#rest = this.#rest.subarray(length)
    return taken
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#input.next()
    if (done === true) return false
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value])
    return true
  }
}

const DAMAGED = 'it is damaged or not complete: its sums do not match its content'

function countLines(lines: Buffer): number {
  let count = 0
  for (let at = lines.indexOf(NEWLINE); at >= 0; at = lines.indexOf(NEWLINE, at + 1)) count += 1
  return count
}
