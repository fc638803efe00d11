/** The emulator over HTTP: videos, captions, masks, identities and its own addresses. */
import assert from 'node:assert/strict'
import http from 'node:http'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { ask, at, innertube } from './asking.ts'
import { startEmulator } from './server.ts'
import { truthOf } from './truth.ts'

let nowMs = Date.parse('2026-11-20T12:00:00Z')
const emulator = await startEmulator({ exits: 2, now: () => nowMs })
after(() => emulator.close())
const { origin, world } = emulator
const idOf = (key: string): string => world.special(key).videoId

const CAPTIONS = ['captions', 'playerCaptionsTracklistRenderer', 'captionTracks'] as const

async function player(
  key: string,
  client = 'VISIONOS',
  extra: Record<string, unknown> = {},
): Promise<unknown> {
  return (await innertube(origin, 'player', { videoId: idOf(key), ...extra }, { client })).json()
}

/** Returns the address of a caption track on the emulator. */
async function captionsOf(key: string, client = 'IOS', index = 0): Promise<string> {
  const address = String(at(await player(key, client), ...CAPTIONS, index, 'baseUrl'))
  return address.replace('https://www.youtube.com', origin)
}

test('VISIONOS without visitorData is taken for a bot, with it it is served', async () => {
  const bare = await innertube(origin, 'player', { videoId: idOf('asr') }, { visitor: '' })
  assert.equal(
    at(bare.json(), 'playabilityStatus', 'reason'),
    'Sign in to confirm you’re not a bot',
  )
  assert.equal(at(bare.json(), 'videoDetails'), undefined)
  assert.equal(at(await player('asr'), 'playabilityStatus', 'status'), 'OK')
  const minted = (await innertube(origin, 'visitor_id', {}, { visitor: '' })).json()
  assert.match(String(at(minted, 'responseContext', 'visitorData')), /^Cg[st][\w-]+(?:%3D){0,2}$/)
})

test('only web clients tell the publish date, and they guard their captions', async () => {
  const web = await player('both', 'WEB')
  const { publishedAt } = truthOf(world, { video: idOf('both') }).videos[0] ?? {}
  assert.equal(at(web, 'microformat', 'playerMicroformatRenderer', 'publishDate'), publishedAt)
  const guarded = await ask(await captionsOf('both', 'WEB'))
  assert.deepEqual([guarded.status, guarded.text], [200, ''])
  const provided = await ask(`${origin}/emulator/get_pot`, {
    body: JSON.stringify({ content_binding: idOf('both') }),
  })
  for (const [token, isTaken] of [
    ['abc', false],
    [String(provided.json().poToken), true],
  ] as const) {
    const address = `${await captionsOf('both', 'WEB')}&pot=${token}&potc=1&c=WEB`
    assert.equal((await ask(address)).text !== '', isTaken)
  }
  assert.equal(at(await player('both', 'IOS'), 'microformat'), undefined)
})

test('the other behaviour of the web: reload the page, and the date is still there', async () => {
  emulator.apply({ knobs: { web: 'reload' } })
  const web = await player('both', 'WEB')
  emulator.clear()
  assert.equal(at(web, 'playabilityStatus', 'status'), 'UNPLAYABLE')
  assert.match(JSON.stringify(at(web, 'playabilityStatus')), /The page needs to be reloaded/)
  assert.equal(at(web, 'captions'), undefined)
  assert.notEqual(at(web, 'microformat'), undefined)
})

test('clients differ where the facts say so', async () => {
  const tracks = async (key: string, client: string): Promise<unknown> =>
    at(await player(key, client), ...CAPTIONS, 0, 'baseUrl')
  assert.equal(
    at(await player('kids', 'VISIONOS'), 'playabilityStatus', 'reason'),
    'This video is not available',
  )
  assert.notEqual(await tracks('kids', 'ANDROID'), undefined)
  assert.equal(await tracks('android-only', 'VISIONOS'), undefined)
  assert.notEqual(await tracks('android-only', 'ANDROID'), undefined)
  assert.match(String(await tracks('guarded', 'VISIONOS')), /exp=xpe/)
  assert.doesNotMatch(String(await tracks('guarded', 'ANDROID')), /exp=xpe/)
  assert.match(String(await tracks('asr', 'ANDROID')), /&fmt=srv3$/)
  assert.doesNotMatch(String(await tracks('asr', 'VISIONOS')), /fmt=/)
  assert.equal(at(await player('asr', 'TVHTML5'), 'playabilityStatus', 'status'), 'ERROR')
})

/** Asks for a video as a player that is embedded in a site, with what its own embed page says. */
async function embedded(
  key: string,
  { embedUrl, referer }: { embedUrl?: string; referer?: string | undefined },
) {
  const headers: Record<string, string> = referer === undefined ? {} : { referer }
  const page = (await ask(`${origin}/embed/${idOf(key)}`, { headers })).text
  const encryptedHostFlags = /"encryptedHostFlags":"([^"]+)"/.exec(page)?.[1]
  const visitor = /"VISITOR_DATA":"([^"]+)"/.exec(page)?.[1] ?? ''
  const context = {
    client: { clientName: 'WEB_EMBEDDED_PLAYER', clientVersion: '2.20260708.00.00' },
    ...(embedUrl === undefined ? {} : { thirdParty: { embedUrl } }),
  }
  const playbackContext = { contentPlaybackContext: { encryptedHostFlags } }
  const body = { videoId: idOf(key), context, playbackContext }
  return (
    await innertube(origin, 'player', body, { client: 'WEB_EMBEDDED_PLAYER', visitor })
  ).json()
}

test('the embedded player passes one age gate, if page and player say where it is embedded', async () => {
  const [embedUrl, referer] = ['https://example.com/', 'https://example.com/']
  const there = await embedded('age-embeddable', { embedUrl, referer })
  assert.notEqual(at(there, ...CAPTIONS, 0), undefined)
  const status = (answer: unknown): unknown => at(answer, 'playabilityStatus', 'status')
  assert.equal(status(await embedded('age-embeddable', { referer })), 'ERROR')
  assert.equal(status(await embedded('age', { embedUrl, referer })), 'LOGIN_REQUIRED')
  for (const own of [undefined, 'https://www.youtube.com/watch'])
    assert.match(
      JSON.stringify(await embedded('age-embeddable', { embedUrl, referer: own })),
      /Error 153/,
    )
})

test('the region video plays in another country', async () => {
  assert.equal(at(await player('region'), 'playabilityStatus', 'status'), 'UNPLAYABLE')
  emulator.apply({ knobs: { countries: { '127.0.0.1': 'DE' } } })
  assert.equal(at(await player('region'), 'playabilityStatus', 'status'), 'OK')
  emulator.clear()
})

test('the first fmt wins, an appended one is not read', async () => {
  const address = await captionsOf('asr', 'ANDROID')
  assert.match((await ask(`${address}&fmt=json3`)).text, /^<\?xml.*<timedtext format="3">/s)
  assert.match((await ask(address.replace('fmt=srv3', 'fmt=json3'))).text, /^\{"wireMagic":"pb3"/)
  assert.match((await ask(address.replace('&fmt=srv3', ''))).text, /<transcript><text start=/)
})

test('caption addresses are signed and expire', async () => {
  const address = await captionsOf('both')
  assert.equal((await ask(address)).status, 200)
  assert.equal((await ask(address.replace(/v=[\w-]+/, `v=${idOf('asr')}`))).status, 404)
  assert.equal((await ask(address.replace(/expire=\d/, 'expire=9'))).status, 404)
  assert.equal((await ask(address.replace('lang=en', 'lang=xx'))).status, 404)
  assert.equal((await ask(`${address}&tlang=de`)).status, 429)
  nowMs += 7 * 3_600_000
  assert.equal((await ask(address)).status, 404)
  assert.equal((await ask(await captionsOf('both'))).status, 200)
})

test('the newer automatic variant may refuse json3, and serves it without its name', async () => {
  const address = `${await captionsOf('gemini')}&fmt=json3`
  assert.match((await ask(address)).text, /wireMagic/)
  emulator.apply({ knobs: { geminiJson3: 'empty' } })
  assert.equal((await ask(address)).text, '')
  emulator.apply({ knobs: { geminiJson3: 'html' } })
  assert.match((await ask(address)).text, /^<!DOCTYPE/)
  assert.match((await ask(address.replace('&variant=gemini', ''))).text, /wireMagic/)
  emulator.clear()
})

test('$fields keeps only what it names', async () => {
  const fields = 'player?$fields=playabilityStatus.status,videoDetails.videoId'
  const { text } = await innertube(origin, fields, { videoId: idOf('asr') })
  assert.deepEqual(JSON.parse(text), {
    playabilityStatus: { status: 'OK' },
    videoDetails: { videoId: idOf('asr') },
  })
})

test('replies are compressed for those who accept it', async () => {
  const body = JSON.stringify({
    videoId: idOf('asr'),
    context: { client: { clientName: 'IOS', clientVersion: '21' } },
  })
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const request = http.request(
      `${origin}/youtubei/v1/player`,
      { method: 'POST', agent: false, headers: { 'accept-encoding': 'gzip, br' } },
      (response) => {
        const chunks: Buffer[] = []
        assert.equal(response.headers['content-encoding'], 'gzip')
        response
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => resolve(Buffer.concat(chunks)))
      },
    )
    request.on('error', reject)
    request.end(body)
  })
  assert.equal(at(JSON.parse(gunzipSync(bytes).toString()), 'videoDetails', 'videoId'), idOf('asr'))
})

test('malformed asks are refused as the platform does', async () => {
  assert.equal((await innertube(origin, 'player', { videoId: 'short' })).status, 400)
  assert.equal(
    (await ask(`${origin}/youtubei/v1/player`, { body: `{"videoId":"${idOf('asr')}"}` })).status,
    400,
  )
  assert.equal((await innertube(origin, 'browse', { browseId: 'nonsense' })).status, 400)
  const old = await innertube(
    origin,
    'player',
    { videoId: idOf('asr') },
    { client: 'ANDROID', version: '19.44.38' },
  )
  assert.equal(old.status, 400)
  assert.equal(at(old.json(), 'error', 'status'), 'FAILED_PRECONDITION')
})

test('the Shorts player of the app wraps the answer, and says nothing of unknown videos', async () => {
  const reel = (videoId: string): Promise<unknown> =>
    innertube(
      origin,
      'reel/reel_item_watch?$fields=playerResponse',
      { playerRequest: { videoId } },
      { client: 'ANDROID' },
    ).then((answer) => answer.json())
  assert.equal(
    at(await reel(idOf('short')), 'playerResponse', 'videoDetails', 'videoId'),
    idOf('short'),
  )
  assert.deepEqual(await reel('AAAAAAAAAAA'), {})
})

test('the truth over HTTP is the truth in process, page by page', async () => {
  const { channelId } = world.channel('small')
  const over = (await ask(`${origin}/emulator/world?channel=${channelId}&offset=3&limit=4`)).json()
  assert.deepEqual(
    over,
    JSON.parse(JSON.stringify(truthOf(world, { channel: channelId, offset: 3, limit: 4 }))),
  )
  assert.equal((await ask(`${origin}/emulator/world?video=AAAAAAAAAAA`)).json().total, 0)
})

test('the log counts what was asked, by kind, client and identity', async () => {
  emulator.log.reset()
  await player('asr')
  await innertube(origin, 'player', { videoId: idOf('asr') }, { client: 'IOS', from: '127.0.0.9' })
  await ask(await captionsOf('asr'))
  const counts = (await ask(`${origin}/emulator/requests`)).json()
  assert.deepEqual(counts.byKindAndClient, {
    'player VISIONOS': 1,
    'player IOS': 2,
    'timedtext IOS': 1,
  })
  assert.deepEqual(counts.byIdentity, { '127.0.0.1': 3, '127.0.0.9': 1 })
  assert.deepEqual(counts.byKind, { player: 3, timedtext: 1 })
  assert.ok(Number(counts.bytesOut) > 10_000)
  assert.equal(at(counts, 'recent', 1, 'videoId'), idOf('asr'))
  assert.equal((await ask(`${origin}/emulator/requests`, { method: 'DELETE' })).json().total, 0)
})

test('a wrong script is refused in words and changes nothing', async () => {
  const post = (script: unknown): Promise<{ status: number; text: string }> =>
    ask(`${origin}/emulator/faults`, { body: JSON.stringify(script) })
  const unknown = await post({ knobs: { layuot: 'legacy' } })
  assert.equal(unknown.status, 400)
  assert.match(unknown.text, /no such knob: layuot/)
  assert.equal((await post([{ do: 'explode' }])).status, 400)
  assert.equal((await post([{ do: 'empty', on: 'timedtext' }])).status, 200)
  assert.equal((await ask(await captionsOf('asr'))).text, '')
  const cleared = await ask(`${origin}/emulator/faults`, { method: 'DELETE' })
  assert.deepEqual(cleared.json().faults, [])
})
