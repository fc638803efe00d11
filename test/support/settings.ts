/** Settings of the services that tests start, in this process or in one of their own. */
import { type Config, deadlinesOf, readConfig } from '../../src/config/config.ts'

/** Factor that keeps a slow machine from the product's deadlines; tests of the deadlines themselves set their own. */
const PATIENCE = 6

export const TEST_DEADLINES = deadlinesOf(PATIENCE)

export const TEST_SETTINGS = {
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
