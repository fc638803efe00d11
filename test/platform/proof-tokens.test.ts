/** Tokens of proof: asked of the operator's provider where the platform wants one, and nowhere else. */
import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { type TestContext } from 'node:test'
import type { FaultRule } from '../../emulator/faults.ts'
import type { VideoAnswer } from '../../src/platform/platform.ts'
import { CLIENT_PROFILES, type ClientProfile } from '../../src/platform/youtube/clients.ts'
import { openProofTokens } from '../../src/platform/youtube/proof-tokens.ts'
import type { PlatformOptions } from '../../src/platform/youtube/open-platform.ts'
import { until } from '../support/until.ts'
import { type Near, nearPlatform, NEVER } from './near-platform.ts'

/** What a provider answers; null for never. */
type Answering = (binding: string) => { status?: number; body: unknown } | null

/** A provider whose answers a test chooses; `bindings` are what it was asked for. */
async function provider(t: TestContext, answering: Answering) {
  const bindings: string[] = []
  const waiting = new Set<http.ServerResponse>()
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { content_binding: binding } = JSON.parse(Buffer.concat(chunks).toString()) as {
      content_binding: string
    }
    bindings.push(`${request.method} ${request.url} ${binding}`)
    const answered = answering(binding)
    if (answered === null) {
      waiting.add(response)
      response.on('close', () => waiting.delete(response))
      return
    }
    const { status = 200, body } = answered
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/tokens`, bindings, waiting }
}

/** Opens the platform beside an emulator that guards all captions; its own provider is at `/emulator`. */
async function guarded(
  t: TestContext,
  guard: 'xpe' | 'xpv',
  options: Partial<PlatformOptions> = {},
): Promise<Near> {
  return nearPlatform(t, { knobs: { guardAll: true, guard } }, options)
}

function outcome(answer: VideoAnswer): string {
  if (answer.kind === 'obstructed') return `${answer.obstacle.kind}: ${answer.obstacle.text}`
  return answer.kind
}

const fetched = async (near: Near, key: string): Promise<string> =>
  outcome(await near.fetch(near.emulator.world.special(key).videoId))

/** Returns the token that the emulator's provider gives for a video. */
async function realToken({ emulator }: Near, videoId: string): Promise<string> {
  const reply = await fetch(`${emulator.origin}/emulator/get_pot`, {
    method: 'POST',
    body: JSON.stringify({ content_binding: videoId }),
  })
  const { poToken } = (await reply.json()) as { poToken: string }
  return poToken
}

for (const guard of ['xpe', 'xpv'] as const) {
  test(`captions that want a token (${guard}) come with one of the provider, and are withheld without`, async (t) => {
    const without = await guarded(t, guard)
    assert.match(await fetched(without, 'both'), /^blocked: .*withholds/)
    const asked = without.requests.filter(({ call }) => call === 'timedtext')
    assert.deepEqual(asked, [], 'no request is wasted on what says that it is guarded')

    let near: Near | null = null
    const { url, bindings } = await provider(t, () => ({ body: { poToken: token } }))
    const told: string[] = []
    near = await guarded(t, guard, { tokenProvider: url, onToken: (each) => told.push(each) })
    const { videoId } = near.emulator.world.special('both')
    const token = await realToken(near, videoId)
    assert.equal(await fetched(near, 'both'), 'fetched')
    assert.equal(await fetched(near, 'both'), 'fetched')
    assert.deepEqual(bindings, [`POST /tokens/get_pot ${videoId}`], 'it is kept, without expiresAt')
    assert.deepEqual(told, ['given'])
  })
}

test('a token is used until it expires, and one that is not taken is asked for anew', async (t) => {
  let answer: Record<string, unknown> = {}
  const { url, bindings } = await provider(t, () => ({ body: answer }))
  let now = new Date('2026-11-30T12:00:00Z')
  const near = await guarded(t, 'xpe', { tokenProvider: url, now: () => now })
  const { videoId } = near.emulator.world.special('both')
  const poToken = await realToken(near, videoId)
  answer = { poToken: 'ofAnotherVideo', expiresAt: '2026-11-30T13:00:00Z' }
  assert.match(await fetched(near, 'both'), /withholds/)
  assert.equal(bindings.length, 5, 'each version asks for one after the last was not taken')
  answer = { poToken, expiresAt: '2026-11-30T13:00:00Z' }
  assert.equal(await fetched(near, 'both'), 'fetched')
  now = new Date('2026-11-30T12:59:00Z')
  assert.equal(await fetched(near, 'both'), 'fetched')
  assert.equal(bindings.length, 6)
  now = new Date('2026-11-30T13:01:00Z')
  assert.equal(await fetched(near, 'both'), 'fetched')
  assert.equal(bindings.length, 7)
})

test('a provider that gives none is told as a block, and not asked for every app and video', async (t) => {
  const cases: [Answering, RegExp][] = [
    [() => ({ status: 500, body: 'no' }), /the provider answered with status 500/],
    [() => ({ body: 'no json' }), /the provider’s answer is not JSON/],
    [() => ({ body: {} }), /the provider’s answer has no "poToken"/],
    [() => ({ body: { poToken: 'a b\r\nc' } }), /the provider’s answer has no "poToken"/],
    [() => ({ body: 'x'.repeat(100_000) }), /the provider did not answer/],
  ]
  for (const [answering, sentence] of cases) {
    const { url, bindings } = await provider(t, answering)
    const near = await guarded(t, 'xpe', { tokenProvider: url })
    const said = await fetched(near, 'both')
    assert.match(said, /^blocked: The platform wants a token of proof, and the provider gave none/)
    assert.match(said, sentence)
    assert.match(await fetched(near, 'asr'), /^blocked: The platform wants a token of proof/)
    assert.equal(bindings.length, 1)
    assert.doesNotMatch(said, /127\.0\.0\.1/)
  }
})

test('a provider that goes on refusing is asked ever less often, by one visit at a time', async (t) => {
  let answer: { status?: number; body: unknown } = { status: 500, body: 'no' }
  const { url, bindings } = await provider(t, () => answer)
  let nowMs = Date.parse('2026-11-30T12:00:00Z')
  const tokens = openProofTokens({ provider: url, now: () => new Date(nowMs) })
  const ask = (): Promise<unknown> =>
    Promise.all(['a', 'b', 'c'].map((videoId) => tokens.tokenFor(videoId, NEVER)))
  await ask()
  bindings.splice(1)
  const asked: number[] = []
  for (const minutes of [1, 1, 1, 4, 6]) {
    nowMs += minutes * 60_000
    await ask()
    asked.push(bindings.length)
    nowMs += 9_000
    await ask()
  }
  assert.deepEqual(asked, [2, 3, 4, 5, 6])
  assert.equal(bindings.length, 6)
  answer = { body: { poToken: 'given' } }
  nowMs += 300_000
  assert.equal(await tokens.tokenFor('a', NEVER), 'given')
  assert.deepEqual(await ask(), ['given', 'given', 'given'])
})

test('a provider that does not answer keeps no visit that is over', async (t) => {
  const { url, bindings, waiting } = await provider(t, () => null)
  const near = await guarded(t, 'xpe', { tokenProvider: url })
  const { videoId } = near.emulator.world.special('both')
  const ending = new AbortController()
  const ended = ['original', 'en'].map((language) =>
    assert.rejects(
      near.platform.fetchVideo({ videoId, language, wantsDate: false }, ending.signal),
      /over/,
    ),
  )
  await until('it is asked', () => bindings.length > 0)
  ending.abort(new Error('over'))
  await Promise.all(ended)
  assert.equal(waiting.size, 1, 'the provider has time left')
})

test('the end of a token may be told in milliseconds, and no number keeps it for ever', async (t) => {
  for (const expiresAt of ['1795960800000', 1_795_960_800_000, '1795960800', 1_795_960_800]) {
    let poToken = ''
    const { url, bindings } = await provider(t, () => ({ body: { poToken, expiresAt } }))
    let now = new Date('2026-11-29T12:00:00Z')
    const near = await guarded(t, 'xpe', { tokenProvider: url, now: () => now })
    poToken = await realToken(near, near.emulator.world.special('both').videoId)
    assert.equal(await fetched(near, 'both'), 'fetched')
    now = new Date('2026-11-29T13:00:00Z')
    assert.equal(await fetched(near, 'both'), 'fetched')
    assert.equal(bindings.length, 1, `${expiresAt}`)
    now = new Date('2026-11-29T15:00:00Z')
    assert.equal(await fetched(near, 'both'), 'fetched')
    assert.equal(bindings.length, 2, `${expiresAt}`)
  }
})

test('a token that a player does not take is asked for anew', async (t) => {
  const clients = CLIENT_PROFILES.map((each): ClientProfile =>
    each.use === 'captions' ? { ...each, token: 'player' } : each,
  )
  let poToken = 'ofAnotherVideo'
  const { url } = await provider(t, () => ({ body: { poToken } }))
  const faults: FaultRule[] = [{ do: 'token', on: 'player' }]
  const options = { tokenProvider: url, clients, limits: { patienceMs: 10 } }
  const near = await nearPlatform(t, { faults }, options)
  const { videoId } = near.emulator.world.special('both')
  assert.match(await fetched(near, 'both'), /not a robot/)
  poToken = await realToken(near, videoId)
  assert.equal(await fetched(near, 'both'), 'fetched')
})

test('no token is asked for where nothing wants one', async (t) => {
  const { url, bindings } = await provider(t, () => ({ body: { poToken: 'unused' } }))
  const near = await nearPlatform(t, {}, { tokenProvider: url })
  for (const key of ['both', 'asr', 'manual']) assert.equal(await fetched(near, key), 'fetched')
  assert.deepEqual(bindings, [])
})

test('a profile may say that its calls need a token, whatever the tracks say', async (t) => {
  for (const [token, on] of [
    ['captions', 'timedtext'],
    ['player', 'player'],
  ] as const) {
    const clients = CLIENT_PROFILES.map((each) =>
      each.use === 'captions' ? { ...each, token } : each,
    )
    const emulated = { faults: [{ do: 'token', on }] } as const
    const without = await nearPlatform(t, emulated, { limits: { patienceMs: 10 } })
    assert.match(await fetched(without, 'both'), /^blocked/, token)
    const { url, bindings } = await provider(t, () => ({ body: { poToken } }))
    const near = await nearPlatform(t, emulated, { tokenProvider: url, clients })
    const { videoId } = near.emulator.world.special('both')
    const poToken = await realToken(near, videoId)
    assert.equal(await fetched(near, 'both'), 'fetched', token)
    assert.deepEqual(bindings, [`POST /tokens/get_pot ${videoId}`])
  }
})
