/** What `npm start` prints for people: on a terminal with the link to the first account, elsewhere without a secret. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { cliUser } from '../clients/cli-command.ts'
import { inTerminal, screenOf } from '../clients/terminal-screen.ts'
import { testDatabase } from '../support/database.ts'
import { launch, untilReady } from '../support/service-process.ts'
import { until } from '../support/until.ts'

const START = path.resolve(import.meta.dirname, '../../tools/scripts/start.ts')
const { url } = await testDatabase({ after })
const user = cliUser({ after }, { HOME: os.homedir(), DATABASE_URL: url, PORT: '0' })

test('a terminal shows the link that makes the first account, and the log beside it', async () => {
  const run = inTerminal(user, { columns: 400 }, [process.execPath, START])
  await until('the lines are printed', () => run.raw().includes('Emails '))
  const lines = screenOf(run.raw())
  const link = lines.map((line) =>
    /none yet; (http:\/\/localhost:\d+)\/sign-up#code=[\w-]{43} /.exec(line),
  )
  const [, origin = ''] = link.find((found) => found !== null) ?? []
  assert.ok(
    lines.some((line) => line === `  Website   ${origin}`),
    lines.join('\n'),
  )
  const visit = await (await fetch(`${origin}/account/session`)).json()
  assert.equal((visit as { isFirstRun: boolean }).isFirstRun, true)
  await until('the log goes on', () => run.raw().includes('scriptorium is ready'))
  const shown = screenOf(run.raw())
  assert.ok(!shown.some((line) => line.startsWith('{')), 'a terminal has no JSON')
  const greeted = shown.findIndex((line) => line.startsWith('  Website'))
  const ready = shown.findIndex((line) => / INFO {2}scriptorium is ready /.test(line))
  assert.ok(greeted >= 0 && greeted < ready, 'the lines for people come first')
  run.types('\u0003')
  await run.ended
})

test('in a file stand the log alone on standard output, and the lines without a code on standard error', async () => {
  const one = launch({ DATABASE_URL: url }, { isGroup: true })
  await untilReady(one)
  await until('the lines are printed', () => one.noise.some((line) => line.includes('Emails ')))
  const told = one.noise.join('\n')
  assert.match(told, /Accounts {2}none yet; npm run --silent admin -- account create --email/)
  assert.ok(!told.includes('code='))
  const closed = once(one.child, 'close')
  one.signals('SIGTERM')
  await closed
})
