/**
 * Short stories for the simulation: sequences that random commands alone reach too seldom. Each can
 * start at any moment of a run, whatever happened before.
 */
import fc from 'fast-check'
import { cancelJob } from '../../src/features/jobs/cancel-job.ts'
import type { Attempt } from '../../src/model/jobs/attempt.ts'
import type { Db } from '../../src/store/database.ts'
import {
  endJob,
  LOST_MAX,
  orderJob,
  planVideos,
  type RowOutcome,
  recordVideo,
  recordVideos,
  videoLine,
} from '../support/money-fixtures.ts'
import { releaseJob } from '../../src/store/jobs.ts'
import * as model from './money-model.ts'
import { act, OWNED, takeModelEvent, takes, type MoneyWorld } from './money-world.ts'

export type Command = fc.AsyncCommand<model.Model, MoneyWorld>

export function command<T>(
  name: string,
  given: T,
  run: (world: MoneyWorld, given: T) => Promise<void>,
): Command {
  return {
    check: () => true,
    run: (_model, world) => run(world, given),
    toString: () => `${name}(${fc.stringify(given)})`,
  }
}

/** Situations that must all have happened, or the simulation proves nothing about them. */
export const SITUATIONS = [
  'started',
  'capped',
  'broke',
  'duplicate',
  'replayed',
  'conflict',
  'someRefusedAtOnce',
  'sameKeyAtOnce',
  'begun',
  'redelivered',
  'fencedOff',
  'planned',
  'delivered',
  'free',
  'repeated',
  'repeatedInPart',
  'recordedTogether',
  'handedBack',
  'cancelling',
  'cancelledBetweenTurns',
  'finished',
  'cancelled',
  'failed',
  'interrupted',
  'chargedNothing',
  'chargedPart',
  'chargedAll',
  'crashedBeforeCommit',
  'crashedAfterCommit',
  'toppedUp',
  'doubleTopUp',
  'paid',
  'paidTwice',
  'duplicateWebhook',
  'webhookAtOnce',
  'claimTaken',
  'claimReturned',
  'claimBeforePayment',
  'claimWithoutPayment',
  'lateEvent',
  'stoppedAtZero',
] as const

const account = fc.nat({ max: OWNED.length - 1 })

/** Returns a number for lines, payments and keys that nothing else in the run uses. */
const fresh = (world: MoneyWorld): number =>
  1_000_000 + world.jobIds.length * 1_000 + world.model.events.size

type Ordered = { job: model.ModelJob; attempt(number: number): Attempt }

async function orders(
  world: MoneyWorld,
  ask: { account: number; line: number; key: string | null; asked: number },
): Promise<Ordered | null> {
  const accountId = world.accounts[ask.account] ?? ''
  const { line, asked: maxVideos, key } = ask
  await act(
    world,
    null,
    (db) => orderJob(db, { accountId, line: videoLine(line), maxVideos, key }),
    () => model.post(world.model, ask),
  )
  const index = world.model.jobs.findIndex((one) => one.line === ask.line)
  const job = world.model.jobs[index]
  return job === undefined
    ? null
    : { job, attempt: (number) => ({ jobId: world.jobIds[index] ?? '', accountId, number }) }
}

/** A job is lost by worker after worker, recorded twice, and ends somehow. */
const workers = fc
  .record({
    account,
    asked: fc.integer({ min: 1, max: 4 }),
    delivered: fc.nat({ max: 4 }),
    /** `together` rows are recorded in one go, and `again` of the rows before once more. */
    together: fc.integer({ min: 1, max: 4 }),
    again: fc.nat({ max: 1 }),
    losses: fc.nat({ max: LOST_MAX }),
    event: fc.constantFrom(
      'finish' as const,
      'finish' as const,
      'fail' as const,
      'interrupt' as const,
    ),
    isCancelled: fc.boolean(),
  })
  .map((given) =>
    command(
      'workers',
      given,
      async (world, { account, asked, delivered, together, again, losses, event, isCancelled }) => {
        const ordered = await orders(world, { account, line: fresh(world), key: null, asked })
        if (ordered === null) return
        const { job, attempt } = ordered
        const taken = (): Promise<void> => takes(world, job, { owned: attempt(0), crash: null })
        const videos = Array.from({ length: asked }, (_, at) => ({
          index: at + 1,
          isDelivered: at < delivered,
        }))
        const records = (recorded: RowOutcome[]): Promise<void> =>
          act(
            world,
            null,
            (db) => recordVideos(db, attempt(1), recorded),
            () => model.recordTogether(job, 1, recorded),
          )
        const first = [{ index: 1, isDelivered: true }]

        await taken()
        await act(
          world,
          null,
          (db) => planVideos(db, attempt(1), { before: 0, count: job.max }),
          () => model.plan(job, 1, job.max),
        )
        for (let from = 0; from < job.max; from += together)
          await records(videos.slice(Math.max(0, from - again), Math.min(from + together, job.max)))
        await records(first)
        for (let lost = 0; lost < losses; lost += 1) await taken()
        await records(first)
        if (isCancelled)
          await act(
            world,
            null,
            (db) => cancelJob(db, attempt(0)),
            () => model.cancel(world.model, job),
          )
        await act(
          world,
          null,
          (db) => endJob(db, attempt(1), event),
          () => model.end(world.model, job, 1, event),
        )
        const last = job.attempt
        await act(
          world,
          null,
          (db) => endJob(db, attempt(last), event),
          () => model.end(world.model, job, last, event),
        )
        await taken()
      },
    ),
  )

/** A job whose worker hands it back in the middle is cancelled before another worker takes it. */
const betweenTurns = fc.record({ account, delivered: fc.nat({ max: 1 }) }).map((given) =>
  command('betweenTurns', given, async (world, { account, delivered }) => {
    const ordered = await orders(world, { account, line: fresh(world), key: null, asked: 2 })
    if (ordered === null) return
    const { job, attempt } = ordered
    const steps: [real: (db: Db) => Promise<unknown>, told: () => string][] = [
      [
        (db) => planVideos(db, attempt(1), { before: 0, count: job.max }),
        () => model.plan(job, 1, job.max),
      ],
      ...Array.from({ length: delivered }, (): [(db: Db) => Promise<unknown>, () => string] => [
        (db) => recordVideo(db, attempt(1), { index: 1, isDelivered: true }),
        () => model.record(job, 1, 1, true),
      ]),
      [(db) => releaseJob(db, attempt(1)), () => model.handBack(job, 1)],
      [(db) => cancelJob(db, attempt(0)), () => model.cancel(world.model, job)],
      [(db) => endJob(db, attempt(1), 'finish'), () => model.end(world.model, job, 1, 'finish')],
    ]
    await takes(world, job, { owned: attempt(0), crash: null })
    for (const [real, told] of steps) await act(world, null, real, told)
  }),
)

/** One order is sent again and again: replayed, in conflict, and without its key a duplicate. */
const repeats = fc.record({ account }).map((given) =>
  command('repeats', given, async (world, { account }) => {
    const line = fresh(world)
    const ask = { account, line, key: `again-${line}`, asked: 1 }
    await orders(world, ask)
    await orders(world, ask)
    await orders(world, { ...ask, asked: 2 })
    await orders(world, { ...ask, key: null })
  }),
)

/** A payment with refunds and disputes, told in some order, partly twice. */
const payments = fc
  .record({
    account,
    order: fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }),
    isSpent: fc.boolean(),
    asked: fc.integer({ min: 1, max: 4 }),
  })
  .map((given) =>
    command('payments', given, async (world, { account, order: indexes, isSpent, asked }) => {
      const payment = fresh(world)
      const claim = (name: string, at: number, transcripts: number): model.ModelEvent => ({
        kind: 'claim',
        id: `${name}-${payment}-${at}`,
        payment,
        claim: `${name}-${payment}`,
        at,
        asked: transcripts * model.PRICE,
      })
      const told: model.ModelEvent[] = [
        { kind: 'paid', id: `paid-${payment}`, payment, account, micros: 4 * model.PRICE },
        { kind: 'paid', id: `again-${payment}`, payment, account, micros: 4 * model.PRICE },
        claim('re', 1, asked),
        claim('dp', 1, 3),
        claim('dp', 2, 0),
      ]
      const tell = (event: model.ModelEvent): Promise<void> =>
        act(
          world,
          null,
          (db) => takeModelEvent(world, db, event),
          () => model.applyEvent(world.model, event),
        )
      for (const index of indexes) {
        const event = told[index]
        if (event === undefined) continue
        await tell(event)
        if (isSpent && event.kind === 'paid')
          await orders(world, { account, line: fresh(world), key: null, asked: 500 })
      }
      for (const index of indexes.slice(0, 2)) await tell(told[index] ?? told[0]!)
    }),
  )

export const STORIES = [workers, workers, betweenTurns, repeats, payments, payments]
