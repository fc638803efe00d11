/** The locks under which processes share an embedded server, and the bound of the server's log. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { beginUse, inTurn } from '../../src/kit/postgres/embedded/locks.ts'
import { trimLog } from '../../src/kit/postgres/embedded/server.ts'
import { openSite } from '../../src/kit/postgres/embedded/site.ts'
import { temporaryFolder } from '../support/embedded-process.ts'

test('one at a time has its turn, in one process and in several', async (t) => {
  const site = openSite(temporaryFolder(t))
  const order: string[] = []
  const { promise: end, resolve: ends } = Promise.withResolvers<void>()
  const first = inTurn(site, async () => {
    order.push('first begins')
    await end
    order.push('first ends')
  })
  const gone = new AbortController()
  const tired = inTurn(site, async () => void order.push('tired'), gone.signal)
  const second = inTurn(site, async () => void order.push('second'))
  gone.abort()
  await assert.rejects(tired, { name: 'AbortError' })
  ends()
  await Promise.all([first, second])
  assert.deepEqual(order, ['first begins', 'first ends', 'second'])

  const failing = inTurn(site, () => Promise.reject(new Error('it failed')))
  await assert.rejects(failing, /it failed/)
  await inTurn(site, async () => void order.push('third'))
  assert.equal(order.at(-1), 'third')
})

/** Program that takes both locks and keeps them. */
const HOLDER = `const { beginUse, inTurn } = await import(process.argv[1])
await inTurn(JSON.parse(process.argv[2]), async () => {
  beginUse(JSON.parse(process.argv[2]))
  process.send('held')
  await new Promise((resolve) => setTimeout(resolve, 600_000))
})`

test('a killed process holds no turn and no use', async (t) => {
  const site = openSite(temporaryFolder(t))
  const file = path.resolve(import.meta.dirname, '../../src/kit/postgres/embedded/locks.ts')
  const holder = spawn(
    process.execPath,
    ['--input-type=module', '-e', HOLDER, file, JSON.stringify(site)],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  )
  t.after(() => holder.kill('SIGKILL'))
  await once(holder, 'message')
  let wasLast = false
  await beginUse(site)(async () => void (wasLast = true))
  assert.equal(wasLast, false)

  let isMyTurn = false
  const turn = inTurn(site, async () => void (isMyTurn = true))
  assert.equal(isMyTurn, false)
  holder.kill('SIGKILL')
  await turn
  await beginUse(site)(async () => void (wasLast = true))
  assert.equal(wasLast, true)
})

test('the last user alone learns that it is', async (t) => {
  const site = openSite(temporaryFolder(t))
  const ends = [beginUse(site), beginUse(site), beginUse(site)]
  const last: number[] = []
  for (const [which, end] of ends.entries()) await end(async () => void last.push(which))
  assert.deepEqual(last, [2])
})

test("the server's log is cut when it grows, while the server goes on writing to it", (t) => {
  const file = path.join(temporaryFolder(t), 'postgres.log')
  const server = fs.openSync(file, 'a')
  fs.writeSync(server, 'x'.repeat(100))
  trimLog(file, 100)
  assert.equal(fs.statSync(file).size, 100)
  fs.writeSync(server, 'y')
  trimLog(file, 100)
  fs.writeSync(server, 'z')
  fs.closeSync(server)
  assert.equal(fs.readFileSync(file, 'utf8'), 'z')
  assert.equal(fs.readFileSync(`${file}.1`, 'utf8'), `${'x'.repeat(100)}y`)
})
