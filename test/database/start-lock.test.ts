/** The lock under which one process prepares a data folder, and the bound of the server's log. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { trimLog } from '../../src/kit/postgres/embedded/log.ts'
import { startedAt } from '../../src/kit/postgres/embedded/processes.ts'
import { takeStartLock } from '../../src/kit/postgres/embedded/start-lock.ts'
import { temporaryFolder } from '../support/embedded-process.ts'

test('one process at a time holds the start lock', (t) => {
  const file = path.join(temporaryFolder(t), 'lock')
  const lock = takeStartLock(file)
  assert.notEqual(lock, null)
  assert.equal(takeStartLock(file), null)
  lock!.release()
  const next = takeStartLock(file)
  assert.notEqual(next, null)
  lock!.release()
  assert.equal(takeStartLock(file), null, 'a second release does not take it from the next holder')
  next!.release()

  fs.writeFileSync(`${file}.0a1b`, 'left by a killed process')
  fs.utimesSync(`${file}.0a1b`, 1_000_000, 1_000_000)
  takeStartLock(file)!.release()
  assert.deepEqual(fs.readdirSync(path.dirname(file)), [])
})

test('the start lock of a dead process is taken over, that of a living one never', (t) => {
  const file = path.join(temporaryFolder(t), 'lock')
  const dead = spawnSync(process.execPath, ['--version']).pid
  const cases = [
    { line: `${dead} 1 aa\n`, isTaken: true, why: 'dead' },
    { line: `${process.pid} ${startedAt(process.pid)} aa\n`, isTaken: false, why: 'alive' },
    { line: `${process.pid} 1 aa\n`, isTaken: process.platform === 'linux', why: 'its id again' },
    { line: '', isTaken: true, why: 'nobody wrote this' },
  ]
  for (const { line, isTaken, why } of cases) {
    fs.writeFileSync(file, line)
    assert.equal(takeStartLock(file) !== null, isTaken, why)
    if (!isTaken) assert.equal(fs.readFileSync(file, 'utf8'), line)
  }
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
