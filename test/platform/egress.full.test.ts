/**
 * Egress routes towards the emulator's exits: which request takes which, as which identity, and what a block changes.
 */
import assert from 'node:assert/strict'
import net, { type AddressInfo } from 'node:net'
import test, { type TestContext } from 'node:test'
import { startEmulator } from '../../emulator/server.ts'
import { type EgressRoute, readRoutes } from '../../src/platform/egress/route.ts'
import { openPlatform } from '../../src/platform/youtube/open-platform.ts'
import type { RequestReport } from '../../src/platform/youtube/session.ts'
import { egressBudget } from '../../src/store/egress-routes.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { within } from '../support/until.ts'
import { NEVER } from './near-platform.ts'

const QUICK = 'ratePerMinute=60000&concurrency=4'

/** Reads routes as configured, but with rests that a test can wait for. */
function routesFrom(text: string): EgressRoute[] {
  return readRoutes(text).map((route) => ({ ...route, restMs: { first: 150, longest: 600 } }))
}

async function open(
  t: TestContext,
  database: TestDatabase,
  {
    origin,
    routes,
    patienceMs = 3_000,
  }: { origin: string; routes: EgressRoute[]; patienceMs?: number },
) {
  const requests: RequestReport[] = []
  const platform = openPlatform({
    origin,
    routes,
    budget: egressBudget(database.db),
    clients: null,
    now: () => new Date(),
    limits: { patienceMs, retryPauseMs: 1, connectMs: 1000 },
    onRequest: (report) => requests.push(report),
  })
  t.after(() => platform.close())
  return { platform, requests }
}

async function begin(t: TestContext, exits: number) {
  const emulator = await startEmulator({ exits })
  t.after(() => emulator.close())
  const list = emulator.world.uploads(emulator.world.channel('spanish'), null)
  const ids = Array.from({ length: 24 }, (_, at) => list.at(at))
  const playable = ids.filter((video) => video.state === 'ok' && video.tracks.length > 0)
  return { emulator, ids: playable.map((video) => video.videoId), database: await testDatabase(t) }
}

const ask = (videoId: string) => ({ videoId, language: 'original', wantsDate: true })

test('all requests of a video leave by one exit, each client as one visitor, and none shares one', async (t) => {
  const { emulator, ids, database } = await begin(t, 3)
  const routes = routesFrom(
    emulator.exits.map((exit, at) => `${exit}#name=exit${at}&${QUICK}`).join(' '),
  )
  const { platform } = await open(t, database, { origin: emulator.origin, routes })
  const answers = await Promise.all(ids.map((id) => platform.fetchVideo(ask(id), NEVER)))
  assert.ok(answers.every(({ kind }) => kind === 'fetched'))

  const log = emulator.log
    .recent(1000)
    .filter(({ kind }) => kind === 'player' || kind === 'timedtext')
  const exitsOf = Map.groupBy(log, ({ videoId }) => videoId)
  for (const [id, requests] of exitsOf)
    assert.equal(new Set(requests.map((r) => r.identity)).size, 1, id)
  const players = log.filter(({ kind }) => kind === 'player')
  const callers = Map.groupBy(players, ({ identity, client }) => `${client} by ${identity}`)
  assert.equal(new Set(players.map((r) => r.identity)).size, 3, 'every exit was used')
  const visitors = [...callers.values()].map((requests) => new Set(requests.map((r) => r.visitor)))
  assert.ok(visitors.every((each) => each.size === 1))
  assert.equal(new Set(visitors.flatMap((each) => [...each])).size, callers.size)
})

test('a video blocked on one route is delivered by another, and the blocked one is left alone', async (t) => {
  const { emulator, ids, database } = await begin(t, 2)
  emulator.apply({ faults: [{ do: 'too_many', identity: '127.0.0.2', after: 6, sticky: true }] })
  const routes = readRoutes(
    emulator.exits.map((exit, at) => `${exit}#name=exit${at}&${QUICK}`).join('\n'),
  )
  const { platform, requests } = await open(t, database, { origin: emulator.origin, routes })
  for (const id of ids) assert.equal((await platform.fetchVideo(ask(id), NEVER)).kind, 'fetched')
  const refused = requests.filter(({ outcome }) => outcome === 'rate_limited')
  // For captions and date two clients each are refused, the second ones also an identity.
  assert.ok(refused.length >= 1 && refused.length <= 6, `${refused.length} requests met the block`)
})

test('a video that is not shown in one country is asked for through a route in another', async (t) => {
  const { emulator, database } = await begin(t, 3)
  const { videoId } = emulator.world.special('region')
  const players = (): string[] => {
    const asked = emulator.log
      .recent(100)
      .filter(({ kind, videoId: id }) => kind === 'player' && id === videoId)
      .map(({ identity }) => identity)
    emulator.log.reset()
    return [...new Set(asked)].sort()
  }
  const routes = readRoutes(
    emulator.exits.map((exit, at) => `${exit}#name=exit${at}&${QUICK}`).join(' '),
  )
  const { platform } = await open(t, database, {
    origin: emulator.origin,
    routes,
    patienceMs: 60_000, // twice the time that the last answer may take
  })
  const nowhere = await platform.fetchVideo(ask(videoId), NEVER)
  assert.equal(nowhere.kind === 'refused' && nowhere.refusal.reason, 'region_blocked')
  assert.deepEqual(
    players(),
    ['127.0.0.2', '127.0.0.3', '127.0.0.4'],
    'every route was asked, once',
  )

  emulator.apply({ knobs: { countries: { '127.0.0.3': 'DE' } } })
  for (let round = 0; round < 3; round += 1)
    assert.equal((await platform.fetchVideo(ask(videoId), NEVER)).kind, 'fetched')
  players()

  // Where the other routes cannot answer, the first answer stands, at once.
  emulator.apply({
    knobs: { countries: {} },
    faults: [
      { do: 'too_many', on: 'player', identity: ['127.0.0.3', '127.0.0.4'], retryAfterS: 600 },
    ],
  })
  const left = await within('what the first one said', platform.fetchVideo(ask(videoId), NEVER))
  assert.equal(left.kind === 'refused' && left.refusal.reason, 'region_blocked')
  assert.equal(players().length, 3)

  const alone = await open(t, database, {
    origin: emulator.origin,
    routes: routes.slice(0, 1).map((route) => ({ ...route, name: 'alone' })),
  })
  emulator.clear()
  const refused = await alone.platform.fetchVideo(ask(videoId), NEVER)
  assert.equal(refused.kind === 'refused' && refused.refusal.reason, 'region_blocked')
  assert.deepEqual(players(), ['127.0.0.2'])
})

test('a block is known to every process, and so is the guest that follows it', async (t) => {
  const { emulator, ids, database } = await begin(t, 1)
  const routes = routesFrom(`${emulator.exits[0]}#name=only&${QUICK}`)
  const one = await open(t, database, { origin: emulator.origin, routes })
  const other = await open(t, database, { origin: emulator.origin, routes })
  assert.equal((await one.platform.fetchVideo(ask(ids[0]!), NEVER)).kind, 'fetched')
  assert.equal((await other.platform.fetchVideo(ask(ids[1]!), NEVER)).kind, 'fetched')
  const made = (): number | undefined =>
    emulator.log.counts().byKindAndClient['visitor_id VISIONOS']
  assert.equal(made(), 1, 'two processes share the identity of an app')

  emulator.apply({ faults: [{ do: 'sorry_page', on: 'player', times: 2 }] }) // two apps meet it
  assert.equal((await one.platform.fetchVideo(ask(ids[2]!), NEVER)).kind, 'fetched')
  const { rows } = await database.pool.query('select epoch, blocks from egress_route')
  assert.deepEqual(rows, [{ epoch: 2, blocks: 1 }])
  assert.equal(made(), 2, 'the guest was replaced')
})

test('videos share connections until a block, which leaves them behind for new ones', async (t) => {
  const { emulator, ids, database } = await begin(t, 0)
  const relay = await countingRelay(t, Number(new URL(emulator.origin).port))
  const routes = routesFrom('direct#ratePerMinute=60000&concurrency=1')
  const { platform } = await open(t, database, { origin: relay.origin, routes })
  const fetched = async (id: string) => {
    const answer = await platform.fetchVideo({ ...ask(id), wantsDate: false }, NEVER)
    assert.equal(answer.kind, 'fetched')
  }
  for (const id of ids.slice(0, 5)) await fetched(id)
  const before = relay.connections()
  assert.ok(before <= 2, `${before} connections for five videos`)
  emulator.apply({ faults: [{ do: 'captcha', on: 'player', times: 2 }] }) // two apps meet it
  await fetched(ids[5]!)
  assert.ok(relay.connections() > before)
})

/** Opens a way to the emulator that counts the connections made over it. */
async function countingRelay(t: TestContext, port: number) {
  let connections = 0
  const server = net.createServer((near) => {
    connections += 1
    const far = net.connect(port, '127.0.0.1')
    near.pipe(far).pipe(near)
    for (const side of [near, far])
      side.on('error', () => [near, far].forEach((each) => each.destroy()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port: own } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${own}`, connections: () => connections }
}

test('a rotating route is another identity for each video, and a blocked exit costs one more', async (t) => {
  const { emulator, ids, database } = await begin(t, 1)
  emulator.apply({
    faults: [{ do: 'sorry_page', on: 'player', probability: 0.25, sticky: true }],
  })
  const routes = routesFrom(`${emulator.rotatingExit}#name=gate&rotating=true&${QUICK}`)
  const { platform, requests } = await open(t, database, { origin: emulator.origin, routes })
  for (const id of ids.slice(0, 8))
    assert.equal((await platform.fetchVideo(ask(id), NEVER)).kind, 'fetched', id)
  const log = emulator.log
    .recent(1000)
    .filter(({ status, videoId }) => status === 200 && videoId !== '')
  for (const [id, asked] of Map.groupBy(log, ({ videoId }) => videoId)) {
    const served = asked.filter(({ fault }) => fault === null)
    assert.equal(new Set(served.map(({ identity }) => identity)).size, 1, id)
  }
  assert.ok(requests.some(({ outcome }) => outcome === 'rate_limited'))
  const exitsOf = Map.groupBy(
    log.filter(({ kind }) => kind === 'player'),
    ({ visitor }) => visitor,
  )
  for (const [visitor, asked] of exitsOf) {
    assert.equal(
      new Set(asked.map(({ identity }) => identity)).size,
      1,
      `${visitor} was seen at several exits`,
    )
  }
})

test('a proxy that is down rests, and the others do its work; its password is told to nobody', async (t) => {
  const { emulator, ids, database } = await begin(t, 1)
  const dead = 'http://someone:tell-nobody@127.0.0.1:9'
  const both = readRoutes(`${dead}#name=dead&${QUICK} ${emulator.exits[0]}#name=alive&${QUICK}`)
  const two = await open(t, database, { origin: emulator.origin, routes: both })
  for (const id of ids.slice(0, 6))
    assert.equal((await two.platform.fetchVideo(ask(id), NEVER)).kind, 'fetched')
  const tried = two.requests.filter(({ route }) => route === 'dead')
  assert.ok(tried.length <= 3, `${tried.length} requests to a dead proxy`)

  const alone = await open(t, database, {
    origin: emulator.origin,
    routes: readRoutes(`${dead}#name=alone&${QUICK}`),
  })
  const answer = await alone.platform.fetchVideo(ask(ids[7]!), NEVER)
  assert.equal(answer.kind, 'obstructed')
  assert.doesNotMatch(JSON.stringify([answer, two.requests, alone.requests]), /tell-nobody|someone/)
})

test('no healthy route within patience is an obstacle that says when to come back', async (t) => {
  const { emulator, ids, database } = await begin(t, 1)
  emulator.apply({ faults: [{ do: 'too_many', retryAfterS: 600 }] })
  const routes = routesFrom(`${emulator.exits[0]}#name=only&${QUICK}`)
  const { platform } = await open(t, database, { origin: emulator.origin, routes })
  await platform.fetchVideo(ask(ids[0]!), NEVER)
  emulator.clear()
  const answer = await platform.fetchVideo(ask(ids[1]!), NEVER)
  assert.ok(answer.kind === 'obstructed' && answer.obstacle.kind === 'blocked')
  const { retryAfterMs } = answer.obstacle
  assert.ok(retryAfterMs !== null && retryAfterMs > 300_000, String(retryAfterMs))
})
