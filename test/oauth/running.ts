/** Shared by the tests of apps: the service, members of it, and calls with a token. */
import { after } from 'node:test'
import { startMailBox } from '../account/mail-box.ts'
import { membersOf, visitorsOf } from '../account/visitor.ts'
import { testService } from '../support/service.ts'
import { sql } from 'kysely'
import { until } from '../support/until.ts'

export const mailBox = await startMailBox({ after })
export const running = await testService(
  { after },
  { env: { ...mailBox.env, WELCOME_CREDIT_USD: '1', WEBHOOK_ALLOW_PRIVATE: 'true' } },
)
export const { origin, visitor } = visitorsOf(running)
export const { db } = running.database
/** A second process of the same service. */
export const other = await running.another({ PUBLIC_URL: origin, ROLES: 'api' })

const member = membersOf(running, mailBox)
export const anna = await member('anna@example.org')
export const ben = await member('ben@example.org')
export const cleo = await member('cleo@example.org')
export const dora = await member('dora@example.org')
export const eve = await member('eve@example.org')
export const fay = await member('fay@example.org')

export function calls(token: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${origin}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

export async function statusOf(token: string, path = '/balance'): Promise<number> {
  return (await calls(token, path)).status
}

export async function untilJobsEnd(): Promise<void> {
  await until('its jobs ended', async () => {
    const { rows } = await sql<{ open: number }>`
      select count(*)::int as open from job where finished_at is null`.execute(db)
    return rows[0]?.open === 0
  })
}
