/** The scenarios: each a row that says what is done to which host, by which ways, and what must hold. */
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../support/until.ts'
import type { Bed } from './bed.ts'
import { closeBooks, expectNoneEnded, expectNothingLost, type HostFigures } from './books.ts'
import { isolatedHosts, loseCommits, thawOldPrimary } from './lost-primaries.ts'
import type { Commits } from './pair.ts'
import { restoreToPoint } from './restore.ts'
import { SERVICE_NAMES, type DatabaseWay } from './services.ts'

export type Scenario = {
  name: string
  what: string
  ways: readonly DatabaseWay[]
  commits: Commits
  /** Does it, waits until the service is back, closes the books and says what does not hold. */
  run(bed: Bed): Promise<HostFigures>
}

const BY_BALANCER_OR_URL = ['proxy', 'hosts'] as const
const PAUSE_MS = 1_500
/** Orders that are acknowledged before something happens, and after it. */
const MORE = 25
const CUT_MS = 62_000
const STANDBY_CUT_MS = 45_000
const NOTICE_MS_MAX = 6_000
/** The longest wait of 95 of 100 orders after a promotion, on a machine that does nothing else. */
const SERVED_MS_MAX = 15_000

/** Waits until the service works again, closes the books, and expects that nothing is lost. */
async function settle(bed: Bed, primary = bed.pair.first): Promise<HostFigures> {
  await bed.client.untilMore(MORE)
  const figures = await closeBooks(bed, primary)
  await expectNothingLost(bed, figures)
  return figures
}

/** Kills a process by force, and starts it again once others have gone on without it. */
async function killAndReplace(bed: Bed, name: 'worker1' | 'api1'): Promise<HostFigures> {
  bed.marks('event')
  await bed.services.running[name].ends('SIGKILL')
  await bed.client.untilMore(MORE)
  await bed.services.startAgain(name)
  return settle(bed)
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'S1',
    what: 'the primary is lost, a synchronous standby promoted',
    ways: ['patroni', ...BY_BALANCER_OR_URL],
    commits: 'sync',
    async run(bed) {
      const { pair, client } = bed
      bed.marks('event')
      pair.first.signals('SIGKILL')
      pair.first.cut()
      await pair.promote()
      bed.marks('promotion')
      await client.untilMore(MORE)
      const p95Ms = client.p95WaitMs(bed.marked.promotionMs ?? 0)
      bed.say(
        `95 of 100 waiting orders were acknowledged ${Math.round(p95Ms)} ms after the promotion`,
      )
      if (bed.isQuiet) bed.expects(p95Ms < SERVED_MS_MAX, `orders waited ${Math.round(p95Ms)} ms`)
      expectNoneEnded(bed)
      return settle(bed, pair.second)
    },
  },
  {
    name: 'S2',
    what: 'the primary is lost, an asynchronous standby promoted that was behind',
    ways: BY_BALANCER_OR_URL,
    commits: 'async',
    run: loseCommits,
  },
  {
    name: 'S3',
    what: 'the primary freezes, the standby is promoted, the old one thaws',
    ways: BY_BALANCER_OR_URL,
    commits: 'sync',
    run: thawOldPrimary,
  },
  {
    name: 'S4',
    what: 'a worker is killed',
    ways: BY_BALANCER_OR_URL,
    commits: 'async',
    run: (bed) => killAndReplace(bed, 'worker1'),
  },
  {
    name: 'S5',
    what: 'an API is killed',
    ways: BY_BALANCER_OR_URL,
    commits: 'async',
    run: (bed) => killAndReplace(bed, 'api1'),
  },
  {
    name: 'S6',
    what: 'the hosts of a worker and an API are cut off for a minute',
    ways: BY_BALANCER_OR_URL,
    commits: 'async',
    async run(bed) {
      const { worker1, api1 } = bed.network.hosts
      bed.marks('event')
      worker1.cut()
      api1.cut()
      await sleep(CUT_MS)
      worker1.mend()
      api1.mend()
      expectNoneEnded(bed)
      return settle(bed)
    },
  },
  {
    name: 'S7',
    what: 'the asynchronous standby is lost',
    ways: BY_BALANCER_OR_URL,
    commits: 'async',
    async run(bed) {
      const { client, pair } = bed
      const refused = client.refusals.length
      bed.marks('event')
      pair.second.signals('SIGKILL')
      pair.second.cut()
      await client.untilMore(3 * MORE)
      bed.expects(
        client.refusals.length === refused,
        'orders were refused, though nothing was lost',
      )
      return settle(bed)
    },
  },
  {
    name: 'S8',
    what: 'the balancer is killed and started, an API stopped',
    ways: BY_BALANCER_OR_URL,
    commits: 'async',
    async run(bed) {
      const { client, services } = bed
      bed.marks('event')
      await bed.killsBalancer()
      await sleep(PAUSE_MS)
      await bed.startsBalancer()
      await client.untilMore(MORE)
      const refused = client.refusals.length
      await services.running.api2.ends('SIGTERM')
      await client.untilMore(MORE)
      const since = client.refusals.slice(refused)
      bed.expects(since.length === 0, `a stopping API refused: ${whysOf(since)}`)
      await services.startAgain('api2')
      return settle(bed)
    },
  },
  {
    name: 'S9',
    what: 'all four processes are replaced, one after another',
    ways: BY_BALANCER_OR_URL,
    commits: 'async',
    async run(bed) {
      const { client, services } = bed
      const refused = client.refusals.length
      bed.marks('event')
      for (const name of SERVICE_NAMES) {
        await services.running[name].ends('SIGTERM')
        await services.startAgain(name)
        await sleep(2 * PAUSE_MS) // the balancer has to see the new one before the next goes
      }
      const since = client.refusals.slice(refused)
      bed.expects(since.length === 0, `orders were refused: ${whysOf(since)}`)
      return settle(bed)
    },
  },
  {
    name: 'S10',
    what: 'the primary restarts where it is',
    ways: BY_BALANCER_OR_URL,
    commits: 'sync',
    async run(bed) {
      bed.marks('event')
      await bed.pair.restart(bed.pair.first)
      bed.marks('promotion')
      await bed.client.untilMore(MORE)
      expectNoneEnded(bed)
      return settle(bed)
    },
  },
  {
    name: 'S11',
    what: 'the synchronous standby is cut off, and comes back',
    ways: BY_BALANCER_OR_URL,
    commits: 'sync',
    run: cutSynchronousStandby,
  },
  {
    name: 'S12',
    what: 'the cable of the primary is cut, the standby promoted; its address moves, or stands in the URL',
    ways: ['address', 'hosts'],
    commits: 'sync',
    run: isolatedHosts,
  },
  {
    name: 'S13',
    what: 'both servers are lost with their disks, and restored to a point in time',
    ways: ['patroni'],
    commits: 'sync',
    run: restoreToPoint,
  },
]

/** Every process says that it cannot serve while no commit is confirmed, and says so in time. */
async function cutSynchronousStandby(bed: Bed): Promise<HostFigures> {
  const { pair, services, client } = bed
  const ready = await Promise.all(SERVICE_NAMES.map((name) => services.readyz(name)))
  bed.expects(
    ready.every((status) => status === 200),
    `/readyz was ${ready.join(', ')} before anything happened`,
  )
  const begunAtMs = performance.now()
  bed.marks('event')
  pair.second.cut()
  const noticed = await Promise.all(
    SERVICE_NAMES.map((name) =>
      until(`${name} is not ready`, async () => (await services.readyz(name)) === 503, CUT_MS / 2)
        .then((ms) => bed.say(`${name}: /readyz is 503 after ${Math.round(ms)} ms`) ?? ms)
        .catch(() => Infinity),
    ),
  )
  const late = SERVICE_NAMES.filter((_, at) => (noticed[at] ?? Infinity) > NOTICE_MS_MAX)
  bed.expects(late.length === 0, `/readyz of ${late.join(', ')} was not 503 within 6 s`)
  await sleep(Math.max(0, STANDBY_CUT_MS - (performance.now() - begunAtMs)))
  const before = client.acknowledged().length
  pair.second.mend()
  bed.marks('promotion')
  bed.say(`the standby is back; ${before} orders were acknowledged so far`)
  await client.untilMore(MORE)
  for (const name of SERVICE_NAMES)
    await until(`${name} is ready again`, async () => (await services.readyz(name)) === 200)
  const againMs = Math.round(performance.now() - (bed.marked.promotionMs ?? 0))
  bed.say(`all are ready again ${againMs} ms after the standby is, at most`)
  expectNoneEnded(bed)
  return settle(bed)
}

function whysOf(refusals: { why: string }[]): string {
  const counts = Map.groupBy(refusals, ({ why }) => why)
  return [...counts].map(([why, all]) => `${all.length} × ${why}`).join(', ')
}
