/**
 * Reads the environment into Config, as the only reader of `process.env`. A wrong value stops the start with one
 * sentence that names the variable. The variables are in config/variables.ts, limits that are no settings in
 * config/limits.ts; both are exported here.
 */
import path from 'node:path'
import { type Deadlines, deadlinesOf } from './limits.ts'
import { SETTINGS } from './variables.ts'
import { ConfigError } from '../kit/settings.ts'

export { type Deadlines, deadlinesOf, LIMITS } from './limits.ts'
export { LOG_LEVELS, ROLES, SETTINGS } from './variables.ts'

type Values = { [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name]['default'] }

/** Variables that other people's programs are given: where programs and the home are, and the language. */
const OF_PROGRAMS = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR']

/** Returns the environment for a program of others, which learns none of the service's settings. */
export function programEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(OF_PROGRAMS.flatMap((name) => (name in env ? [[name, env[name]]] : [])))
}

/** The cost N of scrypt that better-auth uses. */
const PASSWORD_COST = 16_384

export type Config = Values & {
  MAIL_DIR: string
  /**
   * The cost of a password's hash: scrypt's N. No variable sets it; tests that sign many people up pass a lower one.
   */
  passwordCost: number
  /** All of `LIMITS.deadlines`, multiplied by DATABASE_PATIENCE. */
  deadlines: Deadlines
}

/**
 * Reads the environment. Throws ConfigError with one sentence for the first wrong variable; an
 * empty variable counts as unset. Paths become absolute.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const entries = Object.entries(SETTINGS).map(([name, setting]) => {
    const { [name]: text = '' } = env
    if (text === '') return [name, setting.default]
    try {
      return [name, setting.parse(text)]
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      throw new ConfigError(`${name} ${error.message}; unset it for ${setting.defaultText}`)
    }
  })
  const values = Object.fromEntries(entries) as Values
  // Without an address, it is null until the port is known, where PORT is 0.
  const publicUrl =
    values.PUBLIC_URL ?? (values.PORT === 0 ? null : `http://localhost:${values.PORT}`)
  const dataDir = path.resolve(values.DATA_DIR)
  return {
    ...values,
    PUBLIC_URL: publicUrl,
    passwordCost: PASSWORD_COST,
    deadlines: deadlinesOf(values.DATABASE_PATIENCE),
    DATA_DIR: dataDir,
    MAIL_DIR: path.resolve(values.MAIL_DIR ?? path.join(dataDir, 'mail')),
  }
}
