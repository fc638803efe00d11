/**
 * The container image without a container engine: its last stage is laid out as a folder, and the service is
 * started from there as the image starts it. The workflow `image` does the same with the real one.
 */
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { openFleet } from '../machines/fleet.ts'
import { temporaryFolder } from '../support/embedded-process.ts'
import { bareEnvironment } from '../support/service-process.ts'
import { commandOf, imageEnvironment, layOut } from './stages.ts'

const MODULES_BYTES_MAX = 80 * 2 ** 20

test('the image has all that its processes load, says how they are, and asks for a database', async (t) => {
  const app = temporaryFolder(t)
  layOut(app)
  const listed = execFileSync('du', ['-sb', path.join(app, 'node_modules')], { encoding: 'utf8' })
  assert.ok(Number.parseInt(listed) < MODULES_BYTES_MAX, listed)
  assert.ok(!fs.existsSync(path.join(app, 'node_modules/react')), 'which the website needs alone')
  const settings = {
    ...imageEnvironment(),
    HOST: '127.0.0.1',
    DATA_DIR: path.join(app, 'data'),
    NODE_COMPILE_CACHE: bareEnvironment()['NODE_COMPILE_CACHE'] ?? '',
  }
  /** Runs what the image would run for a word of the Dockerfile, in its folder. */
  const run = async (words: string[], env: Record<string, string> = {}) => {
    const [, ...args] = words
    try {
      const { stdout } = await promisify(execFile)(process.execPath, args, {
        cwd: app,
        env: { ...bareEnvironment(), ...settings, ...env },
      })
      return { code: 0, out: stdout, said: '' }
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
      return { code, out: stdout, said: stderr }
    }
  }

  const without = await run(commandOf('CMD'))
  assert.equal(without.code, 1)
  assert.match(without.said, /^scriptorium: DATABASE_URL is not set, .* such as postgres:.*\n$/)

  const main = path.join(app, 'src/main.ts')
  const { start, database, platform } = await openFleet(t)
  const check = commandOf('HEALTHCHECK')
  const gone = await run(check, { ...settings, PORT: '1' })
  assert.equal(gone.code, 1)
  assert.match(gone.said, /healthz does not answer: .*ECONNREFUSED/)
  const { address } = await start({ ...settings, PORT: '0' }, { main })
  const here = { ...settings, PORT: new URL(address).port }
  assert.deepEqual(await run([...check, '--ready'], here), { code: 0, out: '', said: '' })

  const migrated = await run(['node', 'src/main.ts', 'admin', 'migrate'], {
    DATABASE_URL: database.url,
  })
  assert.match(migrated.out, /^the database is at \d{4}-[\w-]+\.sql, the last of \d+ migrations\n$/)
  const made = await run(
    ['node', 'src/main.ts', 'admin', 'account', 'create', '--email', 'a@example.org', '--json'],
    { DATABASE_URL: database.url, PLATFORM_ORIGIN: platform.origin },
  )
  assert.match(made.out, /^\{"accountId":"acc_\w+","apiKey":"sk_[\w-]+"\}\n$/)
})
