/** The feed of client profiles: used where its signature is good, and kept for starts while it is away. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import type { Logger } from 'pino'
import { until } from '../../../test/support/until.ts'
import { readConfig } from '../../config/config.ts'
import { pairOfSeed, signBytes } from '../../kit/ed25519.ts'
import { feedOf } from './clients-feed.ts'
import { CLIENT_PROFILES } from './clients.ts'
import { readClients, readPlatformSettings, watchClients } from './settings.ts'

const PAIR = pairOfSeed(randomBytes(32))
const OTHER = pairOfSeed(randomBytes(32))
const NEVER = new AbortController().signal
const TEXT = JSON.stringify(CLIENT_PROFILES)
const NEWER = JSON.stringify(
  CLIENT_PROFILES.map((each) => ({
    ...each,
    context: { ...each.context, clientVersion: '99.1' },
  })),
)

const signed = (text: string, pair = PAIR): string =>
  signBytes(pair, Buffer.from(text)).toString('base64')

/** Serves what `files` holds by path; what is not there is 404. */
async function serving(t: TestContext) {
  const files = new Map<string, string>()
  let onHung: (() => void) | null = null
  const server = http.createServer((request, response) => {
    if (onHung !== null) return onHung()
    const content = files.get(request.url ?? '')
    response.writeHead(content === undefined ? 404 : 200).end(content)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'scriptorium-feed-'))
  t.after(async () => {
    server.closeAllConnections()
    server.close()
    await fs.rm(folder, { recursive: true })
  })
  const { port } = server.address() as AddressInfo
  const config = readConfig({
    PLATFORM_CLIENTS: `http://127.0.0.1:${port}/clients.json`,
    PLATFORM_CLIENTS_KEY: PAIR.publicKey.toString('base64'),
    DATA_DIR: folder,
  })
  const put = (text: string, signature = signed(text)): void => {
    files.set('/clients.json', text)
    files.set('/clients.json.sig', `${signature}\n`)
  }
  const hang = (): Promise<void> => new Promise((asked) => (onHung = asked))
  return { files, put, config, folder, hang }
}

test('profiles come from the feed only where they are signed, whole and right', async (t) => {
  const { files, put, config } = await serving(t)
  put(TEXT)
  assert.deepEqual(await readClients(config, NEVER), CLIENT_PROFILES)
  const wrong: [string, () => void, RegExp][] = [
    ['another key', () => put(TEXT, signed(TEXT, OTHER)), /not signed by PLATFORM_CLIENTS_KEY/],
    ['another text', () => put(NEWER, signed(TEXT)), /not signed by PLATFORM_CLIENTS_KEY/],
    ['no signature', () => put(TEXT, ''), /not signed by PLATFORM_CLIENTS_KEY/],
    ['a signed mistake', () => put('[]'), /no client with "use": "date_and_lists"/],
    ['too much', () => put('x'.repeat(300_000)), /has more than 262144 bytes/],
    ['a missing signature', () => files.delete('/clients.json.sig'), /\.sig cannot be read.*404/],
  ]
  for (const [what, change, sentence] of wrong) {
    put(TEXT)
    change()
    await assert.rejects(readClients(config, NEVER), sentence, what)
  }
})

test('no start waits for a feed: it begins with the last good one, and a newer one is used at once', async (t) => {
  const { files, put, config } = await serving(t)
  assert.equal((await readPlatformSettings(config)).clients, null, 'the release’s own')
  put(TEXT)
  const used: string[] = []
  const logged: string[] = []
  const log = {
    info: () => logged.push('used'),
    error: ({ reason }: { reason: string }) => logged.push(reason),
  } as unknown as Logger
  const end = watchClients(config, {
    inUse: null,
    log,
    everyMs: 1,
    use: (profiles) => used.push(String(profiles[0]?.context.clientVersion)),
  })
  t.after(end)
  await until('the first ones are used', () => used.length === 1)
  files.clear()
  await until('that it is away is logged', () => logged.some((line) => /cannot be read/.test(line)))
  assert.deepEqual((await readPlatformSettings(config)).clients, CLIENT_PROFILES, 'kept')
  put(NEWER)
  await until('newer ones are used', () => used.length === 2)
  assert.deepEqual(used, [CLIENT_PROFILES[0]?.context.clientVersion, '99.1'])
})

test('a watch that ends while the feed is asked logs nothing', async (t) => {
  const { config, hang } = await serving(t)
  const logged: string[] = []
  const log = { error: ({ reason }: { reason: string }) => logged.push(reason) }
  const asked = hang()
  const end = watchClients(config, {
    inUse: null,
    log: log as unknown as Logger,
    use: () => undefined,
  })
  await asked
  end()
  await new Promise((turn) => setImmediate(turn))
  assert.deepEqual(logged, [])
})

test('what was kept is believed only by its signature', async (t) => {
  const { put, config, folder } = await serving(t)
  put(TEXT)
  await readClients(config, NEVER)
  const [file] = await fs.readdir(folder)
  const kept = path.join(folder, String(file))
  const forged = (await fs.readFile(kept, 'utf8')).replaceAll('VISIONOS', 'FORGED')
  await fs.writeFile(kept, forged)
  assert.equal((await readPlatformSettings(config)).clients, null)
})

test('an address needs https and a key; a path is a file', () => {
  const folder = '/nowhere'
  const key = PAIR.publicKey.toString('base64')
  assert.equal(feedOf('/etc/scriptorium/clients.json', { key: null, folder }), null)
  assert.equal(feedOf('clients.json', { key, folder }), null)
  assert.equal(
    feedOf('https://example.org/a.json', { key, folder })?.url,
    'https://example.org/a.json',
  )
  assert.throws(() => feedOf('http://example.org/a.json', { key, folder }), /has to be an https/)
  assert.throws(
    () => feedOf('https://me:hidden@example.org/a.json', { key, folder }),
    (error: Error) => /user or password/.test(error.message) && !error.message.includes('hidden'),
  )
  assert.throws(
    () => feedOf('https://example.org/a.json', { key: null, folder }),
    /PLATFORM_CLIENTS_KEY has to be set/,
  )
})
