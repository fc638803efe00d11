/** What the doctor recorded is served again: replies in their order, faults as they were, and each route for itself. */
import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { Agent } from 'undici'
import type { FaultRule } from '../../emulator/faults.ts'
import { serveRecording } from '../../emulator/replay/serving.ts'
import { startEmulator } from '../../emulator/server.ts'
import { exchange, type OnExchange, type WireReply } from '../../src/platform/egress/connections.ts'
import { decode } from '../../src/platform/egress/content.ts'
import { readRoutes } from '../../src/platform/egress/route.ts'
import { openRecording } from '../../src/platform/recording/recording.ts'
import { CLIENT_PROFILES, type ClientProfile } from '../../src/platform/youtube/clients.ts'
import { examinePlatform } from '../../src/platform/youtube/doctor.ts'
import { writeCall } from '../../src/platform/youtube/innertube.ts'
import { openParts } from '../../src/platform/youtube/open-platform.ts'
import { localBudget, NEVER } from './near-platform.ts'

type Made = Parameters<OnExchange>[0]

async function newFolder(t: TestContext): Promise<string> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'scriptorium-replay-'))
  t.after(() => fs.rm(folder, { recursive: true }))
  return folder
}

/** Records these exchanges and serves them; `ask` makes a request to what is served. */
async function replayed(t: TestContext, made: Made[]) {
  const folder = await newFolder(t)
  const recording = await openRecording(folder)
  for (const each of made) recording.onExchange(each)
  assert.deepEqual(await recording.write(), { files: made.length, leftOut: 0 })
  const lines: string[] = []
  const served = await serveRecording({ folder, onUnrecorded: (line) => lines.push(line) })
  const agent = new Agent()
  t.after(async () => {
    await agent.destroy()
    await served.close()
  })
  const { origin } = served
  const options = { signal: NEVER, requestMs: 2_000, now: () => new Date() }
  const ask = (request: Made['request']): Promise<WireReply> =>
    exchange(agent, { ...request, origin }, options)
  return { ask, lines }
}

const [CLIENT] = CLIENT_PROFILES as [ClientProfile]

function playerCall(videoId: string, asked: { visitor?: string; fields?: string } = {}) {
  const call = { name: 'player', client: CLIENT, body: { videoId }, fields: asked.fields ?? null }
  return writeCall(call as Parameters<typeof writeCall>[0], {
    visitorData: asked.visitor ?? null,
    bytesMax: 1_000_000,
  })
}

function replyWith(text: string, status = 200): WireReply {
  const head = { status, location: null, retryAfterMs: null, lastModified: null, etag: null }
  const raw = Buffer.from(text)
  return { kind: 'reply', ...head, content: { raw, encoding: null }, bytes: raw.length }
}

const [ROUTE] = readRoutes('direct') as [Made['route']]
const made = (request: Made['request'], reply: WireReply): Made => ({
  route: ROUTE,
  request,
  reply,
})

function valueIn(reply: WireReply): unknown {
  assert.ok(reply.kind === 'reply')
  const decoded = decode(reply.content, 1_000_000)
  return decoded.kind === 'bytes' ? JSON.parse(decoded.bytes.toString()) : null
}

test('equal requests get their replies in order, the last one again, and others what differs least', async (t) => {
  const [one, two] = ['CgtUaGVGaXJzdE9uZQ', 'CgtUaGVTZWNvbmRPbg']
  const { ask, lines } = await replayed(t, [
    made(playerCall('video000001', { visitor: one }), replyWith('{"n":1}')),
    made(playerCall('video000001', { visitor: two }), replyWith('{"n":2}')),
    made(playerCall('video000001', { visitor: two }), replyWith('{"n":3}')),
    made(playerCall('video000001', { fields: 'a,b' }), replyWith('{"n":4}')),
  ])
  const bare = { ...playerCall('video000001'), headers: {} }
  const as = (visitor: string) => playerCall('video000001', { visitor })
  const seen = []
  for (const request of [
    as('pseudonym-visitor-2'),
    as('pseudonym-visitor-2'),
    as('pseudonym-visitor-2'),
    as('pseudonym-visitor-1'),
    as('another-visitor'),
    playerCall('video000001', { fields: 'a,b' }),
    playerCall('video000001', { fields: 'c' }),
    { ...bare, path: '/youtubei/v1/player?prettyPrint=false&$fields=a,b' },
  ])
    seen.push((valueIn(await ask(request)) as { n: number }).n)
  assert.deepEqual(seen, [2, 3, 3, 1, 1, 4, 1, 4])
  const newer = playerCall('video000001')
  const body = String(newer.body).replace(/(?<="clientVersion":")[^"]+/, '99.1')
  assert.deepEqual(valueIn(await ask({ ...newer, body })), { n: 1 })
  assert.deepEqual(lines, [])
  assert.deepEqual(valueIn(await ask(playerCall('video000002'))), {
    responseContext: { visitorData: 'CgtyZXBsYXlfdmlzaQ%3D%3D' },
    playabilityStatus: { status: 'ERROR', reason: 'This video is unavailable' },
  })
  assert.match(lines.join('\n'), /^not recorded: POST \/youtubei\/v1\/player .*video000002/)
})

test('a refusal comes back with its status, and what broke breaks the same way', async (t) => {
  const failures = ['unreachable', 'timed_out', 'truncated', 'too_large'] as const
  const refused = { ...replyWith('{"error":{}}', 429), retryAfterMs: 61_500 } as WireReply
  const { ask } = await replayed(t, [
    ...failures.map((failure) => made(playerCall(failure), { kind: 'broken', failure, bytes: 0 })),
    made(playerCall('refused'), refused),
  ])
  for (const failure of failures) {
    const reply = await ask(playerCall(failure))
    assert.equal(reply.kind === 'broken' && reply.failure, failure)
  }
  const reply = await ask(playerCall('refused'))
  assert.ok(reply.kind === 'reply')
  assert.deepEqual([reply.status, reply.retryAfterMs], [429, 62_000])
})

test('a folder that holds anything is refused, in a sentence', async (t) => {
  const folder = await newFolder(t)
  await fs.writeFile(path.join(folder, 'notes.txt'), '')
  await assert.rejects(
    openRecording(folder),
    /--record: the folder .* is not empty; name a new one/,
  )
  await assert.rejects(
    serveRecording({ folder, onUnrecorded: () => {} }),
    /--replay: .* holds no recording/,
  )
})

/** Runs the doctor; `said` is what it found, without the proxies' addresses. */
async function examined(origin: string, routes: string, onExchange: OnExchange | null = null) {
  const parts = openParts({
    origin,
    routes: readRoutes(routes),
    budget: localBudget(),
    clients: null,
    now: () => new Date(),
    limits: { retryPauseMs: 1 },
    onExchange,
  })
  try {
    const {
      verdict,
      faults,
      routes: found,
    } = await examinePlatform(parts, {
      channel: null,
      signal: NEVER,
    })
    return { verdict, faults, parts: found.map(({ route, parts: of }) => ({ route, of })) }
  } finally {
    await parts.routePool.close()
  }
}

test('two routes of which one is refused are examined alike, hours later and without the platform', async (t) => {
  const faults: FaultRule[] = [
    { do: 'forbidden', on: 'player', client: 'ANDROID', identity: '127.0.0.3' },
    { do: 'retired', on: 'player', client: 'IOS' },
    { do: 'reset', on: 'visitor_id', client: 'MWEB', identity: '127.0.0.2' },
    { do: 'server_error', on: 'timedtext', client: 'VISIONOS', times: 1 },
    { do: 'truncated', on: 'browse', client: 'WEB', identity: '127.0.0.3' },
  ]
  const emulator = await startEmulator({ exits: 2, faults, knobs: { tellsAddress: true } })
  const folder = await newFolder(t)
  const recording = await openRecording(folder)
  const names = ['proxy1', 'proxy2']
  const routes = emulator.exits.map((exit, at) => `${exit}#name=${names[at]}&ratePerMinute=60000`)
  const first = await examined(emulator.origin, routes.join(' '), recording.onExchange)
  await recording.write()
  await emulator.close()
  assert.equal(first.verdict, 'degraded')
  assert.ok(first.faults.length >= 4, JSON.stringify(first.faults))

  const lines: string[] = []
  const served = await serveRecording({ folder, onUnrecorded: (line) => lines.push(line) })
  t.after(() => served.close())
  assert.deepEqual(await examined(served.origin, served.routes ?? ''), first)
  assert.deepEqual(lines, [])
})
