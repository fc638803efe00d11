/** The export of an account has all that is kept of it, as the register of tables says. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Json } from '../../tools/conformance/http.ts'
import { kindOf, REGISTER, rowsOfAccount } from '../../src/store/register.ts'
import { startMailBox } from '../account/mail-box.ts'
import { temporaryFolder } from '../support/embedded-process.ts'
import { testService } from '../support/service.ts'
import { unzipped } from '../support/unzipped.ts'
import { adminOn } from './admin-command.ts'
import { openEverything } from './everything.ts'
import { seedRows } from './seeded-rows.ts'

const EMAIL = 'everything@example.org'
/** Beginning of the texts of another account. */
const OTHERS = 'others-'

const mailBox = await startMailBox({ after })
const running = await testService(
  { after },
  {
    env: { ...mailBox.env, WEBHOOK_ALLOW_PRIVATE: 'true', JOB_VIDEOS: '2' },
    leavesOpenJobs: true,
  },
)
const { pool, url } = running.database
const folder = temporaryFolder({ after })
const { value } = adminOn(url)

/** More rows than are read at once, by keys of a date, of texts and bytes, and below a row of the account's. */
const MANY = 250
const MANY_ROWS = [
  `insert into account_usage (account_id, day) select $1, date '2020-01-01' + n from generate_series(1, ${MANY}) n`,
  `insert into list_bookmark (account_id, url_set_hash, line_hash, heads, cursor, listed)
    select $1, chr(65 + n % 60), decode(lpad(to_hex(n), 4, '0'), 'hex'), array[$2], 'cursor ' || n, 1
    from generate_series(1, ${MANY}) n`,
  `insert into subscription_video (subscription_id, video_id, number, found_at, due_at, young_until)
    select s.id, $2 || md5(n::text), n, now(), 'infinity', now() from subscription s, generate_series(1, ${MANY}) n
    where account_id = $1`,
]
const ELSEWHERE = `do $$ begin execute format('alter database %I set timezone to %L', current_database(), 'Asia/Tokyo'); end $$`

async function addManyRows(accountId: string, word: string): Promise<void> {
  for (const statement of MANY_ROWS)
    await pool.query(statement, statement.includes('$2') ? [accountId, word] : [accountId])
}

/** Returns the account's rows of a table, with instants in UTC. */
async function rowsOf(table: string, accountId: string): Promise<Json[]> {
  const { rows } = await pool.query<{ row: Json }>(
    `select to_json(t) as row from (select set_config('TimeZone', 'UTC', true)) utc cross join ${table} t
    where ${rowsOfAccount(REGISTER, table)}`,
    [accountId],
  )
  return rows.map(({ row }) => row)
}

test('the export of an account has each row of its tables whole, but for secrets, and nothing of another account', async () => {
  await pool.query(ELSEWHERE)
  const other = await running.customer('1')
  const made = await other.asks('POST', '/webhooks', { body: { url: 'http://127.0.0.1:9/never' } })
  assert.equal(made.status, 201)
  await other.orders({ urls: ['@dailynotes'], maxVideos: 2 })
  const { accountId } = await openEverything(running, mailBox, EMAIL)
  await seedRows(pool, other.accountId, OTHERS)
  await addManyRows(accountId, 'own')
  await addManyRows(other.accountId, OTHERS)

  const file = path.join(folder, 'export.zip')
  await value('account', 'export', EMAIL, file)
  const files = unzipped(fs.readFileSync(file))
  const all = [...files.values()].join('\n')
  assert.ok(!all.includes(OTHERS), 'rows of another account')
  for (const [table, { exported }] of Object.entries(REGISTER)) {
    if (typeof exported !== 'string') continue
    const rows = await rowsOf(table, accountId)
    const shown = rows.map((row) => Object.entries(row).filter(([name]) => !isSecret(table, name)))
    assert.deepEqual(
      linesOfTable(files, table).map(snakeCased).map(inText).toSorted(),
      shown.map((row) => inText(Object.fromEntries(row))).toSorted(),
      table,
    )
    for (const row of rows)
      for (const [name, secret] of Object.entries(row))
        if (isSecret(table, name) && typeof secret === 'string')
          assert.ok(!all.includes(secret), `${table}.${name} is in the export`)
  }
  const readme = String(files.get('README.txt'))
  for (const { holds = '', exported } of Object.values(REGISTER))
    if (exported !== undefined && !(typeof exported === 'object' && 'in' in exported))
      assert.match(readme, new RegExp(`(  |- )${holds}( \\(|;|$)`, 'm'))
})

function isSecret(table: string, column: string): boolean {
  const kind = kindOf(REGISTER, table, column)
  return kind === 'secret' || kind === 'kept_secret'
}

/** Returns the rows of a table: of its own file, or of all jobs. */
function linesOfTable(files: ReadonlyMap<string, string>, table: string): Json[] {
  const own = files.get(`tables/${table}.jsonl`)
  if (own !== undefined) return parsed(own)
  const ofJobs = [...files].flatMap(([name, text]) =>
    name.endsWith('/rows.jsonl') ? parsed(text) : [],
  )
  return ofJobs.flatMap(({ table: of, ...row }) => (of === table ? [row] : []))
}

function parsed(lines: string): Json[] {
  return lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const inText = (row: Json): string => JSON.stringify(row)

function snakeCased(row: Json): Json {
  const named = Object.entries(row).map(([name, one]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    one,
  ])
  return Object.fromEntries(named)
}
