/** Settings of the services that tests start, in this process or in one of their own. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Config, deadlinesOf, readConfig } from '../../src/config/config.ts'

/** Factor that keeps a slow machine from the product's deadlines; tests of the deadlines themselves set their own. */
const PATIENCE = 6

export const TEST_DEADLINES = deadlinesOf(PATIENCE)

/** The folder in which services of this process remember what they told; it goes with the process. */
const DATA_DIR = path.join(os.tmpdir(), `scriptorium-data-${process.pid}`)
process.once('exit', () => fs.rmSync(DATA_DIR, { recursive: true, force: true }))

export const TEST_SETTINGS = {
  DATA_DIR,
  PORT: '0',
  STOP_NOTICE: '0',
  /** Half of the default: each connection costs a process of PostgreSQL's. Races ask more than these can serve. */
  DATABASE_POOL: '6',
  DATABASE_PATIENCE: String(PATIENCE),
  LOG_LEVEL: 'silent',
}

/** Reads settings as the product does; what `env` does not set is as tests need it. */
export function testConfig(env: NodeJS.ProcessEnv = {}): Config {
  return readConfig({ ...TEST_SETTINGS, ...env })
}
