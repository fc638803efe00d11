/** A misspelt column or alias of a statement is refused by name. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { testDatabase, type TestScope } from '../support/database.ts'
import { ROOT } from './check-claims.ts'

const COPIED = ['src', 'test', 'tools/scripts', 'package.json', 'tsconfig.json']

type Misspelling = { what: string; file: string; right: string; wrong: string; refusal: RegExp }

/** Misspellings that the statements' own test refuses, in `npm test`. */
const WRITTEN: Misspelling[] = [
  {
    what: 'a column of a named statement',
    file: 'src/store/history.ts',
    right: 'and h.url_set_hash = $2',
    wrong: 'and h.url_set_hsh = $2',
    refusal: /column h\.url_set_hsh does not exist: select h\.video_id as "videoId"/,
  },
  {
    what: 'a column',
    file: 'src/store/ledger-audit.ts',
    right: 'o.account_id = b.account_id',
    wrong: 'o.account_id = b.acount_id',
    refusal: /column b\.acount_id does not exist: select b\.account_id as "accountId"/,
  },
  {
    what: 'an alias',
    file: 'src/store/ledger.ts',
    right: 'held_micros as "heldMicros",\n      entries',
    wrong: 'held_micros as "heldMicro",\n      entries',
    refusal: /src\/store\/ledger\.ts\(\d+,\d+\): [^`]*"heldMicros? is (claimed|a column), and /,
  },
]

test('a misspelt column or alias of a statement fails the test of all statements, by name', async (t) => {
  const folder = await copyOfProject(t)
  for (const one of WRITTEN) await misspell(folder, one)
  const { url } = await testDatabase(t)
  const failure = await failureOfStatementsTest(folder, url)
  for (const { what, refusal } of WRITTEN) assert.match(failure, refusal, what)
})

async function copyOfProject(t: TestScope): Promise<string> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'scriptorium-misspelt-'))
  t.after(() => fs.rm(folder, { recursive: true }))
  for (const name of COPIED) {
    await fs.cp(path.join(ROOT, name), path.join(folder, name), { recursive: true })
  }
  await fs.symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  return folder
}

async function misspell(folder: string, { file, right, wrong }: Misspelling): Promise<void> {
  const copy = path.join(folder, file)
  const code = await fs.readFile(copy, 'utf8')
  assert.ok(code.includes(right), `${file} has ${right}`)
  await fs.writeFile(copy, code.replace(right, wrong))
}

/** Returns the failure of the copy's test of all statements, in one line. */
function failureOfStatementsTest(folder: string, databaseUrl: string): Promise<string> {
  const env = { ...process.env, TEST_DATABASE_URL: databaseUrl, NODE_TEST_CONTEXT: undefined }
  const args = ['--test-reporter=spec', 'test/statements/statements.full.test.ts']
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: folder, env }, (error, stdout) =>
      error === null ? reject(new Error('the copy passes')) : resolve(stdout.replace(/\s+/g, ' ')),
    )
  })
}
