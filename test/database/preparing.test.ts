/** A transaction begins along with its first statement, and the rows of prepared statements are described once. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { prepared, transact } from '../../src/kit/postgres/database.ts'
import { openDatabase } from '../../src/store/database.ts'
import { testDatabase } from '../support/database.ts'

const { url, pool: other } = await testDatabase({ after })
const database = openDatabase({ url, connectionsMax: 1, name: 'preparing' })
after(() => database.close())
const { db, pool } = database
await pool.query('create table note (id int primary key, text text, at timestamptz)')

const insert = (id: number) =>
  sql`${prepared('test-insert')} insert into note (id, text) values (${id}, 'x')`
const read = (id: number) => sql<{
  id: number
  text: string
  at: Date | null
}>`${prepared('test-read')}
  select id, text, at from note where id >= ${id} order by id`
const stored = async (): Promise<number[]> =>
  (await other.query<{ id: number }>('select id from note order by id')).rows.map(({ id }) => id)

/** Messages that end a trip to the server while `work` lasts, and those that describe rows. */
async function tripsOf(
  work: () => Promise<unknown>,
): Promise<{ trips: number; described: number }> {
  const client = await pool.connect()
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter }
  const seen = { trips: 0, described: 0 }
  const trip = (): void => void (seen.trips += 1)
  const describe = (): void => void (seen.described += 1)
  connection.on('readyForQuery', trip).on('rowDescription', describe)
  client.release()
  await work()
  connection.off('readyForQuery', trip).off('rowDescription', describe)
  return seen
}

test('from the second on, a transaction takes no trip to begin, and what fails in it is undone', async () => {
  await transact(db, (tx) => insert(1).execute(tx))
  const seen = await tripsOf(() =>
    transact(db, async (tx) => {
      await insert(2).execute(tx)
      await insert(3).execute(tx)
    }),
  )
  assert.equal(seen.trips, 3)
  assert.deepEqual(await stored(), [1, 2, 3])
  await assert.rejects(
    transact(db, async (tx) => {
      await insert(4).execute(tx)
      await insert(1).execute(tx)
    }),
    { code: '23505' },
  )
  await assert.rejects(
    transact(db, async (tx) => {
      await insert(5).execute(tx)
      throw new Error('never mind')
    }),
    /never mind/,
  )
  assert.deepEqual(await stored(), [1, 2, 3])
})

test('a first statement that fails leaves no transaction behind, and may be sent again', async () => {
  const missing = () => sql`${prepared('test-missing')} insert into later (id) values (${1})`
  for (const statement of [insert(1), missing(), missing()])
    await assert.rejects(transact(db, (tx) => statement.execute(tx)))
  const { rows } = await pool.query(`select now() = statement_timestamp() as "isAlone"`)
  assert.deepEqual(rows, [{ isAlone: true }])
  await other.query('create table later (id int)')
  await transact(db, (tx) => missing().execute(tx))
  await transact(db, (tx) => insert(6).execute(tx))
  assert.deepEqual(await stored(), [1, 2, 3, 6])
})

test('transactions that begin with what is not prepared, or with nothing, are whole, too', async () => {
  assert.equal((await tripsOf(() => transact(db, async () => undefined))).trips, 0)
  await assert.rejects(
    transact(db, () => Promise.reject(new Error('nothing done'))),
    /nothing done/,
  )
  await assert.rejects(
    transact(db, async (tx) => {
      await sql`insert into note (id) values (${7})`.execute(tx)
      await insert(1).execute(tx)
    }),
    { code: '23505' },
  )
  await transact(db, async (tx) => {
    await sql`insert into note (id) values (${8})`.execute(tx)
  })
  assert.deepEqual(await stored(), [1, 2, 3, 6, 8])
})

test('rows that are not described again are read as before, and what returns none returns none', async () => {
  await other.query(`update note set at = '2024-02-29T12:00:00Z', text = 'Δ' where id = 8`)
  const first = await read(6).execute(db)
  const second = await tripsOf(async () => assert.deepEqual(await read(6).execute(db), first))
  assert.deepEqual(second, { trips: 1, described: 0 })
  assert.deepEqual(first.rows, [
    { id: 6, text: 'x', at: null },
    { id: 8, text: 'Δ', at: new Date('2024-02-29T12:00:00Z') },
  ])
  assert.deepEqual((await read(9).execute(db)).rows, [])
  const none = await tripsOf(async () => {
    const { rows, numAffectedRows } = await insert(9).execute(db)
    assert.deepEqual([rows, numAffectedRows], [[], 1n])
  })
  assert.deepEqual(none, { trips: 1, described: 0 })
})

test('a statement whose value cannot be sent fails alone, and its rows are described by the next', async () => {
  const unsendable = {
    toPostgres(): never {
      throw new Error('no such value')
    },
  }
  const own = (id: unknown) =>
    sql<{ id: number }>`${prepared('test-unsendable')} select id from note where id = ${id}`
  await assert.rejects(
    transact(db, (tx) => own(unsendable).execute(tx)),
    /no such value/,
  )
  await assert.rejects(own(unsendable).execute(db), /no such value/)
  assert.deepEqual((await own(6).execute(db)).rows, [{ id: 6 }])
  await transact(db, async (tx) => assert.deepEqual((await own(8).execute(tx)).rows, [{ id: 8 }]))
})
