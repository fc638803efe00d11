/** Backup and restore, rehearsed: every row comes back, or nothing does and the reason is named. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { createAccount } from '../../src/features/accounts/account.ts'
import { addCredit } from '../../src/features/money/balance.ts'
import { entryOf, REGISTER } from '../../src/store/register.ts'
import { bounded } from '../../src/store/register/entry.ts'
import * as backups from '../../src/features/backup/backup.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import type pg from 'pg'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/embedded-process.ts'

/** A schema with every kind of value and reference that a backup must carry, and tables that it must leave out. */
const SCHEMA = `
  create table a_child (parent int not null references z_parent (id), note text);
  create unlogged table bucket (id int);
  create table left_out (id int)`
const PARENT = `
  create table z_parent (
    id int generated always as identity primary key,
    above int references z_parent (id),
    name text, "Odd_""name""" text, bytes bytea, micros bigint, at timestamptz, list text[], is_on boolean,
    twice bigint generated always as (micros * 2) stored
  )`
const ROWS = `
  insert into z_parent (above, name, "Odd_""name""", bytes, micros, at, list, is_on) values
    (null, E'tab\\t, line\\nfeed, \\\\ and \\\\.', E'\\\\.\\n\\\\.', '\\x000aff5c2e0a', 9007199254740993, '2026-01-02 03:04:05.678901+00', '{a,"b,c",null}', true),
    (1, '', '日本語 🎬', '', -1, null, '{}', false),
    (2, null, E'\\r\\n', null, null, 'infinity', null, null);
  insert into a_child select 1 + n % 3, repeat('text ' || n, n % 400) from generate_series(1, 2000) n;
  insert into a_child values (1, 'secret');
  insert into bucket values (1); insert into left_out values (1)`

const OF_TEST = { writers: '', erased: { kept: 'a test' }, grows: bounded('a test') }
/** The register with the tables of this test added. */
const WITH_TEST = {
  ...REGISTER,
  z_parent: OF_TEST,
  a_child: { ...OF_TEST, backup: { rows: "note is distinct from 'secret'" } },
  left_out: { ...OF_TEST, backup: { none: 'a test' } },
}
const backup = (pool: pg.Pool, file: string) => backups.backup(pool, file, { register: WITH_TEST })
const restore = (pool: pg.Pool, file: string) => backups.restore(pool, file, WITH_TEST)

async function withSchema(database: TestDatabase): Promise<TestDatabase> {
  await database.pool.query(PARENT)
  await database.pool.query(SCHEMA)
  return database
}

async function contentOf({ pool }: TestDatabase): Promise<unknown> {
  const { rows } = await pool.query(
    `select (select json_agg(t order by id)::text from z_parent t) as parents,
      (select md5(string_agg(c::text, '|' order by c::text)) from a_child c where note is distinct from 'secret') as children,
      (select json_agg(t)::text from account t) as accounts,
      (select json_agg(t)::text from balance t) as balances,
      (select json_agg(t)::text from ledger_entry t) as entries`,
  )
  return rows[0]
}

test('a restored backup has every row, its references and the next numbers', async (t) => {
  const file = path.join(temporaryFolder(t), 'scriptorium.backup')
  const [from, to] = [
    await withSchema(await testDatabase(t)),
    await withSchema(await testDatabase(t)),
  ]
  await from.pool.query(ROWS)
  await transact(from.db, async (tx) => {
    const accountId = await createAccount(tx, { email: 'reader@example.org' })
    await addCredit(tx, { accountId, micros: 10_000_000n, reference: 'grant:1', reason: 'test' })
  })

  const written = await backup(from.pool, file)
  assert.equal(written.rows['a_child'], 2_000)
  assert.equal(written.rows['ledger_entry'], 1)
  assert.deepEqual(
    ['migration', 'left_out', 'bucket', 'rate_bucket', 'job'].filter(
      (name) => name in written.rows,
    ),
    ['job'],
  )
  assert.equal(fs.statSync(file).mode & 0o777, 0o600)
  assert.deepEqual(fs.readdirSync(path.dirname(file)), ['scriptorium.backup'])

  assert.deepEqual((await restore(to.pool, file)).rows, written.rows)
  assert.deepEqual(await contentOf(to), await contentOf(from))
  const left = await to.pool.query(
    `select (select count(*) from bucket) + (select count(*) from left_out) as rows`,
  )
  assert.equal(left.rows[0].rows, 0n)
  assert.equal((await to.pool.query(`select from a_child where note = 'secret'`)).rowCount, 0)
  const { rows } = await to.pool.query(`insert into z_parent (name) values ('next') returning id`)
  assert.equal(rows[0].id, 4)
})

test('a backup is one snapshot, whatever is written meanwhile', async (t) => {
  const folder = temporaryFolder(t)
  const [from, to] = [
    await withSchema(await testDatabase(t)),
    await withSchema(await testDatabase(t)),
  ]
  await from.pool.query(ROWS)
  await from.pool.query(
    `insert into a_child select 1, repeat('x', 1000) from generate_series(1, 20000)`,
  )
  const finished = new AbortController()
  let written = 0
  const writing = (async () => {
    while (!finished.signal.aborted) {
      await from.pool.query(
        `with parent as (insert into z_parent (name) values ('busy') returning id)
        insert into a_child select id, 'busy' from parent`,
      )
      written += 1
    }
  })()
  await backup(from.pool, path.join(folder, 'busy.backup'))
  finished.abort()
  await writing
  assert(written > 1, 'rows were written while the backup ran')

  await restore(to.pool, path.join(folder, 'busy.backup'))
  const { rows } = await to.pool.query(
    `select (select count(*) from z_parent where name = 'busy') = (select count(*) from a_child where note = 'busy')
      as is_whole, (select max(id) from z_parent) < nextval('z_parent_id_seq') as is_ahead`,
  )
  assert.deepEqual(rows, [{ is_whole: true, is_ahead: true }])
})

test('a damaged, foreign or unsuitable backup changes nothing and is refused in a sentence', async (t) => {
  const folder = temporaryFolder(t)
  const file = path.join(folder, 'good.backup')
  const [from, to] = [
    await withSchema(await testDatabase(t)),
    await withSchema(await testDatabase(t)),
  ]
  await from.pool.query(ROWS)
  await backup(from.pool, file)
  const good = fs.readFileSync(file)
  const text = gunzipSync(good)
  const changed = (search: string, put: string) =>
    gzipSync(Buffer.from(text.toString('latin1').replace(search, put), 'latin1'))

  const cases = [
    ['half', good.subarray(0, good.length / 2), /half was not restored: it is damaged/],
    ['empty', Buffer.alloc(0), /empty was not restored: it is/],
    ['no gzip', Buffer.from('hello'), /no gzip was not restored: it is damaged/],
    [
      'foreign',
      gzipSync('hello\n'),
      /foreign was not restored: it is not a backup by this program/,
    ],
    [
      'changed',
      changed('text 7', 'text 8'),
      /changed was not restored: it is damaged or not complete/,
    ],
    ['a row less', changed('2\ttext 1\n', ''), /a row less was not restored: it is damaged or not/],
    [
      'endless',
      gzipSync(Buffer.concat([text, Buffer.from('x')])),
      /endless was not restored: it is damaged/,
    ],
    [
      'cut',
      gzipSync(text.subarray(0, text.lastIndexOf('\nend ') + 1)),
      /cut was not restored: it is damaged/,
    ],
    [
      'older',
      changed('"name":"0001-', '"name":"0000-'),
      /older was not restored: it belongs to schema .* restore it with/,
    ],
  ] as const
  for (const [name, bytes, message] of cases) {
    fs.writeFileSync(path.join(folder, name), bytes)
    await assert.rejects(restore(to.pool, path.join(folder, name)), {
      name: 'BackupError',
      message,
    })
    assert.equal((await to.pool.query('select from a_child')).rowCount, 0, name)
  }

  await assert.rejects(restore(to.pool, path.join(folder, 'none')), /there is no file .*none/)
  await assert.rejects(
    restore(from.pool, file),
    /holds rows already \(in z_parent, a_child\): restore into an empty/,
  )
  await assert.rejects(backup(from.pool, file), /good\.backup exists already: name another file/)
  await assert.rejects(backup(from.pool, path.join(folder, 'no/folder')), /cannot be written/)
  await restore(to.pool, file)
  assert.deepEqual(await contentOf(to), await contentOf(from))
})

test('a backup stops where nobody has decided on a table, or a column that sounds like a secret', async (t) => {
  const file = path.join(temporaryFolder(t), 'undecided.backup')
  const { pool } = await testDatabase(t)
  await backups.backup(pool, file)
  fs.rmSync(file)
  await pool.query('create table later (id int); alter table account add column pass_token text')
  await assert.rejects(backups.backup(pool, file), {
    name: 'BackupError',
    message:
      /nobody has decided whether backups hold account\.pass_token, later: decide in src\/store\/register\.ts/,
  })
  assert.equal(fs.existsSync(file), false)
})

test('a backup holds each other column, and is restored only where its columns are', async (t) => {
  const file = path.join(temporaryFolder(t), 'column.backup')
  const [from, to] = [await testDatabase(t), await testDatabase(t)]
  await from.pool.query('alter table account add column nickname text')
  await from.pool.query(
    `insert into account (id, email, nickname) values ('a', 'a@example.org', 'Al')`,
  )
  await backups.backup(from.pool, file)
  await assert.rejects(
    backups.restore(to.pool, file),
    /it holds other tables or columns than this database \(account\.nickname\): restore it with/,
  )
  await to.pool.query('alter table account add column nickname text')
  await backups.restore(to.pool, file)
  assert.deepEqual((await to.pool.query('select nickname from account')).rows, [{ nickname: 'Al' }])
})

test('a file with more in it than this program keeps is not restored', async (t) => {
  const file = path.join(temporaryFolder(t), 'wide.backup')
  const [from, to] = [await testDatabase(t), await testDatabase(t)]
  const { backup: _, columns: __, ...session } = entryOf(REGISTER, 'sign_in_session')
  const wide = { ...REGISTER, sign_in_session: { ...session, columns: { plain: 'token' } } }
  await backups.backup(from.pool, file, { register: wide })
  await assert.rejects(
    backups.restore(to.pool, file),
    /it holds other tables or columns than this database \(sign_in_session\.id, .*sign_in_session\.token/,
  )
})
