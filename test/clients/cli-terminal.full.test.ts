/** The command line on terminals of many kinds: what they show, what Ctrl-C does, and what is asked. */
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { testService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { CLI_SOURCE, cliUser } from './cli-command.ts'
import { drawnLines, inTerminal, screenOf, type TerminalRun } from './terminal-screen.ts'

/**
 * Each video takes at least two requests, which last longer than the pause between two looks: one of the looks shows
 * the bar.
 */
const LATENCY_MS = 5_000
const COMMAND = [process.execPath, CLI_SOURCE]

const it = await testService({ after })
const customer = await it.customer()
const user = cliUser(
  { after },
  { SCRIPTORIUM_URL: it.address, SCRIPTORIUM_API_KEY: customer.apiKey },
)

beforeEach(() => answersAfter(LATENCY_MS))

test('on a terminal one line is drawn, and only the outcome stays', async () => {
  const run = getsIn({ columns: 80 }, 'https://www.youtube.com/@dailynotes', '30')
  await draws(run, /[━─] {2}\d+ of 30/)
  answersAfter(0)
  assert.equal(await run.ended, 3, run.raw())
  const drawn = drawnLines(run.raw())
  assert.ok(
    drawn.some((line) => /\u001b\[36m━*\u001b\[39m─* {2}\d+ of 30 {2}/.test(line)),
    run.raw(),
  )
  assert.deepEqual(
    drawn.map(plain).filter((line) => line.length > 79),
    [],
  )
  const screen = screenOf(run.raw())
  assert.match(screen[0] ?? '', /^Job [\w-]{36}: at most 30 videos, \$0\.24$/)
  assert.match(screen[1] ?? '', /^\d+ files written to talks, \$0\.\d+$/)
  assert.ok(!screen.some((line) => /[━─]/.test(line)), screen.join('\n'))
})

test('in 40 columns, the C locale and NO_COLOR it is short, plain ASCII', async () => {
  const env = { LC_ALL: 'C', NO_COLOR: '1' }
  const run = getsIn({ columns: 40, env }, 'https://www.youtube.com/@中村のあそびば', '20')
  await draws(run, /[#.] {2}\d+ of/)
  answersAfter(0)
  const code = await run.ended
  assert.ok(code === 0 || code === 3, run.raw())
  const drawn = drawnLines(run.raw())
  assert.ok(
    drawn.some((line) => /^#*\.* {2}\d+ of \d+/.test(line)),
    run.raw(),
  )
  assert.deepEqual(
    drawn.filter((line) => line.length > 39),
    [],
  )
  assert.doesNotMatch(run.raw().replaceAll('\u001b[K', ''), /[^\r\n\x20-\x7e]/)
})

test('a terminal that cannot redraw gets whole lines', async () => {
  answersAfter(0)
  const url = 'https://www.youtube.com/@tallerpequeno'
  const run = getsIn({ columns: 80, env: { TERM: 'dumb' } }, url, '5')
  const code = await run.ended
  assert.ok(code === 0 || code === 3, run.raw())
  assert.doesNotMatch(run.raw(), /\u001b/)
})

test('Ctrl-C says how to go on, and the same command does', async () => {
  const url = 'https://www.youtube.com/@quickclips'
  const first = getsIn({ columns: 80 }, url, '40')
  await draws(first, /[━─]/)
  first.types('\u0003')
  assert.equal(await first.ended, 130, first.raw())
  const [job = '', ...sentences] = screenOf(first.raw().replaceAll('^C', ''))
  const [, id] = /^Job ([\w-]{36}):/.exec(job) ?? []
  assert.deepEqual(
    sentences.join(' '),
    [
      'Interrupted; the job keeps running at the service. Run the same command again to continue; nothing is bought twice.',
      `To end it: scriptorium cancel ${id}`,
    ].join(' '),
  )

  answersAfter(0)
  const second = getsIn({ columns: 80 }, url, '40')
  await second.ended
  assert.match(screenOf(second.raw())[0] ?? '', new RegExp(`^Continuing job ${id} of \\d{4}-`))
  const { jobs } = await customer.gets('/jobs')
  assert.equal(jobs.filter(({ input }: any) => input.urls[0] === url).length, 1)
})

test('a restart of the service is waited out, and nothing is bought twice', async () => {
  const url = 'https://www.youtube.com/@longformonly'
  const { ended } = user.starts('get', url, '--max', '60', '--out', 'long')
  const mine = async () => {
    const { jobs } = await customer.gets('/jobs')
    return jobs.filter(({ input }: any) => input.urls[0] === url)
  }
  await until('the job delivers', async () => (await mine())[0]?.progress.delivered > 0)
  const { port } = new URL(it.address)
  await it.service.close()
  await it.another({ PORT: port })
  answersAfter(0)
  const { code, stderr } = await ended
  assert.ok(code === 0 || code === 3, stderr)
  const [job, ...others] = await mine()
  assert.equal(others.length, 0)
  assert.equal(user.files('long').length, job.progress.delivered)
})

test('login --key asks for the key and shows nothing of it', async () => {
  const one = cliUser({ after }, { SCRIPTORIUM_URL: it.address })
  const run = inTerminal(one, { columns: 80 }, [...COMMAND, 'login', '--key'])
  await until('the key is asked for', () => run.raw().includes('API key: '))
  run.types(`${customer.apiKey}x\u007f\r`)
  assert.equal(await run.ended, 0, run.raw())
  assert.ok(!run.raw().includes(customer.apiKey.slice(3, 12)))
  assert.equal((await one.runs('balance')).code, 0)
})

function getsIn(
  look: { columns: number; env?: Record<string, string> },
  url: string,
  max: string,
): TerminalRun {
  return inTerminal(user, look, [...COMMAND, 'get', url, '--max', max, '--out', 'talks'])
}

/** Sets the platform's latency from now on. */
function answersAfter(latencyMs: number): void {
  it.platform.apply({ knobs: { latencyMs } })
}

async function draws(run: TerminalRun, bar: RegExp): Promise<void> {
  await until('the bar is drawn', () => bar.test(run.raw()))
}

function plain(line: string): string {
  return line.replace(/\u001b\[[\d;]*m/g, '')
}
