/** The conformance kit as an operator runs it: from outside, with several keys, at the real pace. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { truthOf } from '../../emulator/truth.ts'
import { issueKey } from '../../src/features/accounts/keys.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { testService } from '../support/service.ts'

const KEYS = 20
const MAIN = path.resolve(import.meta.dirname, '../../tools/conformance/main.ts')

const { database, platform, address, customer } = await testService({ after })

async function run(...args: string[]): Promise<{ code: number; said: string }> {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { code: Number(code), said }
}

test('a deployment that keeps the contract is told so, rule by rule', async () => {
  const first = await customer('5', { isLimited: true })
  const [second, empty, small] = [await customer('1'), await customer('0'), await customer('0.02')]
  const more = await Promise.all(
    Array.from({ length: KEYS - 1 }, (_, at) =>
      transact(database.db, (tx) => issueKey(tx, { accountId: first.accountId, name: `${at}` })),
    ),
  )
  const { videos } = truthOf(platform.world, { limit: 200 })
  const videoIds = videos
    .filter(({ status }) => status === 'success')
    .slice(0, 2)
    .map(({ videoId }) => videoId)
  const { code, said } = await run(
    '--base-url',
    address,
    ...[first.apiKey, ...more.map(({ apiKey }) => apiKey)].flatMap((key) => ['--api-key', key]),
    '--second-key',
    second.apiKey,
    '--empty-key',
    empty.apiKey,
    '--small-key',
    small.apiKey,
    '--videos',
    videoIds.join(','),
  )
  assert.equal(code, 0, said)
  assert.match(said, /^\d+ rules kept, 0 broken, 0 skipped/m)
})
