/** `npm run demo` as its user starts it: what it prints first, and what it leaves behind. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { Scriptorium } from '../../clients/typescript/src/index.ts'
import { bareEnvironment } from '../support/service-process.ts'
import { until } from '../support/until.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'demos-'))
after(() => fs.rmSync(folder, { recursive: true }))

/** Starts the demo in a process group of its own, as a terminal does. */
function start(...more: string[]) {
  const child = spawn('npm', ['run', '-s', 'demo', '--', ...more], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...bareEnvironment(), HOME: os.homedir(), TMPDIR: folder, PORT: '0' },
  })
  after(() => endGroup(child, 'SIGKILL'))
  let text = ''
  child.stdout.on('data', (chunk) => (text += String(chunk)))
  return { child, printed: () => text, closed: once(child, 'close') }
}

function endGroup({ pid = 0 }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

test('it prints a link that signs in to a library worth looking at, and a signal to its group leaves nothing', async () => {
  const { child, printed, closed } = start()
  await until('the demo has told everything', () => printed().includes('Ctrl-C ends it'))
  const [, ...told] = printed().split('\n\n')
  const link = /^Open +(http:\/\/localhost:\d+\/[\w-]{43})\n/.exec(told[0] ?? '')?.[1]
  assert.ok(link, 'the link stands before everything else')
  assert.ok(!printed().includes('balance covers'))
  assert.match(printed(), /^Charged \$0\.\d+: \d+ transcripts at \$0\.008$/m)
  assert.ok(printed().split('\n').length < 40)

  const { status, headers } = await fetch(link, { redirect: 'manual' })
  assert.deepEqual([status, new URL(headers.get('location') ?? '').pathname], [303, '/library'])
  const [, baseUrl = '', apiKey = ''] = /API {2}(\S+) +key (\S+)/.exec(printed()) ?? []
  const client = new Scriptorium({ baseUrl, apiKey })
  const { collections } = await client.library.list({ limit: 50 })
  assert.ok(collections.filter(({ kind }) => kind === 'channel').length >= 4)
  assert.ok(collections.some(({ kind }) => kind === 'playlist'))
  assert.ok(new Set(collections.flatMap(({ languages }) => languages)).size >= 4)

  const bought: string[] = []
  let owned = 0
  const { jobs } = await client.jobs.list({ limit: 50 })
  for (const { id } of jobs)
    for await (const { status, videoId } of client.jobs.results(id)) {
      if (status === 'success') bought.push(videoId ?? '')
      if (status === 'unchanged') owned += 1
    }
  assert.equal(new Set(bought).size, bought.length, 'no text is paid for twice')
  assert.ok(owned >= 10, 'and the playlist shows that')

  endGroup(child, 'SIGTERM')
  await closed
  assert.deepEqual(left(), [])
})

test('once, it checks itself and leaves nothing', async () => {
  const { child, closed } = start('--once')
  await closed
  assert.equal(child.exitCode, 0)
  assert.deepEqual(left(), [])
})

test('stopped while it starts, it leaves nothing', async () => {
  const { child, closed } = start('--once')
  await until('the demo has its folder', () => left().length > 0)
  child.kill('SIGTERM')
  await closed
  assert.deepEqual(left(), [])
})

function left(): string[] {
  return fs.readdirSync(folder).filter((name) => name.startsWith('scriptorium-demo-'))
}
