/** Faults over HTTP that depend on who asks: causes that one app names, refused identities, captions of one client. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type AskedReply, ask, at, innertube } from './asking.ts'
import type { ActionKind, FaultRule } from './faults.ts'
import { startEmulator } from './server.ts'

const emulator = await startEmulator()
after(() => emulator.close())
const { origin, world } = emulator
const { videoId } = world.special('asr')

/** Asks while one rule is in force. */
async function askUnder(rule: FaultRule, asked: () => Promise<AskedReply>): Promise<AskedReply> {
  emulator.apply({ faults: [rule] })
  return asked().finally(() => emulator.clear())
}

const playerFor = (client: string, visitor?: string): Promise<AskedReply> =>
  innertube(
    origin,
    'player',
    { videoId },
    { client, ...(visitor === undefined ? {} : { visitor }) },
  )

test('a cause is named for every video, with what the platform tells of such videos', async () => {
  const region = (await askUnder({ do: 'cause' }, () => playerFor('VISIONOS'))).json()
  assert.match(String(at(region, 'playabilityStatus', 'reason')), /not made .* in your country/)
  assert.equal(at(region, 'videoDetails', 'videoId'), videoId)
  const rule: FaultRule = { do: 'cause', cause: 'private', client: 'WEB' }
  const hidden = (await askUnder(rule, () => playerFor('WEB'))).json()
  assert.equal(at(hidden, 'playabilityStatus', 'reason'), 'This video is private')
  assert.deepEqual(
    [hidden.captions, hidden.videoDetails, hidden.microformat],
    [undefined, undefined, undefined],
  )
  const played = (await askUnder(rule, () => playerFor('IOS'))).json()
  assert.equal(at(played, 'playabilityStatus', 'status'), 'OK')
})

test('who asks for an identity and is refused has none; faults of videos and lists change nothing', async () => {
  const given = async (fault: ActionKind, name: string): Promise<unknown> => {
    const asked = (): Promise<AskedReply> => innertube(origin, name, {}, { visitor: '' })
    return at((await askUnder({ do: fault }, asked)).json(), 'responseContext', 'visitorData')
  }
  const refusing = [
    ...(['bot_check', 'new_bot_check', 'please_sign_in', 'captcha', 'try_again_later'] as const),
    ...(['page_reload', 'unknown_status', 'outdated', 'unavailable', 'cause'] as const),
    ...(['unknown_alert', 'missing_keys'] as const),
  ]
  const idle = ['decoy', 'hide_captions', 'empty_page', 'repeated_page', 'visitor'] as const
  for (const name of ['visitor_id', 'config']) {
    for (const fault of refusing) assert.equal(await given(fault, name), undefined, fault)
    for (const fault of idle) assert.match(String(await given(fault, name)), /^Cg/, fault)
  }
})

test('an identity of another client is taken for a bot, a client’s own is not', async () => {
  const made = async (client: string): Promise<string> => {
    const reply = await innertube(origin, 'visitor_id', {}, { client, visitor: '' })
    return String(at(reply.json(), 'responseContext', 'visitorData'))
  }
  for (const [client, status] of [
    ['WEB', 'LOGIN_REQUIRED'],
    ['VISIONOS', 'OK'],
  ] as const) {
    const visitor = await made(client)
    const answer = await askUnder({ do: 'visitor' }, () => playerFor('VISIONOS', visitor))
    assert.equal(at(answer.json(), 'playabilityStatus', 'status'), status, client)
  }
})

test('captions count as asked for by the client that was given their address', async () => {
  const rule: FaultRule = { do: 'forbidden', on: 'timedtext', client: 'VISIONOS' }
  for (const [client, status] of [
    ['VISIONOS', 403],
    ['IOS', 200],
  ] as const) {
    const reply = (await playerFor(client)).json()
    const list = at(reply, 'captions', 'playerCaptionsTracklistRenderer', 'captionTracks')
    const address = String(at(list, 0, 'baseUrl')).replace('https://www.youtube.com', origin)
    assert.equal((await askUnder(rule, () => ask(address))).status, status, client)
  }
})
