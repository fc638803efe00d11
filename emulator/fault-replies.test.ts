/** Every fault over HTTP, and the exits that give callers their identities. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import http from 'node:http'
import net from 'node:net'
import path from 'node:path'
import { after, test } from 'node:test'
import tls from 'node:tls'
import { readFile } from 'node:fs/promises'
import { type AskedReply, ask, at, innertube } from './asking.ts'
import type { FaultRule } from './faults.ts'
import { startEmulator } from './server.ts'
import { needs } from '../test/support/needs.ts'
import { passing, until } from '../test/support/until.ts'

const openssl = needs('openssl')
const emulator = await startEmulator({ exits: 2, tls: openssl.skip === undefined })
after(() => emulator.close())
const { origin, world } = emulator
const { videoId } = world.special('asr')

const player = (): Promise<AskedReply> => innertube(origin, 'player', { videoId })

/** Asks for a video while one rule is in force. */
async function under(
  rule: FaultRule,
  asked: () => Promise<AskedReply> = player,
): Promise<AskedReply> {
  emulator.apply({ faults: [rule] })
  try {
    return await asked()
  } finally {
    emulator.clear()
  }
}

test('refusals that look like the video are told apart by their words', async () => {
  const status = async (rule: FaultRule): Promise<unknown> =>
    at((await under(rule)).json(), 'playabilityStatus')
  assert.match(
    JSON.stringify(await status({ do: 'bot_check' })),
    /This helps protect our community/,
  )
  assert.notEqual(
    at(await status({ do: 'captcha' }), 'errorScreen', 'playerCaptchaViewModel'),
    undefined,
  )
  assert.match(JSON.stringify(await status({ do: 'try_again_later' })), /try again later/)
  assert.match(JSON.stringify(await status({ do: 'page_reload' })), /page needs to be reloaded/)
  assert.match(JSON.stringify(await status({ do: 'outdated' })), /latest version of YouTube/)
  assert.match(JSON.stringify(await status({ do: 'unavailable' })), /"This video is unavailable"/)
  for (const trick of ['new_bot_check', 'please_sign_in'] as const)
    assert.equal(at(await status({ do: trick }), 'status'), 'LOGIN_REQUIRED')
  assert.equal(at(await status({ do: 'unknown_status' }), 'status'), 'CONTENT_CHECK_REQUIRED')
})

test('a decoy answers with another video, hidden captions with none', async () => {
  const decoy = (await under({ do: 'decoy' })).json()
  assert.equal(at(decoy, 'videoDetails', 'videoId'), world.special('both').videoId)
  const hidden = (await under({ do: 'hide_captions' })).json()
  assert.deepEqual(
    [at(hidden, 'playabilityStatus', 'status'), at(hidden, 'captions')],
    ['OK', undefined],
  )
})

for (const [rule, status, pattern] of [
  [{ do: 'retired' }, 400, /FAILED_PRECONDITION/],
  [{ do: 'too_many', retryAfterS: 30 }, 429, /^$/],
  [{ do: 'forbidden' }, 403, /PERMISSION_DENIED/],
  [{ do: 'sorry_page' }, 429, /automated queries.*g-recaptcha/s],
  [{ do: 'sorry_page', status: 200 }, 200, /g-recaptcha/],
  [{ do: 'sorry_redirect' }, 302, /^$/],
  [{ do: 'consent' }, 200, /consent\.youtube\.com/],
  [{ do: 'html' }, 200, /^<!DOCTYPE/],
  [{ do: 'server_error' }, 503, /UNAVAILABLE/],
  [{ do: 'server_error', status: 500 }, 500, /UNAVAILABLE/],
  [{ do: 'not_found' }, 404, /NOT_FOUND/],
  [{ do: 'empty' }, 200, /^$/],
  [{ do: 'unknown_alert' }, 200, /unknown error/],
  [{ do: 'missing_keys' }, 200, /^\{"responseContext":\{[^}]*\}/],
] as const) {
  test(`the fault ${JSON.stringify(rule)} answers ${status}`, async () => {
    const answer = await under(rule)
    assert.equal(answer.status, status)
    assert.match(answer.text, pattern)
    if (rule.do === 'too_many') assert.equal(answer.headers['retry-after'], '30')
    if (rule.do === 'sorry_redirect')
      assert.match(String(answer.headers.location), /google\.com\/sorry\/index/)
  })
}

test('a truncated body breaks off, a reset connection says nothing', async () => {
  await assert.rejects(under({ do: 'truncated', bytes: 100 }), /aborted|ECONNRESET/)
  await assert.rejects(under({ do: 'reset' }), /ECONNRESET|hang up/)
})

test('a dripping body comes whole, and late', async () => {
  const isLate = passing(100)
  const answer = await under({ do: 'drip', bytesPerSecond: 100_000 }, () =>
    innertube(origin, 'player?$fields=captions', { videoId }),
  )
  assert.ok(isLate())
  assert.notEqual(at(answer.json(), 'captions'), undefined)
})

test('latency delays the answer', async () => {
  const isLate = passing(80)
  await under({ do: 'latency', ms: 80 })
  assert.ok(isLate())
})

test('what is held is answered once the rules change, and not before', async () => {
  for (const ends of [() => emulator.clear(), () => emulator.apply({ faults: [] })]) {
    emulator.log.reset()
    emulator.apply({ faults: [{ do: 'hold', on: 'player' }] })
    let isAnswered = false
    const asked = player().finally(() => (isAnswered = true))
    await until('it is asked', () => emulator.log.counts().inFlightMax > 0)
    await ask(`${origin}/watch?v=jNQXAC9IVRw`) // other kinds of calls are answered
    assert.deepEqual([isAnswered, emulator.log.counts().byKind['player']], [false, undefined])
    ends()
    assert.equal(at((await asked).json(), 'playabilityStatus', 'status'), 'OK')
  }
})

test('a bot check after some calls sticks to its exit, and another exit is free of it', async () => {
  emulator.apply({ faults: [{ do: 'bot_check', on: 'player', after: 2, sticky: true }] })
  const through = async (exit: string): Promise<unknown> =>
    at((await viaForward(exit)).json(), 'playabilityStatus', 'status')
  const [first = '', second = ''] = emulator.exits
  assert.deepEqual(await inTurn(4, () => through(first)), [
    'OK',
    'OK',
    'LOGIN_REQUIRED',
    'LOGIN_REQUIRED',
  ])
  assert.equal(await through(second), 'OK')
  emulator.clear()
})

test('exits leave from addresses of their own, the rotating one from a new one every time', async () => {
  emulator.log.reset()
  const [first = '', second = ''] = emulator.exits
  await viaForward(first)
  await viaForward(second)
  await viaTunnel(first)
  await inTurn(3, () => viaTunnel(emulator.rotatingExit ?? ''))
  const { byIdentity } = emulator.log.counts()
  assert.equal(byIdentity['127.0.0.2'], 2)
  assert.equal(byIdentity['127.0.0.3'], 1)
  assert.equal(Object.keys(byIdentity).length, 5)
})

test('https ends at the proxy with a certificate for the real host', openssl, async () => {
  const { proxy, caFile } = emulator.tls ?? { proxy: '', caFile: '' }
  const socket = await tunnelTo(proxy, 'www.youtube.com:443')
  const secure = tls.connect({ socket, servername: 'www.youtube.com', ca: await readFile(caFile) })
  secure.write(
    'GET /feeds/videos.xml HTTP/1.1\r\nHost: www.youtube.com\r\nConnection: close\r\n\r\n',
  )
  let text = ''
  for await (const chunk of secure as AsyncIterable<Buffer>) text += chunk.toString()
  assert.match(text, /^HTTP\/1\.1 404/)
  assert.equal(secure.authorized, true)
})

test('started from the command line it prints its address and nothing else', async () => {
  const child = spawn(process.execPath, [
    path.join(import.meta.dirname, 'main.ts'),
    '--seed',
    '2',
    '--layout',
    'legacy',
  ])
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  while (!printed.includes('\n')) await new Promise((resolve) => child.stdout.once('data', resolve))
  assert.match(printed, /^http:\/\/127\.0\.0\.1:\d+\n$/)
  assert.equal((await ask(`${printed.trim()}/emulator/world?limit=1`)).json().seed, 2)
  child.kill('SIGTERM')
  assert.equal(await new Promise((resolve) => child.once('exit', resolve)), 0)
})

test('a wrong argument is refused in words', async () => {
  const child = spawn(process.execPath, [
    path.join(import.meta.dirname, 'main.ts'),
    '--layout',
    'flat',
  ])
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  assert.equal(await new Promise((resolve) => child.once('exit', resolve)), 1)
  assert.match(said, /--layout is lockup, legacy or mixed, not flat/)
})

async function inTurn<T>(times: number, act: () => Promise<T>): Promise<T[]> {
  const results: T[] = []
  for (let turn = 0; turn < times; turn++) results.push(await act())
  return results
}

/** Asks through an exit as a plain proxy, with the whole address in the request line. */
function viaForward(exit: string): Promise<AskedReply> {
  const body = JSON.stringify({
    videoId,
    context: { client: { clientName: 'IOS', clientVersion: '21.26.4' } },
  })
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(exit)
    const target = `http://www.youtube.com/youtubei/v1/player`
    const request = http.request(
      { hostname, port, path: target, method: 'POST', agent: false },
      (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: () => JSON.parse(text),
          }),
        )
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

/** Asks through an exit as a tunnel to the emulator itself. */
async function viaTunnel(exit: string): Promise<string> {
  const socket = await tunnelTo(exit, new URL(origin).host)
  socket.write('GET /feeds/videos.xml HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  let text = ''
  for await (const chunk of socket as AsyncIterable<Buffer>) text += chunk.toString()
  return text
}

function tunnelTo(exit: string, target: string): Promise<net.Socket> {
  const { hostname, port } = new URL(exit)
  return new Promise((resolve, reject) => {
    const request = http.request({ hostname, port, method: 'CONNECT', path: target, agent: false })
    request.once('connect', (response, socket) =>
      response.statusCode === 200 ? resolve(socket) : reject(new Error(`${response.statusCode}`)),
    )
    request.once('error', reject)
    request.end()
  })
}
