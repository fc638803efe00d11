/** A test process that is killed outright leaves none of the processes that it launched. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { test } from 'node:test'
import { testDatabase } from '../support/database.ts'
import { isRunning } from '../support/service-process.ts'
import { until } from '../support/until.ts'

const LAUNCHER = path.join(import.meta.dirname, 'launcher-process.ts')

for (const how of ['process', 'group'] as const)
  test(`a ${how} ends with whoever launched it, even where that is killed`, async (t) => {
    const { url, pool } = await testDatabase(t)
    const launcher = spawn(process.execPath, [LAUNCHER, url, how], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(launcher, 'exit')
    const [said] = (await once(launcher.stdout, 'data')) as [Buffer]
    const pid = Number(said.toString())
    const target = how === 'group' ? -pid : pid
    t.after(() => {
      if (isRunning(target)) process.kill(target, 'SIGKILL')
    })
    const isAtWork = async (): Promise<boolean> => {
      const { rows } = await pool.query(
        `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      )
      return rows.length > 0
    }
    await until('the service is on the database', isAtWork)
    assert.ok(isRunning(target))

    launcher.kill('SIGKILL')
    await ended
    await until('nobody of it is left', () => !isRunning(target))
    await until('its connections are gone', async () => !(await isAtWork()))
  })
