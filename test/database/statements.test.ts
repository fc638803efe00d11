/** Named statements are prepared once per connection, whichever code sends them, and each has one text. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { transact } from '../../src/kit/postgres/database.ts'
import { asJson, run, statement } from '../../src/kit/postgres/statement.ts'
import { openDatabase } from '../../src/store/database.ts'
import { testDatabase } from '../support/database.ts'

const { url, pool: other } = await testDatabase({ after })
const database = openDatabase({ url, connectionsMax: 1, name: 'statements' })
after(() => database.close())
const { db, pool } = database
await other.query('create table note (id int primary key, text text, bytes bytea, tags text[])')

type Note = { id: number; text: string | null }
const INSERT = statement<Note>(
  'test-insert',
  'insert into note (id) values ($1) returning id, text',
)
const LATE = statement<{ id: number }>(
  'test-late',
  'insert into late (id) values ($1) returning id',
)
const FILL = statement<Note>(
  'test-fill',
  `insert into note (id, text, bytes, tags)
  select n.id, n.text, b.bytes, n.tags from json_populate_recordset(null::note, $1::json) n
  left join unnest($2::int[], $3::bytea[]) as b (id, bytes) on b.id = n.id
  order by n.id returning id, text`,
)

/** Returns how often each statement is prepared and was run on the pool's one connection. */
async function prepared(): Promise<{ name: string; runs: bigint }[]> {
  const { rows } = await pool.query<{ name: string; runs: bigint }>(
    `select name, generic_plans + custom_plans as runs from pg_prepared_statements where name like 'test-%' order by name`,
  )
  return rows
}

test('a pool, a database, a transaction and a bare text prepare one statement between them', async () => {
  assert.deepEqual(await run(pool, INSERT, [1]), [{ id: 1, text: null }])
  assert.deepEqual(await run(db, INSERT, [2]), [{ id: 2, text: null }])
  assert.deepEqual(await transact(db, (tx) => run(tx, INSERT, [3])), [{ id: 3, text: null }])
  await pool.query(INSERT.text, [4]) // sent by its text alone
  await new Promise((resolve, reject) => {
    pool.query(INSERT.text, [5], (error) => (error ? reject(error) : resolve(null)))
  })
  assert.deepEqual(await prepared(), [{ name: 'test-insert', runs: 5n }])
})

test('one that failed may be sent again', async () => {
  await assert.rejects(run(db, LATE, [1]), { code: '42P01' })
  await assert.rejects(
    transact(db, (tx) => run(tx, LATE, [1])),
    { code: '42P01' },
  )
  await other.query('create table late (id int)')
  assert.deepEqual(await run(db, LATE, [1]), [{ id: 1 }])
})

test('a name has one text, and a text one name', () => {
  assert.throws(() => statement('test-insert', 'select 1'), /two statements are called test-insert/)
  assert.throws(() => statement('test-again', INSERT.text), /test-again is written twice/)
})

test('any number of rows is one parameter, of texts that PostgreSQL takes', async () => {
  const rows = [
    { id: 10, text: 'half a pair: \ud83d', tags: ['"', '\\', ','] },
    { id: 11, text: '\u0001 "quoted" \\ 👍', tags: [] },
    { id: 12, text: null, tags: null },
  ]
  const bytes = Buffer.from([0, 1, 92, 255])
  const filled = await run(db, FILL, [asJson(rows), [11], [bytes]])
  assert.deepEqual(filled, [
    { id: 10, text: 'half a pair: \ufffd' },
    { id: 11, text: '\u0001 "quoted" \\ 👍' },
    { id: 12, text: null },
  ])
  const { rows: stored } = await other.query(
    'select bytes, tags from note where id > 9 order by id',
  )
  assert.deepEqual(
    stored.map((row) => [row.bytes, row.tags]),
    [
      [null, ['"', '\\', ',']],
      [bytes, []],
      [null, null],
    ],
  )
  assert.equal(
    asJson([{ n: 2n ** 60n, at: new Date(0) }]),
    '[{"n":"1152921504606846976","at":"1970-01-01T00:00:00.000Z"}]',
  )
})
