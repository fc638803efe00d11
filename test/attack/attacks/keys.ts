/** Attacks with what opens an account: keys in a circle and in a race, old sessions, the database's own door. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { backup, restore } from '../../../src/features/backup/backup.ts'
import { startMailBox } from '../../account/mail-box.ts'
import { Visitor } from '../../account/visitor.ts'
import type { ServiceProcess } from '../../support/service-process.ts'
import { testDatabase, type TestScope } from '../../support/database.ts'
import { IS_ROOT, NOBODY, temporaryFolder } from '../../support/embedded-process.ts'
import { intrude } from '../../support/intruder-process.ts'
import type { Attack, Target } from '../attack.ts'
import { IMPATIENT } from './http.ts'

const KEYS_MAX = 100

export const KEYS: readonly Attack[] = [
  {
    name: '200 keys made at once',
    class: 'keys',
    isInGate: true,
    settings: IMPATIENT,
    run: (target) =>
      scoped(async (scope) => {
        const { visitor } = await signsUp(target, scope, 'race@example.org')
        const made = await Promise.all(
          Array.from({ length: 200 }, (_, at) =>
            visitor.asks('POST', '/account/keys', { name: `${at}` }),
          ),
        )
        const { keys } = await visitor.gets('/account/keys')
        const live = keys.filter(
          (key: { revokedAt: string | null }) => key.revokedAt === null,
        ).length
        assert.ok(live <= KEYS_MAX, `the account has ${live} keys`)
        return `${made.filter(({ status }) => status === 201).length} were made`
      }),
  },
  {
    name: 'a session out of a backup',
    class: 'sessions',
    run: (target) =>
      scoped(async (scope) => {
        const { visitor } = await signsUp(target, scope, 'restored@example.org')
        const { bearer } = (await visitor.asks('POST', '/account/bearer')).body
        const file = path.join(temporaryFolder(scope), 'stolen.backup')
        await backup(target.fleet.database.pool, file)
        const other = await testDatabase({ after: () => undefined })
        await restore(other.pool, file)
        const elsewhere = await target.fleet.start({
          DATABASE_URL: other.url,
          PUBLIC_URL: visitor.origin,
        })
        scope.after(async () => {
          await elsewhere.ends('SIGTERM')
          await other.drop()
        })
        const again = new Visitor({ address: elsewhere.address, origin: visitor.origin })
        for (const [name, value] of visitor.cookies) again.cookies.set(name, value)
        assert.equal(
          (await again.gets('/account/session')).email,
          null,
          'the cookie still signs in',
        )
        assert.equal(await balance(elsewhere.address, bearer), 401, 'the bearer still calls')
        return 'cookie and bearer were refused'
      }),
  },
  {
    name: 'the embedded database from another process of its user',
    class: 'neighbours',
    isInGate: true,
    settings: IMPATIENT,
    run: (target) =>
      scoped(async (scope) => {
        if (!IS_ROOT) return 'not tried: only root can become nobody'
        const dataDir = temporaryFolder(scope)
        const service = await target.fleet.start({ DATABASE_URL: '', DATA_DIR: dataDir })
        scope.after(async () => void (await service.ends('SIGTERM')))
        const got = intrude(dataDir, NOBODY)
        assert.ok(fs.existsSync(path.join(dataDir, 'postgres')))
        assert.deepEqual(
          Object.values(got).filter((one) => one === 'in'),
          [],
          JSON.stringify(got),
        )
        return `socket ${got.guess}, password file ${got.file}`
      }),
  },
]

/** Runs `work` and then its ends in reverse order, even where it fails. */
export async function scoped<T>(work: (scope: TestScope) => Promise<T>): Promise<T> {
  const ends: (() => void | Promise<void>)[] = []
  try {
    return await work({ after: (end) => void ends.push(end) })
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

/** Signs up a new visitor at a process of the attacked service that mails to us. */
export async function signsUp(
  { fleet }: Target,
  scope: TestScope,
  email: string,
): Promise<{ visitor: Visitor; at: ServiceProcess }> {
  const mailBox = await startMailBox(scope)
  const at = await fleet.start({ ...mailBox.env, ROLES: 'api' })
  scope.after(async () => void (await at.ends('SIGTERM')))
  const visitor = new Visitor({
    address: at.address,
    origin: `http://localhost:${new URL(at.address).port}`,
  })
  await visitor.signsUp(email)
  assert.equal((await visitor.opens((await mailBox.newestTo(email)).link ?? '')).status, 200)
  return { visitor, at }
}

export async function balance(address: string, key: string): Promise<number> {
  const answer = await fetch(`${address}/api/v1/balance`, {
    headers: { Authorization: `Bearer ${key}` },
  })
  await answer.arrayBuffer()
  return answer.status
}
