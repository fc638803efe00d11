/** Blame: no sequence of odd answers to one video or one account rests a route for others; real blocks do. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { poolInMemory } from '../../../test/support/route-pool.ts'
import type { RouteLease } from '../egress/route-pool.ts'
import type { Share } from '../../kit/fair-queue.ts'
import { PLATFORM_LIMITS } from '../limits.ts'
import { openClientPool } from './client-pool.ts'
import { CLIENT_PROFILES } from './clients.ts'
import { withFailover } from './failover.ts'
import {
  isCheck,
  isUnmistakable,
  obstacle,
  type ObstacleName,
  type Obstructed,
  obstructed,
} from './obstacle.ts'
import type { RequestContext } from './session.ts'
import { isSeedFixed } from '../../../test/support/seed.ts'

const NEVER = new AbortController().signal
const NAMES = ['direct', 'second', 'third']
const THREE = 'direct http://p.example:1#name=second http://q.example:1#name=third'
const BYSTANDER: Share = { accountId: 'bystander', jobId: 'job' }

const ODD = [
  'bot_check',
  'sign_in',
  'captcha',
  'session_limit',
  'forbidden',
  'page_instead',
  'decoy',
  'unseen',
  'unknown',
  'unreadable',
  'withheld',
  'reload',
  'unreachable',
  'timed_out',
  'truncated',
  'server_error',
] as const satisfies readonly ObstacleName[]
const CHECKS = ODD.filter((name) => isCheck(obstacle(name)))
const SUSPICIOUS = ['forbidden', 'page_instead', 'decoy', 'unseen'] as const

/** Answers to a question, in the order of the routes on which it is asked; words come once the list is over. */
type Question = { accountId: string; videoId: string; told: ObstacleName[] }

/** Counts of the situations that a property is about, which must come up for it to prove anything. */
const reached = new Map<string, number>()
const reach = (what: string): void => void reached.set(what, (reached.get(what) ?? 0) + 1)

type Words = { kind: 'words' }

function open(text = THREE, names = NAMES) {
  const { pool, clock, waits } = poolInMemory(text)
  const clients = openClientPool(CLIENT_PROFILES, {
    clock,
    clientRestMs: 1,
    refusedRestMs: 1,
    closedFirstMs: 1,
  })
  const asked: string[] = []

  async function restsFor(name: string, share: Share): Promise<boolean> {
    const leasing = await pool.leaseOn(name, share, NEVER)
    if (leasing.kind === 'leased') leasing.lease.release()
    return leasing.kind === 'resting'
  }

  async function restingFor(accountId: string): Promise<string[]> {
    const rests = await Promise.all(
      names.map((name) => restsFor(name, { accountId, jobId: 'job' })),
    )
    return names.filter((_, at) => rests[at])
  }

  async function ask(
    { accountId, videoId }: { accountId: string; videoId: string },
    answer: (lease: RouteLease, turn: number) => Words | Obstructed,
  ): Promise<Words | Obstructed> {
    const share = { accountId, jobId: 'job' }
    // No request goes out, so the parts that only requests need are left out.
    const context = { share, limits: PLATFORM_LIMITS, clock, clients } as unknown as RequestContext
    let turn = 0
    const isDelivery = (): boolean => true
    const question = { context, routes: pool, signal: NEVER, subject: videoId, isDelivery }
    return withFailover(question, async ({ lease }) => {
      asked.push(lease.route.name)
      if (lease.isPrivate) reach('asked as a stranger')
      return answer(lease, turn++)
    })
  }

  return { ask, asked, waits, pool, restingFor }
}

const WORDS: Words = { kind: 'words' }

async function play(questions: readonly Question[]): Promise<void> {
  const world = open()
  for (const question of questions) {
    const { told, accountId } = question
    await world.ask(question, (_, turn) => {
      const name = told[turn]
      return name === undefined ? WORDS : obstructed(name)
    })
    assert.deepEqual(await world.restingFor(BYSTANDER.accountId), [], 'nobody else is stopped')
    if ((await world.restingFor(accountId)).length > 0) reach('one account kept away')
  }
  await world.pool.close()
}

const odd = fc.constantFrom<ObstacleName>(...ODD)
const account = fc.constantFrom('a', 'b', 'c')

test('no sequence of odd answers about one video rests a route for others, whoever asks for it', async () => {
  const about = fc.record({
    accountId: account,
    videoId: fc.constant('odd'),
    told: fc.array(odd, { maxLength: 3 }),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(about, { minLength: 1, maxLength: 40, size: 'max' }),
      async (questions) => {
        if (questions.length > 20) reach('many questions about one video')
        await play(questions)
      },
    ),
    { numRuns: 60 },
  )
})

test('no odd answers to one account rest a route for others, short of checks about what others are given', async () => {
  const videoId = fc.integer({ min: 1, max: 30 }).map((n) => `video ${n}`)
  const told = fc
    .array(odd, { maxLength: 3 })
    .filter((names) => names.length === 3 || !names.some((name) => isCheck(obstacle(name))))
  const about = fc.record({ accountId: fc.constant('a'), videoId, told })
  await fc.assert(
    fc.asyncProperty(fc.array(about, { minLength: 1, maxLength: 40, size: 'max' }), play),
    {
      numRuns: 60,
    },
  )
})

/** The most asks on the blocked route until it rests; more would prolong the block. */
const ASKED_MAX = 4

test('a real block rests its route after a few answers, for everybody who met it', async () => {
  const healthyBefore = fc.integer({ min: 0, max: 5 })
  const blocks: [readonly ObstacleName[], accounts: string[], expected: string[]][] = [
    [CHECKS, ['a'], ['direct']],
    [CHECKS, ['a', 'b'], ['direct']],
    [SUSPICIOUS, ['a', 'b'], ['direct']],
    [['unknown', 'unreadable'], ['a', 'b'], ['direct']],
    [SUSPICIOUS, ['a'], []],
  ]
  for (const [names, accounts, expected] of blocks) {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), healthyBefore, async (name, before) => {
        const world = open()
        for (let n = 0; n < before + 6; n += 1) {
          const accountId = accounts[n % accounts.length] ?? ''
          const result = await world.ask({ accountId, videoId: `video ${n}` }, ({ route }) =>
            n >= before && route.name === 'direct' ? obstructed(name) : WORDS,
          )
          assert.deepEqual(result, WORDS, 'the other routes deliver')
        }
        const met = world.asked.filter((route) => route === 'direct').length - before
        assert.ok(met <= ASKED_MAX, `${met} answers of ${name}`)
        assert.deepEqual(await world.restingFor(BYSTANDER.accountId), expected, name)
        assert.ok((await world.restingFor('a')).includes('direct'), name)
        if (expected.length > 0) reach('rests for everybody')
        await world.pool.close()
      }),
      { numRuns: 10 },
    )
  }
})

test('on the only route a block keeps away the one account there is, as long as it lasts', async () => {
  const world = open('direct', ['direct'])
  for (let n = 0; n < 6; n += 1)
    await world.ask({ accountId: 'a', videoId: `video ${n}` }, () => obstructed('bot_check'))
  assert.deepEqual(await world.restingFor('a'), ['direct'])
  assert.deepEqual(await world.restingFor(BYSTANDER.accountId), [])
  const hours = world.waits.reduce((sum, ms) => sum + ms, 0) / 3_600_000
  assert.ok(world.asked.length <= 12, `${world.asked.length} asks in ${hours} hours`)
})

test('a delivery in between makes what was suspected void', async () => {
  const world = open('direct', ['direct'])
  for (let n = 0; n < 20; n += 1) {
    const isOdd = n % 2 === 0
    const accountId = n % 4 === 0 ? 'a' : 'b'
    await world.ask({ accountId, videoId: `video ${n}` }, () =>
      isOdd ? obstructed('unreachable') : WORDS,
    )
    assert.deepEqual(await world.restingFor(BYSTANDER.accountId), [])
  }
  for (const [n, accountId] of ['a', 'b'].entries()) {
    await world.ask({ accountId, videoId: `odd ${n}` }, () => obstructed('forbidden'))
    if (n === 0) await world.ask({ accountId, videoId: 'fine' }, () => WORDS)
    assert.deepEqual(await world.restingFor(BYSTANDER.accountId), [])
  }
  reach('void by a delivery')
})

test('an unmistakable block rests the route at once, though only one video met it', async () => {
  for (const name of ['rate_limited', 'block_page'] as const) {
    assert.ok(isUnmistakable(obstacle(name)))
    const world = open()
    await world.ask({ accountId: 'a', videoId: 'video' }, ({ route }) =>
      route.name === 'direct' ? obstructed(name) : WORDS,
    )
    assert.deepEqual(await world.restingFor(BYSTANDER.accountId), ['direct'], name)
  }
})

after(() => {
  if (!isSeedFixed) return
  const wanted = [
    'asked as a stranger',
    'many questions about one video',
    'one account kept away',
    'rests for everybody',
    'void by a delivery',
  ]
  for (const what of wanted) assert.ok((reached.get(what) ?? 0) > 0, `never came up: ${what}`)
})
