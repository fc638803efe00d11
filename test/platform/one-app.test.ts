/** One app alone: what it is refused or says of every video, while the others deliver, is its own and no video's. */
import assert from 'node:assert/strict'
import { after, test, type TestContext } from 'node:test'
import type { FaultRule } from '../../emulator/faults.ts'
import { startEmulator } from '../../emulator/server.ts'
import { loopbackRoute, readRoutes } from '../../src/platform/egress/route.ts'
import { CLIENT_PROFILES } from '../../src/platform/youtube/clients.ts'
import { openParts, platformOf } from '../../src/platform/youtube/open-platform.ts'
import type { VideoAnswer } from '../../src/platform/platform.ts'
import { testService } from '../support/service.ts'
import { localBudget, type Near, nearPlatform, NEVER, openNear, truthIds } from './near-platform.ts'

const service = await testService({ after })

const KEYS = ['both', 'asr', 'manual', 'regions', 'dubs', 'many', 'arabic', 'hindi', 'russian']
const CAUSES = [
  'region',
  'removed_by_uploader',
  'account_terminated',
  'private',
  'members_join',
  'payment',
  'age_confirm',
  'upcoming_live',
] as const
const OTHERS = ['ANDROID', 'IOS']
const HASTY = { limits: { patienceMs: 500, requestMs: 60_000, retryPauseMs: 1 } }

function outcome(answer: VideoAnswer): string {
  if (answer.kind === 'obstructed') return answer.obstacle.kind
  if (answer.kind === 'fetched') return answer.kind
  const { reason, isDoubted } = answer.refusal
  return isDoubted === true ? `${reason}, doubted` : reason
}

const asks = async ({ fetch, emulator }: Near, key: string): Promise<string> =>
  outcome(await fetch(emulator.world.special(key).videoId))

function players({ requests }: Near): string[] {
  return requests.filter(({ call }) => call === 'player').map(({ client }) => client)
}

test('a refusal of one app alone is asked of the next one, and rests no route', async (t) => {
  const everywhere = ['forbidden', 'too_many', 'sorry_page', 'sorry_redirect', 'reset'] as const
  const refusals = [
    ...everywhere.map((action) => ({ do: action, on: 'timedtext' }) as const),
    ...([...everywhere, 'captcha', 'try_again_later', 'decoy'] as const).map(
      (action) => ({ do: action, on: 'player' }) as const,
    ),
  ]
  for (const refusal of refusals) {
    const near = await nearPlatform(t, {}, HASTY)
    near.emulator.apply({ faults: [{ ...refusal, client: 'VISIONOS' }] })
    const label = `${refusal.do} of ${refusal.on}`
    assert.equal(await asks(near, KEYS[0] ?? ''), 'fetched', label)
    for (const key of KEYS.slice(1)) assert.equal(await asks(near, key), 'fetched', label)
    const made = near.requests.filter(({ call }) => call === 'visitor_id')
    const makers = new Set(made.map(({ client }) => client))
    assert.equal(made.length, makers.size, `no client needs a second identity: ${label}`)
    const last = players(near).slice(-3)
    assert.deepEqual(last, ['ANDROID', 'ANDROID', 'ANDROID'], `VISIONOS is asked last: ${label}`)
  }
})

test('a refusal of two apps is the route’s, and so is that of the only one', async (t) => {
  const refused = (...client: string[]): FaultRule[] => [
    { do: 'too_many', on: 'player', client, retryAfterS: 60 },
  ]
  const near = await nearPlatform(t, {}, HASTY)
  near.emulator.apply({ faults: refused('VISIONOS', 'ANDROID') })
  assert.equal(await asks(near, 'both'), 'blocked')
  assert.deepEqual(players(near), ['VISIONOS', 'ANDROID'])
  assert.equal(await asks(near, 'asr'), 'blocked')
  assert.equal(players(near).length, 2, 'the route rests')

  const alone = await nearPlatform(t, {}, HASTY)
  const away: FaultRule = { do: 'server_error', on: 'player', client: OTHERS }
  alone.emulator.apply({ faults: [away, ...refused('VISIONOS')] })
  assert.equal(await asks(alone, 'both'), 'blocked')
  alone.requests.length = 0
  assert.equal(await asks(alone, 'asr'), 'blocked')
  assert.deepEqual(alone.requests, [], 'the route rests')
})

test('a refusal of one app rests no route on which the others answered', async (t) => {
  for (const key of ['no-captions', 'deleted'])
    for (const client of ['VISIONOS', ...OTHERS]) {
      const near = await nearPlatform(t, {}, HASTY)
      const refused: FaultRule = { do: 'too_many', on: 'player', client, retryAfterS: 60 }
      near.emulator.apply({ faults: [refused] })
      assert.equal(await asks(near, key), 'blocked', 'nothing bears the absence out')
      assert.equal(await asks(near, 'both'), 'fetched', `${client} is refused`)
    }
})

test('a route on which two apps are checked for robots rests, though a third names a cause', async (t) => {
  const restMs = { first: 60_000, longest: 60_000 }
  const near = await nearPlatform(t, {}, { ...HASTY, routes: [{ ...loopbackRoute(), restMs }] })
  const named: FaultRule = { do: 'cause', cause: 'private', on: 'player', client: 'VISIONOS' }
  near.emulator.apply({ faults: [named, { do: 'bot_check', on: 'player', client: OTHERS }] })
  const { world } = near.emulator
  for (const [at, key] of KEYS.slice(0, 4).entries()) {
    const account = near.platform.onBehalfOf({ accountId: `${at}`, jobId: `${at}` })
    const ask = { videoId: world.special(key).videoId, language: 'original', wantsDate: false }
    await account.fetchVideo(ask, NEVER)
  }
  near.requests.length = 0
  assert.equal(await asks(near, 'arabic'), 'blocked')
  assert.deepEqual(near.requests, [], 'the route rests')
})

test('what one app is refused, two others may deny beside a witness, but not what it listed', async (t) => {
  const near = await nearPlatform(t, {}, HASTY)
  await near.fetch(near.emulator.world.special('asr').videoId)
  const { videoId } = near.emulator.world.special('both')
  const denied: FaultRule = { do: 'hide_captions', on: 'player', client: OTHERS, video: videoId }
  const forbidden = { do: 'forbidden', client: 'VISIONOS' } as const
  near.emulator.apply({ faults: [denied, { ...forbidden, on: 'timedtext' }] })
  assert.equal(await asks(near, 'both'), 'blocked')
  near.emulator.apply({ faults: [denied, { ...forbidden, on: 'player' }] })
  assert.equal(await asks(near, 'both'), 'no_captions')
})

test('a cause that one app names of every video is believed of none, and costs little', async (t) => {
  for (const cause of CAUSES) {
    const near = await nearPlatform(t)
    near.emulator.apply({ faults: [{ do: 'cause', cause, on: 'player', client: 'VISIONOS' }] })
    for (const key of KEYS) assert.equal(await asks(near, key), 'fetched', `${key}: ${cause}`)
    assert.equal(players(near).length, KEYS.length + 5, 'VISIONOS is asked last after five')
  }
})

test('an app without videos for children bears no cause out before the last one was asked', async (t) => {
  const near = await nearPlatform(t)
  for (const cause of CAUSES) {
    near.emulator.apply({ faults: [{ do: 'cause', cause, on: 'player', client: 'ANDROID' }] })
    assert.equal(await asks(near, 'kids'), 'fetched', cause)
  }
})

test('where two apps deny every video, and the third names a cause, that is no video’s', async (t) => {
  const near = await nearPlatform(t)
  await near.fetch(near.emulator.world.special('asr').videoId)
  const lies: FaultRule = { do: 'cause', on: 'player', client: 'VISIONOS' }
  near.emulator.apply({ faults: [lies, { do: 'unavailable', on: 'player', client: OTHERS }] })
  assert.equal(await asks(near, 'both'), 'region_blocked, doubted')
})

test('two versions of one app are one word, also where new profiles come during a visit', async (t) => {
  const emulator = await startEmulator({})
  const renamed = CLIENT_PROFILES.map((each) =>
    each.name === 'ANDROID_20' ? { ...each, name: 'ANDROID_OLD' } : each,
  )
  const asked: string[] = []
  const parts = openParts({
    origin: emulator.origin,
    routes: [],
    budget: localBudget(),
    clients: null,
    now: () => new Date(),
    onRequest({ call, client }) {
      if (call === 'player') asked.push(client)
      if (client === 'IOS') parts.context.clients.replace(renamed)
    },
    limits: HASTY.limits,
  })
  const platform = platformOf(parts)
  t.after(async () => {
    await platform.close()
    await emulator.close()
  })
  const faults: FaultRule[] = [
    { do: 'retired', on: 'player', client: ['VISIONOS', 'IOS'] },
    { do: 'hide_captions', on: 'player', client: 'ANDROID' },
  ]
  emulator.apply({ faults })
  const { videoId } = emulator.world.special('both')
  const ask = { videoId, language: 'original', wantsDate: false }
  assert.equal(outcome(await platform.fetchVideo(ask, NEVER)), 'blocked')
  assert.ok(asked.includes('ANDROID') && !asked.includes('ANDROID_20'), asked.join())
})

const EXITS = ['127.0.0.2', '127.0.0.3']

/** Opens a platform with two ways to it. */
async function openTwoWays(t: TestContext): Promise<Near> {
  const emulator = await startEmulator({ exits: EXITS.length })
  const ways = emulator.exits.map((exit, at) => `${exit}#name=exit${at}&ratePerMinute=60000`)
  const near = openNear(emulator, { ...HASTY, routes: readRoutes(ways.join(' ')) })
  t.after(async () => {
    await near.platform.close()
    await emulator.close()
  })
  return near
}

test('one app’s word on our region is not borne out by another’s in another region', async (t) => {
  for (const exit of EXITS) {
    const near = await openTwoWays(t)
    const faults: FaultRule[] = [{ do: 'cause', on: 'player', client: 'VISIONOS' }]
    near.emulator.apply({ knobs: { countries: { [exit]: 'DE' } }, faults })
    assert.equal(await asks(near, 'both'), 'fetched', 'VISIONOS is known to fail')
    assert.equal(await asks(near, 'region'), 'fetched', `shown through ${exit}`)
  }
})

test('what two apps say on one route takes the place of one app’s word on another', async (t) => {
  for (const identity of EXITS) {
    const near = await openTwoWays(t)
    near.emulator.apply({ faults: [{ do: 'forbidden', on: 'player', client: OTHERS, identity }] })
    assert.equal(await asks(near, 'region'), 'region_blocked', `refused through ${identity}`)
  }
})

test('a job of twelve videos that one app calls blocked in this country is delivered', async () => {
  const { platform } = service
  const { channelId } = platform.world.channel('spanish')
  const urls = truthIds(platform.world, { channel: channelId })
    .filter((videoId) => {
      const video = platform.world.video(videoId)
      return video?.state === 'ok' && video.tracks.length > 0
    })
    .slice(0, 12)
  platform.apply({ faults: [{ do: 'cause', on: 'player', client: 'VISIONOS' }] })
  const { rows } = await (await service.customer()).orders({ urls })
  assert.deepEqual(
    rows.map(({ status }) => status),
    urls.map(() => 'success'),
  )
})

test('a refused video costs one question more than it did, and any other one none', async (t) => {
  const costs: Record<string, [string, number]> = {
    both: ['fetched', 1],
    kids: ['fetched', 2],
    private: ['private', 2],
    removed: ['removed', 2],
    terminated: ['removed', 2],
    members: ['members_only', 2],
    paid: ['paid', 2],
    region: ['region_blocked', 2],
    'upcoming-live': ['upcoming', 2],
    age: ['age_restricted', 3],
    'age-embeddable': ['fetched', 3],
  }
  for (const [key, expected] of Object.entries(costs)) {
    const near = await nearPlatform(t)
    const outcome = await asks(near, key)
    const asked = near.requests.filter(({ call }) => call === 'player' || call === 'embed')
    assert.deepEqual([outcome, asked.length], expected, key)
  }
})

test('a third app decides between two that differ, and two that can play a video refute one', async (t) => {
  const near = await nearPlatform(t)
  await near.fetch(near.emulator.world.special('asr').videoId)
  near.emulator.apply({ faults: [{ do: 'cause', on: 'player', client: 'VISIONOS' }] })
  assert.equal(await asks(near, 'private'), 'private')
  assert.equal(await asks(near, 'no-captions'), 'no_captions')
  near.emulator.apply({ faults: [{ do: 'server_error', on: 'player', client: 'ANDROID' }] })
  assert.equal(await asks(near, 'members'), 'members_only', 'IOS bears it out')
})

test('a cause by the only app that answers is told as such, and asked for again', async () => {
  const { platform } = service
  const customer = await service.customer()
  const urls = [platform.world.special('private').videoId]
  platform.apply({ faults: [{ do: 'server_error', on: 'player', client: OTHERS }] })
  const [row] = (await customer.orders({ urls })).rows
  assert.equal(row?.status, 'private')
  assert.match(row.label, /^Private video, by the word of one app alone$/)
  assert.match(row.errorMessage, /Only one of the platform's apps says so.+YouTube says: “/)
  platform.clear()
  const [again] = (await customer.orders({ urls })).rows
  assert.deepEqual([again?.status, again?.label], ['private', 'Private video'])
})

test('the age gate’s own word bears out that of the only app that answers', async (t) => {
  const near = await nearPlatform(t)
  near.emulator.apply({ faults: [{ do: 'server_error', on: 'player', client: OTHERS }] })
  assert.equal(await asks(near, 'age'), 'age_restricted')
  assert.equal(await asks(near, 'region'), 'region_blocked, doubted')
})
