/** What the platform does to clients, one trick at a time: never the video's fault, never in vain. */
import assert from 'node:assert/strict'
import test from 'node:test'
import type { ActionKind, FaultRule } from '../../emulator/faults.ts'
import type { VideoAnswer } from '../../src/platform/platform.ts'
import { LIST_CLIENTS, type Near, nearPlatform } from './near-platform.ts'

/** Limits for a platform that never answers, however long a request waits for a route. */
const HASTY = { limits: { patienceMs: 1000, requestMs: 60_000, retryPauseMs: 1 } }
/** Limits where all is well in the end: no deadline of ours may pass on a busy machine. */
const PATIENT = { limits: { patienceMs: 120_000, requestMs: 60_000, retryPauseMs: 1 } }

function outcome(answer: VideoAnswer): string {
  return answer.kind === 'obstructed' ? answer.obstacle.kind : answer.kind
}

async function fetchUnder(near: Near, faults: FaultRule[], key = 'both'): Promise<VideoAnswer> {
  near.emulator.clear()
  near.emulator.apply({ faults })
  return near.fetch(near.emulator.world.special(key).videoId)
}

test('a delivered transcript costs two requests, three with its date, and one identity of each client', async (t) => {
  const near = await nearPlatform(t)
  for (const key of ['both', 'asr', 'manual'])
    await near.fetch(near.emulator.world.special(key).videoId)
  assert.deepEqual(
    near.requests.map(({ call }) => call),
    ['visitor_id', 'player', 'timedtext', 'player', 'timedtext', 'player', 'timedtext'],
  )
  near.requests.length = 0
  await near.fetch(near.emulator.world.special('regions').videoId, 'original', true)
  assert.deepEqual(near.requests.map(({ call, client }) => `${call} ${client}`).sort(), [
    'date WEB',
    'player VISIONOS',
    'timedtext VISIONOS',
    'visitor_id WEB',
  ])
  near.requests.length = 0
  await near.fetch(near.emulator.world.special('dubs').videoId, 'original', true)
  assert.deepEqual(near.requests.map(({ call }) => call).sort(), ['date', 'player', 'timedtext'])
})

const BLOCKS: ActionKind[] = [
  'bot_check',
  'captcha',
  'try_again_later',
  'page_reload',
  'decoy',
  'too_many',
  'forbidden',
  'sorry_page',
  'sorry_redirect',
  'consent',
]

test('a block that stays is blocked_suspect, whatever its form', async (t) => {
  await Promise.all(
    BLOCKS.map(async (block) => {
      const near = await nearPlatform(t, {}, HASTY)
      assert.equal(
        outcome(await fetchUnder(near, [{ do: block, on: 'player' }], 'asr')),
        'blocked',
        block,
      )
    }),
  )
})

test('a block that passes only costs time: the next identity gets the words', async (t) => {
  const blocks = ['bot_check', 'captcha', 'too_many', 'forbidden', 'sorry_page', 'decoy'] as const
  await Promise.all(
    blocks.map(async (block) => {
      const near = await nearPlatform(t, {}, PATIENT)
      const times = block === 'bot_check' ? 3 : 2 // a visit ends once two apps are refused, or all
      const answer = await fetchUnder(near, [{ do: block, on: 'player', times }], 'asr')
      assert.equal(outcome(answer), 'fetched', block)
      const identities = near.requests.filter(({ call }) => call === 'visitor_id')
      assert.ok(identities.length >= 2, `${block}: ${identities.length} identities`)
    }),
  )
})

test('blocked captions are not missing captions', async (t) => {
  const blocks = ['too_many', 'forbidden', 'sorry_page', 'sorry_redirect', 'empty'] as const
  await Promise.all(
    blocks.map(async (block) => {
      const near = await nearPlatform(t, {}, HASTY)
      assert.equal(
        outcome(await fetchUnder(near, [{ do: block, on: 'timedtext' }])),
        'blocked',
        block,
      )
    }),
  )
  const guarded = await nearPlatform(t, { knobs: { guardAll: true } }, HASTY)
  assert.equal(
    outcome(await guarded.fetch(guarded.emulator.world.special('both').videoId)),
    'blocked',
  )
})

test('what one client is refused, the next one gets', async (t) => {
  for (const trick of [
    'page_reload',
    'retired',
    'outdated',
    'hide_captions',
    'unknown_status',
    'missing_keys',
    'server_error',
    'bot_check',
    'html',
  ] as const) {
    const near = await nearPlatform(t, {}, PATIENT)
    const answer = await fetchUnder(near, [{ do: trick, on: 'player', client: 'VISIONOS' }])
    assert.equal(outcome(answer), 'fetched', trick)
  }
  const near = await nearPlatform(t, {}, PATIENT)
  const emptied: FaultRule[] = [{ do: 'empty', on: 'timedtext', times: 1 }]
  assert.equal(outcome(await fetchUnder(near, emptied)), 'fetched', 'empty captions of one client')
})

test('apps that are too old say nothing about the videos', async (t) => {
  const near = await nearPlatform(t, {}, PATIENT)
  const answer = await fetchUnder(near, [{ do: 'outdated', on: 'player' }])
  assert.ok(answer.kind === 'obstructed', 'and not that it was deleted')
  assert.match(answer.obstacle.text, /no longer accepts the app version/)
})

test('a retired client is set aside, not asked for every video', async (t) => {
  const near = await nearPlatform(t, { knobs: { clientFloors: { VISIONOS: '99.0' } } })
  for (const key of ['both', 'asr', 'manual']) {
    assert.equal(outcome(await near.fetch(near.emulator.world.special(key).videoId)), 'fetched')
  }
  assert.equal(
    near.requests.filter(({ client, call }) => client === 'VISIONOS' && call === 'player').length,
    2 * 2,
    'two videos, each with the mask and without',
  )
})

test('a client that brings nothing where another one delivers is asked last for a while', async (t) => {
  const keys = ['both', 'asr', 'manual', 'regions', 'dubs', 'many', 'arabic', 'hindi', 'russian']
  for (const trick of ['page_reload', 'unavailable', 'hide_captions'] as const) {
    const near = await nearPlatform(t)
    near.emulator.apply({ faults: [{ do: trick, on: 'player', client: 'VISIONOS' }] })
    for (const key of keys)
      assert.equal(outcome(await near.fetch(near.emulator.world.special(key).videoId)), 'fetched')
    const asked = (name: string): number =>
      near.requests.filter(({ call, client }) => call === 'player' && client === name).length
    const proof = trick === 'hide_captions' ? 1 : 0 // the mask may have hidden the captions
    assert.deepEqual([asked('VISIONOS'), asked('ANDROID')], [5 + proof, keys.length], trick)
  }
})

test('where every client is retired, two videos learn it and the others ask nothing', async (t) => {
  const limits = { ...HASTY.limits, closedFirstMs: 60_000 }
  const near = await nearPlatform(t, {}, { limits })
  near.emulator.apply({ faults: [{ do: 'retired', on: 'player' }] })
  const keys = ['both', 'asr', 'manual', 'dubs']
  const answers: VideoAnswer[] = []
  for (const key of keys) answers.push(await near.fetch(near.emulator.world.special(key).videoId))
  assert.deepEqual(answers.map(outcome), ['blocked', 'blocked', 'blocked', 'blocked'])
  const texts = answers.map((each) => (each.kind === 'obstructed' ? each.obstacle.text : ''))
  assert.match(texts[0] ?? '', /no longer accepts the app version/)
  assert.match(texts[3] ?? '', /accepts none of the app versions/)
  const players = near.requests.filter(({ call }) => call === 'player')
  assert.equal(players.length, 2 * 5 * 2, 'two videos, five versions, with the mask and without')
})

test('where WEB is retired, an identity is made as another app and captions still come', async (t) => {
  const near = await nearPlatform(t, {}, PATIENT)
  const answer = await fetchUnder(near, [{ do: 'retired', client: 'WEB' }])
  assert.equal(outcome(answer), 'fetched')
})

test('one silent client among obstacles is no proof that there are no captions', async (t) => {
  const near = await nearPlatform(t, {}, HASTY)
  const answer = await fetchUnder(near, [
    { do: 'hide_captions', on: 'player', client: 'VISIONOS' },
    { do: 'retired', on: 'player', client: 'ANDROID' },
    { do: 'server_error', on: 'player', client: 'IOS' },
  ])
  assert.equal(outcome(answer), 'blocked')
})

test('a private video is private even where one client is blocked', async (t) => {
  const near = await nearPlatform(t, {}, PATIENT)
  const answer = await fetchUnder(
    near,
    [{ do: 'bot_check', on: 'player', client: 'VISIONOS' }],
    'private',
  )
  assert.equal(answer.kind === 'refused' && answer.refusal.reason, 'private')
})

test('an expired caption address is fetched anew once', async (t) => {
  const near = await nearPlatform(t, {}, PATIENT)
  assert.equal(
    outcome(await fetchUnder(near, [{ do: 'not_found', on: 'timedtext', times: 1 }])),
    'fetched',
  )
  const players = near.requests.filter(({ call }) => call === 'player')
  assert.deepEqual(
    players.map(({ client }) => client),
    ['VISIONOS', 'VISIONOS'],
  )
  assert.equal(outcome(await fetchUnder(near, [{ do: 'not_found', on: 'timedtext' }])), 'failed')
})

test('captions in a form that cannot be read are asked for in the next form', async (t) => {
  const near = await nearPlatform(t, {}, PATIENT)
  for (const times of [1, 2]) {
    assert.equal(
      outcome(await fetchUnder(near, [{ do: 'html', on: 'timedtext', times }])),
      'fetched',
    )
  }
})

test('accidents are tried again by themselves', async (t) => {
  for (const accident of ['server_error', 'reset', 'truncated', 'not_found'] as const) {
    const near = await nearPlatform(t, {}, PATIENT)
    const on =
      accident === 'not_found' ? ('timedtext' as const) : (['player', 'timedtext'] as const)
    const faults: FaultRule[] = [{ do: accident, on, every: 2, times: 2, bytes: 30 }]
    assert.equal(outcome(await fetchUnder(near, faults)), 'fetched', accident)
  }
})

test('a date that does not come is null, never a failure', async (t) => {
  for (const trick of ['server_error', 'reset', 'decoy', 'missing_keys'] as const) {
    const near = await nearPlatform(t, {}, HASTY)
    near.emulator.apply({ faults: [{ do: trick, on: 'player', client: LIST_CLIENTS }] })
    const answer = await near.fetch(near.emulator.world.special('asr').videoId, 'original', true)
    assert.equal(answer.kind, 'fetched', trick)
    assert.equal(answer.facts.publishedAt, null)
  }
})

test('what the platform says about when to come back is passed on', async (t) => {
  const near = await nearPlatform(t, {}, HASTY)
  const answer = await fetchUnder(near, [{ do: 'too_many', on: 'player', retryAfterS: 77 }])
  assert.ok(answer.kind === 'obstructed')
  assert.equal(answer.obstacle.retryAfterMs, 77_000)
})

test('captions that are refused as too many are asked for once more, and a longer Retry-After is a block', async (t) => {
  const limited = (near: Near, more: Partial<FaultRule>) => {
    near.requests.length = 0
    return fetchUnder(near, [{ do: 'too_many', on: 'timedtext', ...more }])
  }
  const near = await nearPlatform(t, {}, HASTY)
  assert.equal(outcome(await limited(near, { times: 1 })), 'fetched')
  const calls = near.requests.map(({ call, outcome: met }) => `${call} ${met}`)
  assert.deepEqual(calls.slice(-2), ['timedtext rate_limited', 'timedtext ok'])
  assert.equal(near.requests.filter(({ call }) => call === 'player').length, 1, 'no other client')

  const told = await limited(await nearPlatform(t, {}, HASTY), { retryAfterS: 77 })
  assert.ok(told.kind === 'obstructed')
  assert.equal(told.obstacle.retryAfterMs, 77_000)

  const all = await nearPlatform(t, {}, HASTY)
  assert.equal(outcome(await limited(all, {})), 'blocked')
  const asked = all.requests.filter(({ call }) => call === 'timedtext')
  const [first = '', ...others] = new Set(asked.map(({ client }) => client))
  const visits = all.requests.filter(({ call, client }) => call === 'player' && client === first)
  const perVisit = asked.length / visits.length
  assert.equal(perVisit, others.length + 2, 'a visit asks once more in all, whatever the client')
})

test('a reply without end is given up at its limit', async (t) => {
  const near = await nearPlatform(t, {}, { limits: { captionsBytesMax: 500 } })
  const answer = await near.fetch(near.emulator.world.special('eleven-hours').videoId)
  assert.equal(outcome(answer), 'failed')
})

test('exact dates come alone by one small request', async (t) => {
  const near = await nearPlatform(t)
  const { videoId } = near.emulator.world.special('both')
  const answer = await near.platform.fetchPublishedAt({ videoId }, new AbortController().signal)
  assert.equal(answer.kind, 'dated')
  const [, asked, ...more] = near.requests
  assert.equal(asked?.call, 'date')
  assert.ok((asked?.bytes ?? Infinity) < 500)
  assert.equal(more.length, 0)
  const gone = near.emulator.world.special('private').videoId
  assert.equal(
    (await near.platform.fetchPublishedAt({ videoId: gone }, new AbortController().signal)).kind,
    'undated',
  )
})
