/**
 * What a migration must not do to a table that may have ten million rows and people at work on it: hold a
 * lock that keeps them out for longer than it takes to write a line into the catalogue. PostgreSQL's own
 * parser reads the statements (docs/decisions/0029-upgrades.md).
 */
import { parse } from 'libpg-query'
import type { Migration } from '../../src/kit/postgres/migration-file.ts'

// eslint-disable-next-line typescript/no-explicit-any -- the parser's tree, whose shape its tests show
type Node = Record<string, any>

/** Returns the tables that the migrations make. */
export async function tablesMadeBy(migrations: readonly Migration[]): Promise<Set<string>> {
  const trees = (await Promise.all(migrations.map(({ text }) => parse(text)))) as {
    stmts?: { stmt: Node }[]
  }[]
  const made = trees.flatMap(({ stmts = [] }) =>
    stmts.flatMap(({ stmt }) => stmt['CreateStmt']?.relation.relname ?? []),
  )
  return new Set(made)
}

/**
 * Returns a sentence for each statement that would lock readers or writers out. A migration with `needs` may take
 * things away. No released program knows the `unreleased` tables.
 */
export async function findLongLocks(
  { text, needs, isTransaction }: Migration,
  unreleased: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  const { stmts = [] } = (await parse(text)) as { stmts?: { stmt: Node }[] }
  const statements = stmts.map(({ stmt }) => stmt)
  const made = new Set(statements.flatMap((stmt) => stmt['CreateStmt']?.relation.relname ?? []))
  /** Table that stays locked until the commit. */
  let held: string | null = null
  return statements.flatMap((stmt) => {
    const [[kind = '', body = {}] = []] = Object.entries(stmt) as [string, Node][]
    const table: string = body['relation']?.relname ?? ''
    const isWaitedFor = isTransaction && held !== null && readsRows(kind, body)
    const late = isWaitedFor
      ? [`${held} is kept from everybody while this reads rows: do it in a later file`]
      : []
    if (table !== '' && made.has(table)) return late // no other session can see the table yet
    if (kind === 'AlterTableStmt') held = table
    const isContract = needs !== null || (kind === 'DropStmt' && dropsOnly(body, unreleased))
    return [...late, ...faultsOf(kind, body, { table, isContract, isTransaction })]
  })
}

function dropsOnly({ removeType, objects }: Node, tables: ReadonlySet<string>): boolean {
  const isKnown = ({ List }: Node): boolean => tables.has(List?.items.at(-1)?.String?.sval)
  return removeType === 'OBJECT_TABLE' && objects.every(isKnown)
}

/** Returns whether the statement takes longer the more rows there are. */
function readsRows(kind: string, body: Node): boolean {
  if (kind === 'AlterTableStmt')
    return body['cmds'].some(
      ({ AlterTableCmd: { subtype } }: Node) => subtype === 'AT_ValidateConstraint',
    )
  if (kind === 'InsertStmt') return body['selectStmt']?.SelectStmt.valuesLists === undefined
  return ['UpdateStmt', 'DeleteStmt', 'SelectStmt', 'MergeStmt', 'DoStmt'].includes(kind)
}

type Where = { table: string; isContract: boolean; isTransaction: boolean }

function faultsOf(kind: string, body: Node, { table, isContract, isTransaction }: Where): string[] {
  switch (kind) {
    case 'IndexStmt':
      if (body['concurrent'] !== true)
        return [
          `create index on ${table} keeps writers out: concurrently, in a file without a transaction`,
        ]
      return isTransaction ? [`concurrently needs the line "-- no transaction"`] : []
    case 'AlterTableStmt':
      return body['cmds'].flatMap(({ AlterTableCmd: command }: Node) =>
        faultsOfCommand(command, { table, isContract }),
      )
    case 'UpdateStmt':
    case 'DeleteStmt':
      return body['whereClause'] === undefined
        ? [
            `${kind === 'UpdateStmt' ? 'update' : 'delete'} of all of ${table} locks every row: do it in batches in the code`,
          ]
        : []
    case 'RenameStmt':
      return isContract
        ? []
        : [
            `a rename takes ${table} away from programs that run: add beside it, or say "-- contract: …"`,
          ]
    case 'DropStmt':
      if (body['removeType'] === 'OBJECT_INDEX')
        return body['concurrent'] === true ? [] : ['drop index keeps everybody out: concurrently']
      return isContract
        ? []
        : ['a drop takes something away from programs that run: say "-- contract: …"']
    case 'LockStmt':
    case 'ClusterStmt':
    case 'TruncateStmt':
      return [`${kind} keeps everybody out`]
    case 'VacuumStmt':
      return ['vacuum is left to the database']
    default:
      return []
  }
}

function faultsOfCommand(
  { subtype, def, name }: Node,
  { table, isContract }: { table: string; isContract: boolean },
): string[] {
  switch (subtype) {
    case 'AT_AddColumn':
      return (def.ColumnDef.constraints ?? []).flatMap(({ Constraint: one }: Node) =>
        faultsOfColumn(one, `${table}.${def.ColumnDef.colname}`),
      )
    case 'AT_AddConstraint':
      return faultsOfConstraint(def.Constraint, table)
    case 'AT_AlterColumnType':
      return [`a new type of ${table}.${name} writes the whole table anew: add a column`]
    case 'AT_SetNotNull':
      return [
        `set not null on ${table}.${name} reads the whole table: add a check, not valid, and validate it`,
      ]
    case 'AT_DropColumn':
      return isContract
        ? []
        : [`${table}.${name} is taken from programs that run: say "-- contract: …"`]
    case 'AT_SetLogged':
    case 'AT_SetUnLogged':
      return [`${table} is written anew`]
    default:
      return []
  }
}

/** Functions with one value for the whole statement: such a default is kept in the catalogue, as constants are. */
const STABLE = ['now', 'repeat']

function faultsOfColumn(one: Node, column: string): string[] {
  switch (one['contype']) {
    case 'CONSTR_DEFAULT': {
      const called = one['raw_expr'].FuncCall?.funcname.at(-1).String.sval
      return called === undefined || STABLE.includes(called)
        ? []
        : [`the default of ${column} is computed for each row: the table is written anew`]
    }
    case 'CONSTR_GENERATED':
    case 'CONSTR_IDENTITY':
      return [`${column} is computed for each row: the table is written anew`]
    case 'CONSTR_PRIMARY':
    case 'CONSTR_UNIQUE':
      return [`the index of ${column} keeps writers out: create it concurrently`]
    case 'CONSTR_CHECK':
      return [`the check of ${column} reads the whole table: add it not valid, and validate it`]
    default:
      return []
  }
}

function faultsOfConstraint(one: Node, table: string): string[] {
  const isNamed = one['indexname'] !== undefined
  if (['CONSTR_PRIMARY', 'CONSTR_UNIQUE'].includes(one['contype']))
    return isNamed
      ? []
      : [
          `${one['conname']} makes an index of ${table}: create it concurrently, then add it "using index"`,
        ]
  if (
    ['CONSTR_CHECK', 'CONSTR_FOREIGN'].includes(one['contype']) &&
    one['skip_validation'] !== true
  )
    return [
      `${one['conname']} reads all of ${table}: add it not valid, and validate it in a file without a transaction`,
    ]
  return []
}
