/** The register of tables names each table and column that there is to be named, and says what the database does. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  placeOfNumber,
  REGISTER,
  tablesErased,
  undecidedColumns,
} from '../../src/store/register.ts'
import type { Growth, NumberName, TableEntry } from '../../src/store/register/entry.ts'
import { testDatabase } from '../support/database.ts'
import { numberOf } from '../../tools/papers/number-in-code.ts'

const { pool } = await testDatabase({ after })

const ENTRIES: [string, TableEntry][] = Object.entries(REGISTER)

/** What an account makes grow outside the database, as the register says it of tables. */
const GROWTH_ELSEWHERE: Record<string, { file: string; constants: string[] }> = {
  'megabytes of all search indexes; an account that owns nothing has none': {
    file: 'src/config/variables.ts',
    constants: ['SEARCH_INDEX_MB'],
  },
  'searches of an account: one, and those that wait': {
    file: 'src/features/search/search.ts',
    constants: ['SEARCHES_WAITING'],
  },
  'event streams of an account': {
    file: 'src/config/variables.ts',
    constants: ['EVENT_STREAMS'],
  },
  'event streams of a process': {
    file: 'src/features/jobs/job-feed.ts',
    constants: ['FOLLOWERS_MAX'],
  },
  'requests that wait for a job': { file: 'src/config/limits.ts', constants: ['longPollMs'] },
  'connections, all and by network': {
    file: 'src/kit/http/connections.ts',
    constants: ['CONNECTIONS_MAX', 'CONNECTIONS_PER_NETWORK_MAX'],
  },
}

async function columnsByTable(): Promise<Map<string, string[]>> {
  const { rows } = await pool.query<{ name: string; columns: string[] }>(
    `select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') group by 1`,
  )
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

test('every table is named, and each column that sounds like a secret', async () => {
  const columns = await columnsByTable()
  assert.deepEqual(
    Object.keys(REGISTER).toSorted(),
    [...columns.keys()].toSorted(),
    'say in src/store/register what is to be known of it',
  )
  const undecided = [...columns].flatMap(([table, names]) =>
    undecidedColumns(REGISTER, table, names),
  )
  assert.deepEqual(undecided, [], 'say in src/store/register whether it is a secret')
})

test('a table whose rows lead to an account, or name somebody, says what it holds of people', async () => {
  const { rows } = await pool.query<{ name: string }>(`
    with recursive led as (
      select 'account'::regclass::oid as oid
      union select c.conrelid from pg_constraint c join led l on l.oid = c.confrelid where c.contype = 'f'
    )
    select oid::regclass::text as name from led
    union select table_name::text from information_schema.columns
    where table_schema = 'public' and column_name ~ '^(account_id|user_id|job_id|beneficiary|ip_address)$|email|address$'`)
  assert.ok(rows.length > 30)
  const silent = rows.filter(({ name }) => REGISTER[name]?.holds === undefined)
  assert.deepEqual(silent, [])
})

test('every column and table that the register names is there', async () => {
  const columns = await columnsByTable()
  const gone = ENTRIES.flatMap(([table, { columns: kinds = {}, swept, path, erased, grows }]) => {
    const own = [
      ...Object.values(kinds).flatMap((names) => names.split(' ')),
      ...(swept ? [swept] : []),
      ...(path ? [path.column] : []),
    ]
    const others = [
      grows.of,
      path?.of,
      typeof erased === 'object' && 'with' in erased && erased.with,
    ]
    return [
      ...own.filter((column) => !columns.get(table)?.includes(column)),
      ...others.filter((other) => typeof other === 'string' && !columns.has(other)),
    ].map((name) => `${table}: ${name}`)
  })
  assert.deepEqual(gone, [])
})

test('what is erased goes after what refers to it, or with it by the database', async () => {
  const { rows } = await pool.query<{ from: string; to: string; cascades: boolean }>(`
    select conrelid::regclass::text as "from", confrelid::regclass::text as "to", confdeltype = 'c' as cascades
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`)
  const order = [
    ...tablesErased(REGISTER, 'by_account'),
    ...tablesErased(REGISTER, 'by_job'),
    ...tablesErased(REGISTER, 'after_jobs'),
  ]
  const late = rows.filter(({ from, to, cascades }) => {
    const [first, then] = [order.indexOf(from), order.indexOf(to)]
    return !cascades && first >= 0 && then >= 0 && first > then
  })
  assert.deepEqual(late, [])
  const cascades = rows.flatMap((row) => (row.cascades ? [`${row.from} with ${row.to}`] : []))
  for (const [table, { erased }] of ENTRIES)
    if (typeof erased === 'object' && 'with' in erased)
      assert.ok(cascades.includes(`${table} with ${erased.with}`), table)
})

test('what belongs to an account is bounded: by a number of its own, or by the rows of a table that is', () => {
  const isErased = ({ erased }: TableEntry): boolean =>
    typeof erased === 'string' || 'with' in erased
  for (const [table] of ENTRIES.filter(([name, entry]) => isErased(entry) && name !== 'operator')) {
    const seen = new Set<string>()
    let at = table
    for (let growth = growthOf(at); growth.of !== undefined; growth = growthOf(at)) {
      assert.ok(!seen.has(at), `${table} is bounded by itself`)
      seen.add(at)
      at = growth.of
    }
    assert.notEqual(growthOf(at).per, 'none', table)
  }
})

test('each number that holds a bound, or after which rows go, stands in the code', () => {
  const named = ENTRIES.flatMap(([, { grows, goesAfter }]): NumberName[] => [
    ...grows.held,
    ...(goesAfter === undefined ? [] : [goesAfter]),
  ])
  const places = [
    ...named.map(placeOfNumber),
    ...Object.values(GROWTH_ELSEWHERE).flatMap(({ file, constants }) =>
      constants.map((constant) => ({ file, constant })),
    ),
  ]
  for (const { file, constant } of places)
    assert.ok(numberOf(file, constant) > 0, `${constant} in ${file}`)
})

test('what is exported by rows hangs on the account, or on rows of which an account has few, by an index', async () => {
  const { rows } = await pool.query<{ place: string }>(
    `select indrelid::regclass || '.' || a.attname as place from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    where indpred is null or pg_get_expr(indpred, indrelid) = format('(%I IS NOT NULL)', a.attname)`,
  )
  const indexed = rows.map(({ place }) => place)
  for (const [table, { exported, path }] of ENTRIES) {
    if (typeof exported !== 'string') continue
    assert.ok(path, table)
    assert.ok(indexed.includes(`${table}.${path.column}`), `${table}.${path.column} has an index`)
    if (path.of !== 'account' && exported === 'rows')
      assert.match(growthOf(path.of).per, /^(account|money)$/, `${table} hangs on ${path.of}`)
  }
})

function growthOf(table: string): Growth {
  const growth = REGISTER[table]?.grows
  assert.ok(growth !== undefined, table)
  return growth
}
