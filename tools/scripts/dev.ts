/**
 * `npm run dev`: everything a contributor needs, in one command. The platform's stand-in, the service (started
 * anew when its code changes), the website with hot reload, and an account with credit, a key and a
 * password. Data stays in ./data/dev; delete that folder for a fresh start. Ctrl-C ends all of it.
 */
import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmulator } from '../../emulator/server.ts'
import { readConfig } from '../../src/config/config.ts'
import { openDatabaseContext } from '../../src/open-context.ts'
import { createDevAccount, createDevUser, DEV_USER } from './dev-account.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const DATA = path.join(ROOT, 'data/dev')
const KEY_FILE = path.join(DATA, 'api-key')
const PORTS = { emulator: 9000, api: 8080, website: 5173 }
const READY_POLL_MS = 200
const READY_MS_MAX = 120_000

const site = `http://localhost:${PORTS.website}`
const api = `http://127.0.0.1:${PORTS.api}`
const settings = {
  ...process.env,
  PORT: String(PORTS.api),
  PUBLIC_URL: site, // sign-in answers the pages of this origin only
  DATA_DIR: DATA,
  PLATFORM_ORIGIN: `http://127.0.0.1:${PORTS.emulator}`,
}

const platform = await startEmulator({ port: PORTS.emulator, latencyMs: 60 })
const WATCH = ['--watch-path=src', '--watch-preserve-output']
const service = run([...WATCH, 'tools/scripts/dev-service.ts', 'serve'], ROOT, settings)
const website = run(
  [
    '../node_modules/vite/bin/vite.js',
    '--port',
    String(PORTS.website),
    '--strictPort',
    '--clearScreen',
    'false',
  ],
  path.join(ROOT, 'web'),
  settings,
)
const children = [service, website]
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(0))
for (const child of children) child.once('exit', () => void end(1))

await untilReady()
const apiKey = await seed()
say(`
  website   ${site}   (${DEV_USER.email}, password ${DEV_USER.password})
  API       ${site}/api/v1   key ${apiKey}
  platform  ${platform.origin}/emulator/world   (more in emulator/README.md)
`)

/** Creates the account and its user where they are missing, and returns the account's API key. */
async function seed(): Promise<string> {
  const context = await openDatabaseContext(readConfig(settings))
  try {
    if (!fs.existsSync(KEY_FILE)) {
      fs.writeFileSync(KEY_FILE, `${await createDevAccount(context)}\n`, { mode: 0o600 })
    }
    await createDevUser(context)
    return fs.readFileSync(KEY_FILE, 'utf8').trim()
  } finally {
    await context.close()
  }
}

async function untilReady(): Promise<void> {
  for (
    const until = performance.now() + READY_MS_MAX;
    performance.now() < until;
    await sleep(READY_POLL_MS)
  ) {
    if (
      await fetch(`${api}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return
  }
  say(`the service is not ready after ${READY_MS_MAX / 1000} s; its log is above`)
  await end(1)
}

/** In a process group of its own, so that Ctrl-C reaches only us and each child is asked to stop once. */
function run(words: string[], cwd: string, env: NodeJS.ProcessEnv): ChildProcess {
  const stdio: StdioOptions = ['ignore', 'inherit', 'inherit']
  return spawn(process.execPath, words, { cwd, env, stdio, detached: true })
}

async function end(code: number): Promise<never> {
  await Promise.all(
    children.map(async (child) => {
      child.removeAllListeners('exit')
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    }),
  )
  await platform.close()
  process.exit(code)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
