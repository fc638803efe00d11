/** README's commands, word for word but for the address, the key and the channel of the emulator. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { SETTINGS } from '../../src/config/config.ts'
import { adminOn } from '../admin/admin-command.ts'
import { temporaryFolder } from '../support/embedded-process.ts'
import { needs } from '../support/needs.ts'
import { testService } from '../support/service.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const README = fs.readFileSync(path.join(ROOT, 'README.md'), 'utf8')
const blocks = [...README.matchAll(/^```(?:sh|ts)\n([\s\S]*?)^```$/gm)].map(
  ([, block = '']) => block,
)
const STAND_IN = /emulator[^.]*where `(@\w+)` takes the place of `(@\w+)`/s
const [, standIn = '', channel = ''] = STAND_IN.exec(README) ?? []

const { address, database, platform } = await testService({ after })
const { value } = adminOn(database.url)

function blockWith(word: string): string {
  const found = blocks.find((block) => block.includes(word))
  assert.ok(found !== undefined, word)
  return found
}

test('the account, the job and the ZIP come as they are written', needs('curl'), async () => {
  const [, words = ''] =
    /^npm run --silent admin -- (account create .*) --json$/m.exec(README) ?? []
  const { apiKey } = await value(...words.split(' '))
  const cwd = temporaryFolder({ after })
  const script = blockWith('curl -s')
    .replace(/(SCRIPTORIUM_API_KEY)=\S+/, `$1=${apiKey}`)
    .replace('http://localhost:8080', address)
    .replaceAll(channel, standIn)
  await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd })
  const zip = fs.readFileSync(path.join(cwd, 'transcripts.zip'))
  assert.equal(zip.subarray(0, 2).toString(), 'PK')
  assert.ok(zip.length > 10_000, `${zip.length} bytes`)
})

test('each example names the channel that exists, with a limit, and both platforms are told apart', async () => {
  const named = blocks.flatMap((block) =>
    block.split('\n').filter((line) => line.includes('youtube.com')),
  )
  assert.equal(named.length, 3)
  for (const line of named) assert.match(line, new RegExp(`${channel}\\b.*max`, 'i'))
  const world = await fetch(`${platform.origin}/emulator/world`)
  assert.ok((await world.text()).includes(standIn))
  assert.ok(README.includes('PLATFORM_ORIGIN=') && 'PLATFORM_ORIGIN' in SETTINGS)
})
