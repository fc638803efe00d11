/**
 * `npm run rehearse`: what CI would say of HEAD. Clones it to new folders beside this one and runs the whole `.ci/run`
 * in each: as it is, and slowly, on one processor that a busy loop shares. Each file that failed runs five times more
 * alone and five beside busy loops, which tells a fault from a test that depends on the machine. The tree and the
 * verdict go to `.git/rehearsed`. Takes some ten minutes, and half an hour for the slow one; `--quick` leaves that out.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { readArguments } from './arguments.ts'
import { isFullFile } from './test-kinds.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const TRIES = 5
/** The busy loop ends with the process that launched it, even where that process is killed. */
const BUSY = 'const launcher = process.ppid; while (process.ppid === launcher);'
/** Settings of CI, where nothing is kept for the next run. */
const ENV = { ...process.env, CI: 'true' }

const { values } = readArguments({ options: { quick: { type: 'boolean', default: false } } })
const tree = git('rev-parse', 'HEAD^{tree}')
if (git('status', '--porcelain') !== '') say('what is not committed is not rehearsed')

const verdicts: string[] = []
const failed = new Set<string>()
const clones: string[] = []
/** The process group of the gate that runs now. */
let gate: number | null = null
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    try {
      if (gate !== null) process.kill(-gate, 'SIGTERM')
    } finally {
      process.exit(1) // the gate may have ended in the same moment
    }
  })
}
for (const isSlow of values.quick ? [false] : [false, true]) {
  const name = isSlow ? 'on one busy processor' : 'as it is'
  const clone = cloneHead(isSlow ? 'slow' : 'plain')
  clones.push(clone)
  const beganAt = Date.now()
  const { code, output } = await runGate(clone, isSlow)
  const minutes = ((Date.now() - beganAt) / 60_000).toFixed(1)
  verdicts.push(`${name}: ${code === 0 ? 'passed' : 'failed'} in ${minutes} minutes`)
  for (const [, kind = '', file = ''] of output.matchAll(/^(failed|flaky): (\S+)$/gm)) {
    failed.add(file)
    verdicts.push(`${name}: ${kind} ${file}`)
  }
}
for (const file of failed) verdicts.push(`${file}: ${await whenItFails(clones[0] ?? ROOT, file)}`)
for (const clone of clones) fs.rmSync(clone, { recursive: true, force: true })

const isClean = failed.size === 0 && verdicts.every((line) => !line.includes('failed'))
const verdict = `${tree} ${isClean ? 'clean' : 'not clean'} ${new Date().toISOString()}\n${verdicts.join('\n')}\n`
fs.writeFileSync(path.join(ROOT, git('rev-parse', '--git-dir'), 'rehearsed'), verdict)
say(`\n${verdict.trimEnd()}`)
process.exitCode = isClean ? 0 : 1

function git(...words: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', words, { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${words.join(' ')}: ${stderr}`)
  return stdout.trim()
}

/**
 * Clones to a folder beside this one, where tests find the folders that they look for there. A clone of a rehearsal
 * that was cut off is removed.
 */
function cloneHead(name: string): string {
  const folder = path.join(path.dirname(ROOT), `rehearsal-${name}`)
  fs.rmSync(folder, { recursive: true, force: true })
  git('clone', '--quiet', ROOT, folder)
  return folder
}

async function runGate(clone: string, isSlow: boolean): Promise<{ code: number; output: string }> {
  const busy = isSlow ? startBusyLoops(1) : []
  const words = ['bash', '.ci/run']
  const [program = '', ...rest] = isSlow ? ['taskset', '-c', '0', ...words] : words
  const child = spawn(program, rest, {
    cwd: clone,
    env: ENV,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true, // a group of its own, which this program ends
  })
  gate = child.pid ?? null
  const closed = once(child, 'close') as Promise<[number | null]>
  let output = ''
  for await (const chunk of child.stdout) {
    output += String(chunk)
    process.stdout.write(chunk)
  }
  const [code] = await closed
  gate = null
  busy.forEach((loop) => loop.kill())
  return { code: code ?? 1, output }
}

/** Starts busy loops: one alone shares the first processor with the gate, several run on any. */
function startBusyLoops(count: number): ChildProcess[] {
  return Array.from({ length: count }, () => {
    const [program, words] =
      count === 1
        ? ['taskset', ['-c', '0', process.execPath, '-e', BUSY]]
        : [process.execPath, ['-e', BUSY]]
    return spawn(program as string, words as string[], { stdio: 'ignore' })
  })
}

async function whenItFails(clone: string, file: string): Promise<string> {
  const alone = countFailures(clone, file)
  const busy = startBusyLoops(2 * os.availableParallelism())
  const loaded = countFailures(clone, file)
  busy.forEach((loop) => loop.kill())
  const counts = `${alone} of ${TRIES} alone, ${loaded} of ${TRIES} under load`
  if (alone === TRIES && loaded === TRIES) return `fails always (${counts})`
  if (alone === 0 && loaded > 0) return `fails under load (${counts})`
  if (alone + loaded === 0) return `fails less than once in ten (${counts})`
  return `fails now and then (${counts})`
}

function countFailures(clone: string, file: string): number {
  const script = isFullFile(file) ? 'test:full' : 'test'
  const codes = Array.from({ length: TRIES }, () => {
    const words = ['run', '--silent', script, '--', '--once', file]
    const { status, stdout } = spawnSync('npm', words, { cwd: clone, encoding: 'utf8', env: ENV })
    if (status !== 0) say(stdout)
    return status
  })
  return codes.filter((code) => code !== 0).length
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
