/** The doctor names what works; for everything else it names the client, the route, and the setting that mends it. */
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import type { FaultRule } from '../../emulator/faults.ts'
import { startEmulator } from '../../emulator/server.ts'
import { examinePlatform } from '../../src/platform/youtube/doctor.ts'
import { examiningBudget } from '../../src/platform/egress/examining-budget.ts'
import type { RouteBudget } from '../../src/model/platform/route-budget.ts'
import { readRoutes } from '../../src/platform/egress/route.ts'
import { openParts } from '../../src/platform/youtube/open-platform.ts'
import { CLIENT_PROFILES, newerOf, versionOf } from '../../src/platform/youtube/clients.ts'
import { localBudget, NEVER } from './near-platform.ts'

const EXIT_1 = '127.0.0.3'

type Examined = { faults?: FaultRule[]; useFieldMasks?: boolean; budget?: RouteBudget }

/** Runs the doctor over two routes, exit0 and exit1; `said` is one line per fault. */
async function examined(
  t: TestContext,
  { faults = [], useFieldMasks = true, budget = localBudget() }: Examined = {},
) {
  const emulator = await startEmulator({ exits: 2, faults })
  const routes = emulator.exits.map(
    (exit, at) => `${exit.replace('//', '//me:hidden@')}#name=exit${at}&ratePerMinute=60000`,
  )
  const parts = openParts({
    origin: emulator.origin,
    routes: readRoutes(routes.join(' ')),
    budget: examiningBudget(budget),
    clients: null,
    now: () => new Date(),
    limits: { retryPauseMs: 1 },
    useFieldMasks,
  })
  t.after(async () => {
    await parts.routePool.close()
    await emulator.close()
  })
  const found = await examinePlatform(parts, { channel: null, signal: NEVER })
  const text = found.lines.join('\n')
  assert.doesNotMatch(text + JSON.stringify(found), /hidden|me:/, 'no password is printed')
  const said = found.faults.map(({ route, client, setting }) => `${client} ${route} ${setting}`)
  return { ...found, text, said, emulator }
}

test('a healthy platform is called so, client by client and route by route', async (t) => {
  const { verdict, routes, text, said, emulator } = await examined(t)
  assert.deepEqual([verdict, said], ['healthy', []])
  const newest = CLIENT_PROFILES.filter((each) => newerOf(CLIENT_PROFILES, each) === null)
  for (const { name, version } of newest.map(versionOf)) {
    assert.match(text, new RegExp(`${name} ${version.replaceAll('.', '\\.')}, .*: works`))
  }
  assert.deepEqual(
    routes.map(({ parts }) => parts.map(({ part, client }) => `${part} ${client}`)),
    Array.from({ length: 2 }, () => [
      'list WEB',
      'list MWEB',
      'captions VISIONOS',
      'captions ANDROID',
      'captions IOS',
      'age_gate WEB_EMBEDDED_PLAYER',
      'date WEB',
      'date MWEB',
    ]),
  )
  assert.ok(emulator.log.counts().total <= 2 * 28, 'about 28 requests a route')
})

test('a client that is refused on one route is named with that route, and no other', async (t) => {
  const faults: FaultRule[] = [
    { do: 'bot_check', on: 'player', client: 'VISIONOS', identity: EXIT_1 },
  ]
  const { verdict, said, text } = await examined(t, { faults })
  assert.deepEqual([verdict, said], ['degraded', ['VISIONOS exit1 EGRESS_ROUTES']])
  assert.match(text, /VISIONOS 1\.04, captions: .*not a robot/)
})

test('an address of which every app is checked for one video after another is told as a data centre’s', async (t) => {
  const onRoute: FaultRule = { do: 'bot_check', on: 'player', identity: EXIT_1 }
  const { verdict, said, text, routes } = await examined(t, { faults: [onRoute] })
  assert.deepEqual([verdict, said], ['degraded', ['null exit1 EGRESS_ROUTES']])
  assert.deepEqual(
    routes.map(({ checked }) => checked),
    [null, { videos: 5, of: 5, isAnswered: false }],
  )
  assert.match(text, /address of a data centre: for 5 of 5 videos .* whichever app asked/)
  assert.doesNotMatch(text, /PLATFORM_CLIENTS/, 'no app is to blame')

  const passing = { ...onRoute, per: 'all', times: 17 } as const
  const some = await examined(t, { faults: [passing] })
  assert.deepEqual(some.routes[1]?.checked, { videos: 3, of: 5, isAnswered: true })
  const one = await examined(t, { faults: [{ ...onRoute, client: 'VISIONOS' }] })
  assert.equal(one.routes[1]?.checked, null)
  const first = await examined(t, { faults: [{ ...passing, times: 10 }] })
  assert.deepEqual(first.routes[1]?.checked, { videos: 1, of: 5, isAnswered: true })
  assert.doesNotMatch(first.text, /data centre/, 'one video may be for people who are signed in')
})

test('a client that lists nothing is named, and all else is examined with what the other one lists', async (t) => {
  for (const trouble of ['bad_request', 'not_found'] as const) {
    const faults: FaultRule[] = [{ do: trouble, on: 'browse', client: 'WEB' }]
    const { verdict, said, routes } = await examined(t, { faults })
    const everywhere = ['WEB exit0 PLATFORM_CLIENTS', 'WEB exit1 PLATFORM_CLIENTS']
    assert.deepEqual([verdict, said], ['degraded', everywhere], trouble)
    assert.equal(routes[0]?.parts.at(-1)?.part, 'date')
  }
})

test('what a retired version needs is a newer one', async (t) => {
  const { verdict, said, text } = await examined(t, { faults: [{ do: 'retired', client: 'IOS' }] })
  assert.match(text, /IOS_20 20\.10\.4, captions: /, 'the older one is tried where the newer fails')
  const everywhere = ['IOS exit0 PLATFORM_CLIENTS', 'IOS exit1 PLATFORM_CLIENTS']
  assert.deepEqual([verdict, said], ['degraded', everywhere])
})

test('a client that is refused an identity is named, and everything else is asked all the same', async (t) => {
  for (const refusal of ['bad_request', 'forbidden', 'too_many'] as const) {
    const faults: FaultRule[] = [{ do: refusal, on: 'visitor_id', client: 'WEB' }]
    const { verdict, said, text } = await examined(t, { faults })
    const everywhere = ['WEB exit0 PLATFORM_CLIENTS', 'WEB exit1 PLATFORM_CLIENTS']
    assert.deepEqual([verdict, said], ['degraded', everywhere], refusal)
    assert.match(text, /WEB [\d.]+, session identity: .* It calls with that of VISIONOS\.\n/)
    assert.match(text, /IOS [\d.]+, captions: works/)
  }
})

test('an age gate that stays closed is a known limit, which gates no deployment', async (t) => {
  const refusals: FaultRule[] = [
    { do: 'forbidden', on: 'page' },
    { do: 'page_reload', on: 'player', client: 'WEB_EMBEDDED_PLAYER' },
  ]
  for (const rule of refusals) {
    const { verdict, faults, text } = await examined(t, { faults: [rule] })
    assert.deepEqual(
      [verdict, faults.map(({ part }) => part)],
      ['limited', ['age_gate', 'age_gate']],
    )
    assert.match(text, /A known limit: .*\n/)
    const both = await examined(t, {
      faults: [rule, { do: 'retired', on: 'player', client: 'IOS' }],
    })
    assert.equal(both.verdict, 'degraded', 'a fault that can be mended comes first')
  }
})

test('what a setting mends at the age gate is no known limit', async (t) => {
  const retired = await examined(t, {
    faults: [{ do: 'retired', on: 'player', client: 'WEB_EMBEDDED_PLAYER' }],
  })
  assert.deepEqual(
    [retired.verdict, retired.said[0]],
    ['degraded', 'WEB_EMBEDDED_PLAYER exit0 PLATFORM_CLIENTS'],
  )
  const withheld = await examined(t, {
    faults: [{ do: 'empty', on: 'timedtext', client: 'WEB_EMBEDDED_PLAYER' }],
  })
  assert.equal(withheld.verdict, 'limited')
  assert.match(String(withheld.faults[0]?.refused), /withholds their words/)
})

test('captions that want a token of proof lead to its provider', async (t) => {
  const faults: FaultRule[] = [{ do: 'empty', on: 'timedtext', client: 'IOS' }]
  const { said, text } = await examined(t, { faults })
  assert.deepEqual(said, ['IOS exit0 PO_TOKEN_URL', 'IOS exit1 PO_TOKEN_URL'])
  assert.match(text, /IOS .* on route exit0: Name a provider of tokens of proof in PO_TOKEN_URL/)
})

test('each client is asked for an identity once, where all are refused, too', async (t) => {
  for (const on of ['visitor_id', undefined] as const) {
    const { emulator } = await examined(t, { faults: [{ do: 'too_many', ...(on && { on }) }] })
    const { byKindAndClient } = emulator.log.counts()
    for (const { context } of CLIENT_PROFILES) {
      const app = String(context.clientName)
      const profiles = CLIENT_PROFILES.filter((each) => each.context.clientName === app)
      const asked = byKindAndClient[`visitor_id ${app}`] ?? 0
      assert.ok(asked <= 2 * profiles.length, `${asked} for ${app}: once on each of two routes`)
    }
  }
})

test('a client that every route is refused as is the client’s fault', async (t) => {
  const faults: FaultRule[] = [{ do: 'forbidden', on: 'player', client: 'ANDROID' }]
  const { said } = await examined(t, { faults })
  assert.deepEqual(said, ['ANDROID exit0 PLATFORM_CLIENTS', 'ANDROID exit1 PLATFORM_CLIENTS'])
})

test('a mask that is refused or hides captions is told from a client that is', async (t) => {
  const masks: FaultRule[][] = [
    [{ do: 'bad_request', on: 'player', client: 'ANDROID', masked: true }],
    [{ do: 'hide_captions', on: 'player', client: 'ANDROID', masked: true }],
  ]
  for (const faults of masks) {
    const { verdict, said, routes } = await examined(t, { faults })
    const everywhere = ['exit0', 'exit1'].map((exit) => `ANDROID ${exit} PLATFORM_FIELD_MASKS`)
    assert.deepEqual([verdict, said], ['degraded', everywhere])
    const part = routes[0]?.parts.find(({ client }) => client === 'ANDROID')
    assert.notEqual(part?.withMask?.word, 'works')
    assert.equal(part?.withoutMask.word, 'works')
    const off = await examined(t, { faults, useFieldMasks: false })
    assert.deepEqual([off.verdict, off.said], ['healthy', []], 'the service asks without masks')
  }
})

test('a route that is blocked is asked no more than it takes to know', async (t) => {
  const faults: FaultRule[] = [{ do: 'sorry_page', on: 'player', identity: EXIT_1 }]
  const { verdict, said, text, emulator } = await examined(t, { faults })
  assert.equal(verdict, 'degraded')
  assert.deepEqual(said, ['VISIONOS exit1 EGRESS_ROUTES', 'ANDROID exit1 EGRESS_ROUTES'])
  assert.match(
    text,
    /Route exit1 \(proxy http:\/\/127\.0\.0\.1:\d+\) delivers nothing:\n {2}It is blocked/,
  )
  const asked = emulator.log.recent(1000).filter(({ identity, kind }) => {
    return identity === EXIT_1 && kind === 'player'
  })
  assert.equal(asked.length, 4)
})

test('a route that rests is not asked, and says so', async (t) => {
  const budget = localBudget()
  const terms = readRoutes('http://127.0.0.1:1#name=exit1')[0]!
  await budget.take(terms, { answered: 0, hasDelivered: false })
  const block = { epoch: 1, retryAfterMs: 60_000, suspicion: null, hasDelivered: false }
  await budget.reportBlock(terms, block)
  const { verdict, said, emulator, faults } = await examined(t, { budget })
  assert.deepEqual([verdict, said], ['degraded', ['null exit1 EGRESS_ROUTES']])
  assert.match(faults[0]?.refused ?? '', /Rests for \d+ s/)
  assert.equal(emulator.log.recent(1000).filter(({ identity }) => identity === EXIT_1).length, 0)
})

test('only where nothing delivers is it down', async (t) => {
  const { verdict, text } = await examined(t, { faults: [{ do: 'bot_check', on: 'player' }] })
  assert.equal(verdict, 'down')
  assert.match(text, /No route delivers|no route delivers/)
})

test('what it meets reaches no budget of the service', async (t) => {
  const shared = localBudget()
  const told: string[] = []
  const watched: RouteBudget = {
    take: (terms, news) => {
      if (news.answered > 0 || news.hasDelivered) told.push('answered')
      return shared.take(terms, news)
    },
    reportBlock: (terms, block) => {
      told.push('block')
      return shared.reportBlock(terms, block)
    },
    saveIdentity: async () => (told.push('identity'), null),
  }
  await examined(t, { budget: watched, faults: [{ do: 'too_many', on: 'player' }] })
  const terms = readRoutes('direct')[0]!
  const block = { epoch: 1, retryAfterMs: null, suspicion: null, hasDelivered: false }
  await examiningBudget(watched).reportBlock(terms, block)
  assert.deepEqual(told, [])
  const bound = { ...terms, captionsPerDay: 5 }
  await examiningBudget(shared).take(bound, { answered: 9, hasDelivered: true, captions: 5 })
  const lease = await shared.take(bound, { answered: 0, hasDelivered: false })
  assert.ok(lease.kind === 'leased' && lease.roomInMs > 0, 'but its captions are of the day')
})
