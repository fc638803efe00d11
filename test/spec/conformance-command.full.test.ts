/** The conformance kit as an operator runs it, for one rule. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { sharedService } from '../support/shared-service.ts'

const MAIN = path.resolve(import.meta.dirname, '../../tools/conformance/main.ts')

const { database, address, customer } = await sharedService({ after })

async function run(...args: string[]): Promise<{ code: number; said: string }> {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { code: Number(code), said }
}

/** Options that choose one rule, which a customer's key decides. */
const RULE = ['--only', 'X-RateLimit-Limit is 60']

test('a deployment that keeps a rule is told so', async () => {
  const { code, said } = await run(
    '--base-url',
    address,
    '--api-key',
    (await customer('1', { isLimited: true })).apiKey,
    ...RULE,
  )
  assert.equal(code, 0, said)
  assert.match(said, /^[1-9]\d* rules? kept, 0 broken/m)
})

test('a deployment that breaks a rule is told which', async () => {
  const buyer = await customer('1', { isLimited: true })
  await database.pool.query('update api_key set bucket_size = 50 where account_id = $1', [
    buyer.accountId,
  ])
  const { code, said } = await run(
    '--base-url',
    `${address}/api/v1/`,
    '--api-key',
    buyer.apiKey,
    ...RULE,
  )
  assert.equal(code, 1, said)
  assert.match(said, /^BROKEN X-RateLimit-Limit is 60/m)
})
