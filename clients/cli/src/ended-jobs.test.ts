/** Which jobs have ended: each once, in order, including jobs that newer ones push off the first page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Job, JobList, Scriptorium } from '../../typescript/src/index.ts'
import { EndedJobs } from './ended-jobs.ts'

const LIMIT = 50

/** Returns an account whose jobs start and end when the test says so, newest first. */
function accountOf() {
  const jobs: Job[] = []
  let ends = 0
  const client = {
    jobs: {
      list: async ({ offset = 0 }) => {
        const end = offset + LIMIT
        return {
          jobs: jobs.slice(offset, end).map((job) => ({ ...job })),
          nextOffset: end < jobs.length ? end : null,
        } as JobList
      },
      get: async (id: string) => ({ ...jobs.find((job) => job.id === id) }) as Job,
    },
  } as unknown as Pick<Scriptorium, 'jobs'>
  return {
    client,
    start(count: number): void {
      for (let n = 0; n < count; n += 1)
        jobs.unshift({
          id: String(jobs.length),
          state: 'running',
          createdAt: new Date().toISOString(),
          finishedAt: null,
        } as Job)
    },
    /** Ends the open job at this place, counted from the oldest; returns its id, or null. */
    end(place: number): string | null {
      const open = jobs.filter(({ state }) => state === 'running').toReversed()
      const job = open[place % Math.max(1, open.length)]
      if (job === undefined) return null
      ends += 1
      Object.assign(job, { state: 'finished', finishedAt: new Date(ends * 1000).toISOString() })
      return job.id
    },
  }
}

test('each job that ends is told once, in order, whatever starts meanwhile', async () => {
  const step = fc.record({
    starts: fc.integer({ min: 0, max: 120 }),
    ends: fc.array(fc.nat(200), { maxLength: 20 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      const account = accountOf()
      const ended = new EndedJobs(account.client)
      for (const [at, { starts, ends }] of steps.entries()) {
        account.start(starts)
        const expected = ends.flatMap((place) => account.end(place) ?? [])
        const told = (await ended.look()).map(({ id }) => id)
        // The first look only learns which jobs there are.
        assert.deepEqual(told, at === 0 ? [] : expected)
      }
    }),
    { numRuns: 30 },
  )
})

test('a job is told that was open behind a page of ended ones when somebody began to look', async () => {
  const account = accountOf()
  account.start(LIMIT + 2)
  for (let n = 0; n <= LIMIT; n += 1) account.end(1)
  const ended = new EndedJobs(account.client)
  assert.deepEqual(await ended.look(), [])
  const oldest = account.end(0)
  assert.deepEqual(
    (await ended.look()).map(({ id }) => id),
    [oldest],
  )
})

test('a job that starts while pages are read has no other told twice', async () => {
  const account = accountOf()
  account.start(1)
  const { list } = account.client.jobs
  const client = {
    jobs: {
      ...account.client.jobs,
      list: async (page: { offset: number }) => {
        const answer = await list(page)
        if (page.offset === 0) account.start(1)
        return answer
      },
    },
  } as unknown as typeof account.client
  const ended = new EndedJobs(client)
  await ended.look()
  account.start(LIMIT)
  const ids = Array.from({ length: LIMIT }, () => account.end(0))
  assert.deepEqual(
    (await ended.look()).map(({ id }) => id),
    ids,
  )
})
