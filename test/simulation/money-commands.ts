/** What can happen to money in the simulation, one command each, and the runs that mix them. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { cancelJob } from '../../src/jobs/cancel-job.ts'
import type { Attempt } from '../../src/jobs/attempt.ts'
import { addCredit } from '../../src/billing/top-up.ts'
import { isUniqueViolation, transact } from '../../src/postgres/database.ts'
import { releaseJob } from '../../src/store/jobs.ts'
import type { Crash } from '../support/crashing-database.ts'
import {
  beginJob,
  endJob,
  orderJob,
  planVideos,
  recordVideo,
  videoLine,
} from '../support/money-fixtures.ts'
import * as model from './money-model.ts'
import { command, SITUATIONS, STORIES } from './money-stories.ts'
import {
  act,
  closeWorld,
  count,
  openWorld,
  OWNED,
  type MoneyStage,
  takeModelEvent,
  type MoneyWorld,
} from './money-world.ts'

const LINES = 2
const BATCHES = 5
const AT_ONCE = { min: 3, max: 6 }
/** Above the statements of any act: a crash there does not happen. */
const STATEMENTS_MAX = 14

const account = fc.nat({ max: OWNED.length - 1 })
const anyJob = fc.nat({ max: 99 })
const crash: fc.Arbitrary<Crash | null> = fc.oneof(
  { weight: 5, arbitrary: fc.constant(null) },
  {
    weight: 2,
    arbitrary: fc.record({
      at: fc.oneof(fc.integer({ min: 1, max: STATEMENTS_MAX }), fc.constant('commit' as const)),
      when: fc.constantFrom('before' as const, 'after' as const),
    }),
  },
)
/** 0: the current attempt; more: one that was replaced. */
const age = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 2 }) },
)

const post = fc
  .record({
    account,
    crash,
    line: fc.nat({ max: LINES }),
    asked: fc.integer({ min: 1, max: 6 }),
    key: fc.option(fc.constantFrom('k1', 'k2'), { freq: 2 }),
  })
  .map((given) =>
    command('post', given, (world, { crash, ...ask }) =>
      act(
        world,
        crash,
        (db) =>
          orderJob(db, world.queue, {
            accountId: world.accounts[ask.account]!,
            line: videoLine(ask.line),
            maxVideos: ask.asked,
            key: ask.key,
          }),
        () => model.post(world.model, ask),
      ),
    ),
  )

/** Different sets at once share what is there; one key at once makes one job. */
const postsAtOnce = fc
  .record({
    account,
    asked: fc.integer({ min: 1, max: 6 }),
    times: fc.integer(AT_ONCE),
    isOneKey: fc.boolean(),
    isTight: fc.boolean(),
  })
  .map((given) =>
    command(
      'postsAtOnce',
      given,
      async (world, { account, times, isOneKey, isTight, ...given }) => {
        const affordable = Math.floor(model.available(world.model, account) / model.PRICE)
        const asked = isTight ? Math.min(500, Math.max(1, affordable - 1)) : given.asked
        const first = 1_000 + world.jobIds.length * 10
        const line = (place: number): number => (isOneKey ? first : first + place)
        const key = isOneKey ? `at-once-${first}` : null
        const places = Array.from({ length: times }, (_, place) => place)
        await act(
          world,
          null,
          (db) =>
            Promise.allSettled(
              places.map((place) =>
                orderJob(db, world.queue, {
                  accountId: world.accounts[account]!,
                  line: videoLine(line(place)),
                  maxVideos: asked,
                  key,
                }),
              ),
            ),
          () => {
            const outcomes = places.map((place) =>
              model.post(world.model, { account, line: line(place), key, asked }),
            )
            if (isOneKey) return outcomes.includes('started') ? 'sameKeyAtOnce' : 'sameKeyRefused'
            relabel(world)
            return outcomes.includes('broke') && outcomes.some((one) => one !== 'broke')
              ? 'someRefusedAtOnce'
              : 'postedAtOnce'
          },
        )
      },
    ),
  )

/** Which of several at once came last and was capped or refused is not the model's to say. */
function relabel(world: MoneyWorld): void {
  world.model.jobs.slice(world.jobIds.length).forEach((job) => {
    job.line = -1
  })
}

/** An act on one of the jobs there are, by the attempt that is `age` older than the current one. */
function onJob(
  run: (
    world: MoneyWorld,
    at: { place: number; job: model.ModelJob; attempt: Attempt },
  ) => Promise<void>,
): (world: MoneyWorld, given: { job: number; age: number }) => Promise<void> {
  return async (world, { job: number, age }) => {
    if (world.jobIds.length === 0) return
    // Mostly the latest jobs: they are the ones that are still open.
    const place = Math.max(0, world.jobIds.length - 1 - (number % 3))
    const job = world.model.jobs[place]!
    const attempt = {
      jobId: world.jobIds[place]!,
      accountId: world.accounts[job.account]!,
      number: Math.max(0, job.attempt - age),
    }
    await run(world, { place, job, attempt })
  }
}

const deliverTask = fc.record({ job: anyJob, crash }).map((given) =>
  command('deliverTask', given, (world, { job, crash }) =>
    onJob((w, at) =>
      act(
        w,
        crash,
        (db) => beginJob(db, at.attempt),
        () => model.begin(w.model, at.job),
      ),
    )(world, { job, age: 0 }),
  ),
)

const planning = fc
  .record({ job: anyJob, age, crash, videos: fc.integer({ min: 1, max: 4 }) })
  .map((given) =>
    command('plan', given, (world, { videos, crash, ...which }) =>
      onJob(async (w, { job, attempt }) => {
        const before = job.rows.length
        const fits = Math.min(videos, job.max - before)
        if (fits === 0) return
        await act(
          w,
          crash,
          (db) => planVideos(db, attempt, { before, count: fits }),
          () => model.plan(job, attempt.number, fits),
        )
      })(world, which),
    ),
  )

const recordRow = fc
  .record({ job: anyJob, age, crash, row: fc.nat({ max: 5 }), isDelivered: fc.boolean() })
  .map((given) =>
    command('record', given, (world, { row, isDelivered, crash, ...which }) =>
      onJob(async (w, { job, attempt }) => {
        if (job.rows.length === 0) return
        const index = 1 + (row % job.rows.length)
        await act(
          w,
          crash,
          (db) => recordVideo(db, attempt, { index, isDelivered }),
          () => model.record(job, attempt.number, index, isDelivered),
        )
      })(world, which),
    ),
  )

const cancel = fc.record({ job: anyJob, crash }).map((given) =>
  command('cancel', given, (world, { job, crash }) =>
    onJob((w, at) =>
      act(
        w,
        crash,
        (db) => cancelJob(db, at.attempt),
        () => model.cancel(w.model, at.job),
      ),
    )(world, { job, age: 0 }),
  ),
)

const ending = fc
  .record({
    job: anyJob,
    age,
    crash,
    event: fc.constantFrom(
      'finish' as const,
      'fail' as const,
      'interrupt' as const,
      'stop' as const,
    ),
  })
  .map((given) =>
    command('end', given, (world, { event, crash, ...which }) =>
      onJob((w, { job, attempt }) =>
        act(
          w,
          crash,
          (db) => endJob(db, attempt, event),
          () => model.end(w.model, job, attempt.number, event),
        ),
      )(world, which),
    ),
  )

const handBack = fc.record({ job: anyJob, age }).map((given) =>
  command('handBack', given, (world, which) =>
    onJob((w, { job, attempt }) =>
      act(
        w,
        null,
        (db) => releaseJob(db, attempt),
        () => {
          if (attempt.number === job.attempt) job.isHeld = false
          return 'handedBack'
        },
      ),
    )(world, which),
  ),
)

const topUp = fc
  .record({
    account,
    crash,
    micros: fc.integer({ min: 1, max: 6 * model.PRICE }),
    reference: fc.nat({ max: 4 }),
  })
  .map((given) =>
    command('topUp', given, (world, { account, crash, micros, reference }) => {
      const name = `r${world.run}:${reference}`
      return act(
        world,
        crash,
        (db) =>
          transact(db, (tx) =>
            addCredit(tx, {
              accountId: world.accounts[account]!,
              micros: BigInt(micros),
              reference: name,
              reason: null,
            }),
          ).catch((error: unknown) => {
            if (!isUniqueViolation(error, 'ledger_entry_reference')) throw error
          }),
        () => model.topUp(world.model, account, micros, name),
      )
    }),
  )

/** What is paid and by whom is fixed for a payment; the same event may come again at any time. */
const paid = fc
  .record({ payment: fc.nat({ max: 4 }), copy: fc.nat({ max: 1 }) })
  .map(({ payment, copy }): model.ModelEvent => ({
    kind: 'paid',
    id: `paid${payment}-${copy}`,
    payment,
    account: payment % OWNED.length,
    micros: (payment + 1) * 3 * model.PRICE + payment,
  }))
const claimed = fc
  .record({ payment: fc.nat({ max: 4 }), claim: fc.nat({ max: 1 }), at: fc.nat({ max: 3 }) })
  .map(({ payment, claim, at }): model.ModelEvent => ({
    kind: 'claim',
    id: `claim${payment}-${claim}-${at}`,
    payment,
    claim: `re${payment}-${claim}`,
    at,
    asked: at % 2 === 0 ? (payment + 1) * 2 * model.PRICE : 0,
  }))

const webhook = fc
  .record({ told: fc.oneof(paid, claimed), crash, times: fc.constantFrom(1, 1, 3) })
  .map((given) =>
    command('webhook', given, (world, { told, crash, times }) =>
      act(
        world,
        times === 1 ? crash : null,
        (db) => Promise.all(Array.from({ length: times }, () => takeModelEvent(world, db, told))),
        () => {
          for (let again = 1; again < times; again += 1) count(world, 'webhookAtOnce')
          return model.event(world.model, told)
        },
      ),
    ),
  )

const COMMANDS = [
  post,
  post,
  post,
  postsAtOnce,
  postsAtOnce,
  deliverTask,
  deliverTask,
  planning,
  planning,
  recordRow,
  recordRow,
  cancel,
  ending,
  ending,
  handBack,
  topUp,
  topUp,
  webhook,
  webhook,
  ...STORIES,
]

/**
 * Runs of random commands, the audit after each; a failure prints seed and commands. Goes on for at
 * most BATCHES times as many runs while a situation has not happened yet, and fails if one never does.
 */
export async function simulate(
  stage: MoneyStage,
  { seed, runs, length }: { seed: number; runs: number; length: number },
): Promise<void> {
  const missing = (): string[] => SITUATIONS.filter((name) => !stage.counters.has(name))
  for (let batch = 0; batch < BATCHES && (batch === 0 || missing().length > 0); batch += 1) {
    await fc.assert(
      fc.asyncProperty(
        fc.commands(COMMANDS, { maxCommands: length, size: 'max' }),
        async (commands) => {
          const world = await openWorld(stage)
          await fc.asyncModelRun(() => ({ model: world.model, real: world }), commands)
          await closeWorld(world)
        },
      ),
      { seed: seed + batch, numRuns: runs, endOnFailure: true },
    )
  }
  assert.deepEqual(
    missing(),
    [],
    `never happened with seed ${seed}; there were ${[...stage.counters].join(' ')}`,
  )
}
