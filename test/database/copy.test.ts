/** COPY between the database and a stream, however slowly the other side reads or where it stops. */
import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { after, test } from 'node:test'
import { copyIn, copyOut } from '../../src/kit/postgres/copy.ts'
import { testDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'

const { pool } = await testDatabase({ after })
const LINE = `${'x'.repeat(999)}\n`
const statementOf = (lines: number): string =>
  `copy (select repeat('x', 999) from generate_series(1, ${lines})) to stdout`

test('a reader slower than the database gets every line, and the connection goes on to serve', async () => {
  const client = await pool.connect()
  try {
    for (let lines = 150; lines < 1_500; lines += 70) {
      const pieces: Buffer[] = []
      for await (const piece of copyOut(client, statementOf(lines))) {
        pieces.push(piece)
        for (let turns = 0; turns < 20; turns += 1) await nextTurn()
      }
      assert.equal(Buffer.concat(pieces).toString(), LINE.repeat(lines))
      const { rows } = await client.query('select 1 as one')
      assert.deepEqual(rows, [{ one: 1 }], `after ${lines} lines`)
    }
  } finally {
    client.release()
  }
})

test('a reader that stops in the middle gives up the connection, and the server writes no more', async () => {
  const client = await pool.connect()
  client.on('error', () => undefined)
  const {
    rows: [server],
  } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  let read = 0
  for await (const piece of copyOut(client, statementOf(1_000_000))) {
    read += piece.length
    if (read > 1_000_000) break
  }
  await until('the server has let go', async () => {
    const { rowCount } = await pool.query('select from pg_stat_activity where pid = $1', [
      server?.pid,
    ])
    return rowCount === 0
  })
  await assert.rejects(client.query('select 1'))
  client.release(true)
})

test('an error of the database ends the reading with what it said', async () => {
  const client = await pool.connect()
  const lines = copyOut(
    client,
    `copy (select 1 / (500 - n) from generate_series(1, 1000) n) to stdout`,
  )
  await assert.rejects(
    async () => {
      for await (const piece of lines) assert.ok(piece.length > 0)
    },
    { code: '22012' },
  )
  client.release(true)
})

test('lines are taken in, and none of them where their source fails or one is wrong', async () => {
  await pool.query('create table taken (number int)')
  const statement = 'copy taken (number) from stdin'
  const client = await pool.connect()
  async function* numbers(last: string | Error) {
    for (let n = 0; n < 1_000; n += 1) yield Buffer.from(`${n}\n`)
    if (last instanceof Error) throw last
    yield Buffer.from(last)
  }
  const broken = new Error('the source broke')
  await assert.rejects(copyIn(client, { statement, input: numbers(broken) }), broken)
  await assert.rejects(copyIn(client, { statement, input: numbers('word\n') }), { code: '22P02' })
  assert.equal(await copyIn(client, { statement, input: numbers('5\n') }), 1_001)
  const { rows } = await client.query('select count(*)::int as count from taken')
  assert.deepEqual(rows, [{ count: 1_001 }])
  client.release()
})
