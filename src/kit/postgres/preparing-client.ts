/**
 * `pg`'s client, which sends prepared statements in one message trip, and no more of each than the server needs: a
 * transaction begins along with its first statement, and what the rows of a statement look like is asked once per
 * connection.
 */
import pg from 'pg'

const PREPARED = '/* prepared '
const PREPARED_END = ' */'
const BEGIN = 'begin'

/** The head of a text that is prepared under this name. */
export function preparedHead(name: string): string {
  return `${PREPARED}${name}${PREPARED_END}`
}

/** What `pg` keeps to itself of a connection, as far as it is used here. */
type Wire = {
  bind(message: { statement: string; values: [] }): void
  execute(message: object): void
  describe(message: object): void
  parsedStatements: Record<string, string | undefined>
  submittedNamedStatements: Record<string, string | undefined>
}
/** And of a result: how its rows are read. */
type Shape = { fields: unknown; _parsers: unknown; _prebuiltEmptyResultObject: unknown }
type Done = (error: Error | null | undefined, result: unknown) => void
type PgQuery = pg.Submittable & {
  name: string
  callback: Done
  _result: Shape
  _accumulateRows: boolean
  prepare(connection: Wire): void
  handleError(error: Error, connection: Wire): void
  handleRowDescription(message: unknown): void
  handleCommandComplete(message: { text: string }, connection: Wire): void
  handleReadyForQuery(connection: Wire): void
}
const Query = pg.Query as unknown as new (text: string, values: unknown[]) => PgQuery

/** By connection: what the rows of a name look like; null where it has none. PostgreSQL refuses a name that would change. */
const SHAPES = new WeakMap<Wire, Map<string, Shape | null>>()
/** By connection: the same one, which asks for no description. */
const SILENT = new WeakMap<Wire, Wire>()

class PreparedQuery extends Query {
  /** Whether the transaction begins along with it; public for those who count statements. */
  readonly begins: boolean
  #isSending = false
  #isBegun = false
  #isDone = false
  #hasShape = false

  constructor({ name, text, values }: Named, { begins, done }: { begins: boolean; done: Done }) {
    super(text, values)
    this.name = name
    this.callback = done
    this.begins = begins
  }

  override prepare(connection: Wire): void {
    this.#isSending = true
    this.#send(connection)
    this.#isSending = false
  }

  /** One Sync ends both: where the transaction does not begin, the server passes over the statement. */
  #send(connection: Wire): void {
    if (this.begins) {
      connection.bind({ statement: BEGIN, values: [] })
      connection.execute({})
    }
    const shape = shapesOf(connection).get(this.name)
    if (shape === undefined) return super.prepare(connection)
    if (shape !== null) Object.assign(this._result, shape)
    this.#hasShape = true
    this._accumulateRows = true
    super.prepare(silent(connection))
  }

  /** Where a value cannot be sent, `pg` lets the server forget the statement, and has to know of it. */
  override handleError(error: Error, connection: Wire): void {
    if (this.#isSending) {
      delete connection.submittedNamedStatements[this.name]
      delete connection.parsedStatements[this.name]
      this.name = ''
    }
    super.handleError(error, connection)
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message)
    this.#hasShape = true
  }

  override handleCommandComplete(message: { text: string }, connection: Wire): void {
    if (this.begins && !this.#isBegun) this.#isBegun = true
    else {
      this.#isDone = true
      super.handleCommandComplete(message, connection)
    }
  }

  override handleReadyForQuery(connection: Wire): void {
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    const shapes = shapesOf(connection)
    if (this.#isDone && !shapes.has(this.name))
      shapes.set(
        this.name,
        this.#hasShape ? { fields, _parsers, _prebuiltEmptyResultObject } : null,
      )
    super.handleReadyForQuery(connection)
  }
}

function shapesOf(connection: Wire): Map<string, Shape | null> {
  const known = SHAPES.get(connection)
  if (known !== undefined) return known
  const shapes = new Map<string, Shape | null>()
  SHAPES.set(connection, shapes)
  return shapes
}

function silent(connection: Wire): Wire {
  const known = SILENT.get(connection)
  if (known !== undefined) return known
  const one = Object.create(connection, { describe: { value: () => undefined } }) as Wire
  SILENT.set(connection, one)
  return one
}

/** A promise of pg's own keeps the statement and its values until the whole heap is collected; this one does not. */
async function promised(send: (settle: Done) => void): Promise<unknown> {
  try {
    return await new Promise((resolve, reject) => {
      send((error, result) => (error ? reject(error) : resolve(result)))
    })
  } catch (error) {
    Error.captureStackTrace(error as Error) // leads back to who asked
    throw error
  }
}

type Named = { name: string; text: string; values: unknown[] }

/** Kysely knows no names of statements, so they stand at the head of the text; nor does pg-boss, whose pool makes these, too. */
function namedOf(first: unknown, values: unknown): Named | null {
  if (typeof first === 'string') {
    if (!first.startsWith(PREPARED)) return null
    const name = first.slice(PREPARED.length, first.indexOf(PREPARED_END))
    return { name, text: first, values: (values as unknown[] | undefined) ?? [] }
  }
  const { name, text, values: own, ...more } = first as Partial<Named>
  if (name === undefined || text === undefined || Object.keys(more).length > 0) return null
  return { name, text, values: own ?? [] }
}

export class PreparingClient extends pg.Client {
  /** Kysely has begun a transaction, of which the server knows nothing yet. */
  #isBeginDue = false

  // eslint-disable-next-line typescript/no-explicit-any -- one of the many overloads of the library
  override query(...given: any[]): any {
    const [first, values] = given as unknown[]
    if (first === BEGIN && Array.isArray(values)) return this.#begin()
    const last = given.at(-1) as unknown
    const done = typeof last === 'function' ? (last as Done) : null
    const named = namedOf(first, values)
    if (this.#isBeginDue) return this.#queryFirst(named, given)
    if (named !== null) return this.#sendNamed(named, { begins: false, done })
    return typeof first === 'string' && done === null ? this.#ask(given) : this.#send(given)
  }

  /** Known to the server by a name from the first time on: then it waits for the transaction's first statement. */
  #begin(): Promise<unknown> {
    const { connection } = this as unknown as { connection: Wire }
    if (connection.parsedStatements[BEGIN] === undefined)
      return this.#send([{ name: BEGIN, text: BEGIN }]) as Promise<unknown>
    this.#isBeginDue = true
    return Promise.resolve({ command: 'BEGIN', rows: [], rowCount: null })
  }

  /** Kysely's, which gives no callback: of a transaction that ends before its first statement the server hears nothing. */
  async #queryFirst(named: Named | null, given: unknown[]): Promise<unknown> {
    this.#isBeginDue = false
    if (named !== null) return this.#sendNamed(named, { begins: true, done: null })
    const [text] = given
    if (text === 'commit' || text === 'rollback')
      return { command: text.toUpperCase(), rows: [], rowCount: null }
    await this.#send([{ name: BEGIN, text: BEGIN }])
    return this.#ask(given)
  }

  #sendNamed(named: Named, { begins, done }: { begins: boolean; done: Done | null }): unknown {
    if (done !== null) return this.#send([new PreparedQuery(named, { begins, done })])
    return promised((settle) => this.#send([new PreparedQuery(named, { begins, done: settle })]))
  }

  #ask(given: unknown[]): Promise<unknown> {
    return promised((settle) => this.#send([...given, settle]))
  }

  #send(given: unknown[]): unknown {
    return (super.query as (...all: unknown[]) => unknown).apply(this, given)
  }
}
