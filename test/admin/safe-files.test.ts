/** Files and lines for operators: no planted link is written through, and no line commands their terminal. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { backup } from '../../src/features/backup/backup.ts'
import { readConfig } from '../../src/config/config.ts'
import { openLog } from '../../src/open-context.ts'
import { testDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/embedded-process.ts'

test('a link under the name that a backup had while it was written neither stops it nor is followed', async () => {
  const { pool } = await testDatabase({ after })
  const folder = temporaryFolder({ after })
  const [file, precious] = [path.join(folder, 'of.backup'), path.join(folder, 'precious')]
  fs.writeFileSync(precious, 'kept')
  fs.symlinkSync(precious, `${file}.unfinished-${process.pid}`)
  const { fileBytes } = await backup(pool, file)
  assert.ok(fileBytes > 0)
  assert.equal(fs.readFileSync(precious, 'utf8'), 'kept')
  assert.deepEqual(fs.readdirSync(folder).length, 3, 'nothing else is left')
})

test('a line of the log is JSON of the same value, in which no control is left', () => {
  const file = path.join(temporaryFolder({ after }), 'log')
  const note = 'red \u001b[31m \u009b31m \u007f \u202eback'
  openLog(readConfig({ LOG_LEVEL: 'info' }), file).info({ note }, `a message, ${note}`)
  const line = fs.readFileSync(file, 'utf8').trimEnd()
  assert.doesNotMatch(line, /[\p{Cc}\u202e]/u)
  const { note: read, msg } = JSON.parse(line) as { note: string; msg: string }
  assert.deepEqual([read, msg], [note, `a message, ${note}`])
})

test('the log as text keeps secrets out as JSON does', () => {
  const file = path.join(temporaryFolder({ after }), 'log')
  const log = openLog(readConfig({ LOG_LEVEL: 'info', LOG_FORMAT: 'text' }), file)
  const req = { headers: { authorization: 'Bearer sk_secret' } }
  log.info({ req, made: { apiKey: 'sk_secret' }, note: 'a \u001b[31m' }, 'a key\n was made')
  const line = fs.readFileSync(file, 'utf8')
  assert.match(line, /^\S+ \S+Z INFO {2}a key\\n was made req=/)
  assert.doesNotMatch(line.trimEnd(), /sk_secret|\p{Cc}/u)
})
