/** The commands of the simulation that move money through jobs, one each. */
import fc from 'fast-check'
import { cancelJob } from '../../src/features/jobs/cancel-job.ts'
import type { Attempt } from '../../src/model/jobs/attempt.ts'
import { releaseJob } from '../../src/store/jobs.ts'
import { endJob, orderJob, planVideos, recordVideos, videoLine } from '../support/money-fixtures.ts'
import * as model from './money-model.ts'
import { crash } from './money-payments.ts'
import { command } from './money-stories.ts'
import { act, OWNED, takes, type MoneyWorld } from './money-world.ts'

const LINES = 2
const AT_ONCE = { min: 3, max: 6 }

const account = fc.nat({ max: OWNED.length - 1 })
const anyJob = fc.nat({ max: 99 })
/** Age of an attempt: 0 is the current one, more is a replaced one. */
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
          orderJob(db, {
            accountId: world.accounts[ask.account]!,
            line: videoLine(ask.line),
            maxVideos: ask.asked,
            key: ask.key,
          }),
        () => model.post(world.model, ask),
      ),
    ),
  )

/** Different sets at once share the balance; one key at once makes one job. */
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
        const line = (index: number): number => (isOneKey ? first : first + index)
        const key = isOneKey ? `at-once-${first}` : null
        const indexes = Array.from({ length: times }, (_, index) => index)
        await act(
          world,
          null,
          (db) =>
            Promise.allSettled(
              indexes.map((index) =>
                orderJob(db, {
                  accountId: world.accounts[account]!,
                  line: videoLine(line(index)),
                  maxVideos: asked,
                  key,
                }),
              ),
            ),
          () => {
            const outcomes = indexes.map((index) =>
              model.post(world.model, { account, line: line(index), key, asked }),
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

/** Forgets the lines of jobs posted at once: the model cannot say which came last and was capped or refused. */
function relabel(world: MoneyWorld): void {
  world.model.jobs.slice(world.jobIds.length).forEach((job) => {
    job.line = -1
  })
}

/** Runs an act on one of the jobs, by the attempt that is `age` older than the current one. */
function onJob(
  run: (
    world: MoneyWorld,
    at: { index: number; job: model.ModelJob; attempt: Attempt },
  ) => Promise<void>,
): (world: MoneyWorld, given: { job: number; age: number }) => Promise<void> {
  return async (world, { job: number, age }) => {
    if (world.jobIds.length === 0) return
    // The latest jobs are chosen mostly, since they are still open.
    const index = Math.max(0, world.jobIds.length - 1 - (number % 3))
    const job = world.model.jobs[index]!
    const attempt = {
      jobId: world.jobIds[index]!,
      accountId: world.accounts[job.account]!,
      number: Math.max(0, job.attempt - age),
    }
    await run(world, { index, job, attempt })
  }
}

const deliverTask = fc
  .record({ job: anyJob, crash })
  .map((given) =>
    command('deliverTask', given, (world, { job, crash }) =>
      onJob((w, at) => takes(w, at.job, { owned: at.attempt, crash }))(world, { job, age: 0 }),
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

const row = fc.record({ at: fc.nat({ max: 5 }), isDelivered: fc.boolean() })
const rows = fc.uniqueArray(row, { selector: ({ at }) => at, minLength: 1, maxLength: 3 })

const recordRows = fc.record({ job: anyJob, age, crash, rows }).map((given) =>
  command('record', given, (world, { rows, crash, ...which }) =>
    onJob(async (w, { job, attempt }) => {
      const videos = rows
        .filter(({ at }) => at < job.rows.length)
        .map(({ at, isDelivered }) => ({ index: at + 1, isDelivered }))
      if (videos.length === 0) return
      await act(
        w,
        crash,
        (db) => recordVideos(db, attempt, videos),
        () => model.recordTogether(job, attempt.number, videos),
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
        () => model.handBack(job, attempt.number),
      ),
    )(world, which),
  ),
)

export const JOB_COMMANDS = [
  post,
  post,
  post,
  postsAtOnce,
  postsAtOnce,
  deliverTask,
  deliverTask,
  planning,
  planning,
  recordRows,
  recordRows,
  cancel,
  ending,
  ending,
  handBack,
]
