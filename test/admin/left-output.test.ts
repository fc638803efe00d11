/** Output that nobody reads to its end: `admin … | head` is no error of the command. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { testDatabase } from '../support/database.ts'

const MAIN = path.resolve(import.meta.dirname, '../../src/main.ts')
const database = await testDatabase({ after })

for (const words of [['storage'], ['storage', '--json'], ['ledger', 'verify']])
  test(`"${words.join(' ')}" ends well where its reader has left`, async () => {
    const child = spawn(process.execPath, [MAIN, 'admin', ...words], {
      env: { ...process.env, DATABASE_URL: database.url },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.destroy()
    const ended = once(child, 'exit')
    assert.equal(await text(child.stderr), '')
    assert.equal((await ended)[0], 0)
  })
