/**
 * Access to an embedded server: only with its password. Where `pg_hba.conf` is not the one for the site's password, a
 * single-user server sets the password before the start. So data folders of older versions get a
 * password, and the next start repairs a crash in the middle or a removed password file.
 */
import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Binaries } from './binaries.ts'
import type { OsUser } from './os-user.ts'
import { runProgram } from './programs.ts'
import { DATABASE_ROLE, type Site } from './site.ts'

/** Settings that keep the password out of every log, whatever the cluster's own settings say. */
const QUIET = {
  password_encryption: 'scram-sha-256',
  log_statement: 'none',
  log_min_error_statement: 'panic',
  log_destination: 'stderr',
  logging_collector: 'off',
}

/**
 * Makes the cluster ask for the site's password, where it does not already. Call it in one's turn, while no server
 * runs. Returns null, or what PostgreSQL said where it refused.
 */
export async function requirePassword(
  site: Site,
  { postgres }: Binaries,
  osUser: OsUser | null,
): Promise<string | null> {
  if (process.platform === 'win32') return null // initdb was given the password
  const file = path.join(site.cluster, 'pg_hba.conf')
  const rules = rulesFor(site.password)
  if (fs.readFileSync(file, 'utf8') === rules) return null

  const settings = Object.entries(QUIET).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { status, output } = await runProgram(site.cluster, {
    file: postgres,
    args: (folder) => ['--single', '-D', folder, ...settings, 'postgres'],
    osUser,
    input: `alter role ${DATABASE_ROLE} password '${site.password}'\n`,
  })
  if (status !== 0 || /\b(?:ERROR|FATAL|PANIC):/.test(output)) return output
  // The file is written in the data folder and renamed, since a path in the cluster may be another user's link.
  const draft = path.join(site.dataDir, `postgres-rules.${randomBytes(6).toString('hex')}`)
  try {
    fs.writeFileSync(draft, rules, { mode: 0o600, flag: 'wx', flush: true })
    if (osUser !== null) fs.chownSync(draft, osUser.uid, osUser.gid)
    fs.renameSync(draft, file)
  } finally {
    fs.rmSync(draft, { force: true })
  }
  return null
}

/**
 * Returns the rules, which name the password by its hash, so that a new password is noticed. The hash does not reveal
 * 192 random bits.
 */
function rulesFor(password: string): string {
  const hash = createHash('sha256').update(password).digest('hex')
  return [
    `# Written by Scriptorium before each start, for the password with the SHA-256 ${hash}.`,
    'local  all  all       scram-sha-256',
    'host   all  all  all  scram-sha-256',
    '',
  ].join('\n')
}
