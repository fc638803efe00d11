/**
 * A PostgreSQL server and a copy of it that becomes a primary beside it, as a keeper of roles makes one: the same
 * system identifier, and timeline 2 after `promote()`. What the old server commits after the copy is not in the copy.
 */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { prepareBinaries } from '../../src/kit/postgres/embedded/binaries.ts'
import { askServer } from '../../src/kit/postgres/embedded/connecting.ts'
import { startEmbeddedPostgres } from '../../src/kit/postgres/embedded/embedded-postgres.ts'
import { chooseOsUser } from '../../src/kit/postgres/embedded/os-user.ts'
import { spawnServer, stopServer } from '../../src/kit/postgres/embedded/server.ts'
import {
  DATABASE_NAME,
  DATABASE_ROLE,
  makeSocketFolder,
  openSite,
  type Site,
} from '../../src/kit/postgres/embedded/site.ts'
import { connectTo } from './connection.ts'
import { findPlace, onDatabase } from './database-server.ts'
import { serverPid } from './embedded-process.ts'
import { until } from './until.ts'

const SILENT = { info: () => undefined, warn: () => undefined }

export type Promotable = {
  old: {
    url: string
    start(): Promise<void>
    stop(): Promise<void>
    /** Stops every process of the server where it is: its connections stay, and nothing answers. */
    freeze(): void
    thaw(): void
  }
  /** Copies the stopped server, starts both, the copy as a standby that follows nobody. Call it once. */
  makeCopy(): Promise<{ url: string; promote(): Promise<void>; stop(): Promise<void> }>
}

/** Starts a server of a new cluster; all servers end with the test, and their folder is removed. */
export async function startPromotable(t: {
  after(work: () => Promise<void>): void
}): Promise<Promotable> {
  const folder = fs.mkdtempSync(path.join(findPlace().folder, 'scriptorium-promoted-'))
  fs.chmodSync(folder, 0o755)
  const dataDir = path.join(folder, 'old')
  const old = openSite(dataDir)
  const copy = { dataDir: path.join(folder, 'copy') }
  const thaw = (): void => signalAll(dataDir, 'SIGCONT')
  t.after(async () => {
    thaw()
    await stopServer(old)
    if (fs.existsSync(copy.dataDir)) await stopServer(openSite(copy.dataDir))
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  const made = await startEmbeddedPostgres({ dataDir, log: SILENT }) // makes cluster, password and database
  await made.stop()
  await start(old)
  return {
    old: {
      url: urlOf(old),
      start: () => start(old),
      stop: async () => void (await stopServer(old)),
      freeze: () => signalAll(dataDir, 'SIGSTOP'),
      thaw,
    },
    async makeCopy() {
      await stopServer(old)
      spawnSync('cp', ['-a', dataDir, copy.dataDir])
      const site = openSite(copy.dataDir)
      fs.writeFileSync(path.join(site.cluster, 'standby.signal'), '')
      await Promise.all([start(old), start(site)])
      return {
        url: urlOf(site),
        promote: () => promote(site),
        stop: async () => void (await stopServer(site)),
      }
    },
  }
}

async function start(site: Site): Promise<void> {
  const osUser = chooseOsUser(site)
  makeSocketFolder(site, osUser)
  await spawnServer(site, prepareBinaries(site, osUser), { osUser, fsync: true })
  await until('the server answers', async () => (await askServer(site)) === 'ready')
}

async function promote(site: Site): Promise<void> {
  const client = await connectTo(onDatabase(urlOf(site), 'postgres'))
  await client.query('select pg_promote()')
  await client.end()
}

function urlOf({ host, port, password }: Site): string {
  const query = `host=${encodeURIComponent(host)}&port=${port}`
  return `postgres://${DATABASE_ROLE}:${password}@localhost/${DATABASE_NAME}?${query}`
}

/** Sends the signal to the server's first process and its children, each of which leads a group of its own. */
function signalAll(dataDir: string, signal: NodeJS.Signals): void {
  const first = serverPid(dataDir)
  if (first === null) return
  process.kill(first, signal) // before its children are counted, so that it makes no more
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  for (const line of stdout.split('\n')) {
    const [pid, parent] = line.trim().split(/\s+/).map(Number)
    if (pid !== undefined && parent === first) process.kill(pid, signal)
  }
}
