/** Refusals of `admin` that name another command name it whole: it runs as it is printed. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { testDatabase } from '../support/database.ts'
import { adminOn } from './admin-command.ts'

const LINE = /^ {2}npm run --silent admin -- (.+)$/gm
const ODD = `o'dd&$(x)@named.example`
const database = await testDatabase({ after })
const { admin, value, refusal } = adminOn(database.url)
const { accountId } = await value('account', 'create', '--email', 'ada@named.example')
await value('account', 'create', '--email', ODD)
await value('account', 'suspend', accountId, '--reason', 'a test')

const REFUSED: readonly string[][] = [
  ['account', 'create', '--email', 'ada@named.example', '--credit-usd', '10'],
  ['account', 'create', '--email', 'ada@named.example'],
  ['account', 'create', '--email', ODD, '--credit-usd', '0.50'],
  ['account', 'suspend', accountId, '--reason', 'again'],
  ['account', 'show', 'nobody@named.example'],
  ['credit', 'add', '--account', 'nobody@named.example', '--usd', '5', '--reason', 'a test'],
  ['ledger', 'statement', '--account', 'nobody@named.example'],
  ['operator', 'grant', '--email', 'nobody@named.example'],
  ['operator', 'revoke', '--email', 'ada@named.example'],
  ['job', 'show', 'job_nothing'],
  ['job', 'cancel', 'job_nothing', '--reason', 'a test'],
  ['key', 'create', '--account', 'nobody@named.example', '--name', 'one'],
  ['key', 'revoke', 'key_nothing'],
]

for (const words of REFUSED)
  test(`what "${words.join(' ')}" names runs`, async () => {
    const lines = [...(await refusal(...words)).matchAll(LINE)].map(([, line = '']) => line)
    assert.ok(lines.length > 0)
    for (const line of lines) {
      // The shell itself takes the line apart.
      const parts = execFileSync('sh', ['-c', `printf '%s\\n' ${line}`], { encoding: 'utf8' })
      const { code, err } = await admin(...parts.trimEnd().split('\n'))
      assert.deepEqual([code, err], [0, ''], line)
    }
  })

test('the account of a known address has its credit once the named commands ran', async () => {
  const { accounts } = await value('account', 'list', '--search', 'ada@named')
  assert.equal(accounts[0].available, '10.000')
})

test('no refusal writes the name of a command by hand', () => {
  const folder = path.resolve(import.meta.dirname, '../../src/admin')
  for (const file of fs.readdirSync(folder)) {
    const text = fs.readFileSync(path.join(folder, file), 'utf8')
    assert.doesNotMatch(text, /[:;,] (?:see|with|by|run):? `?admin [a-z]/, file)
  }
})
