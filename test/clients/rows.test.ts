/** Reading rows of a job that goes on while it is read: each row once, whatever the timing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { eachRow, rowsAt, type RowSource } from '../../clients/typescript/src/results.ts'
import type { Results, Video } from '../../clients/typescript/src/schema.ts'

/** Returns a job whose rows are recorded in `completion` order, some more before each page, until it is final. */
function jobOf(completion: readonly number[], steps: readonly number[]) {
  let recorded = 0
  let isFinal = false
  const requests = { full: 0, rows: 0 }
  let at = 0
  const goOn = (): void => {
    const step = steps[at++ % steps.length] ?? 1
    if (recorded === completion.length && step > 0) isFinal = true
    recorded = Math.min(completion.length, recorded + step)
  }
  const source: RowSource = {
    page({ offset, limit, view = 'full' }) {
      goOn()
      requests[view] += 1
      const present = completion.slice(0, recorded)
      const order = isFinal ? present.toSorted((a, b) => a - b) : present
      const videos = order.slice(offset, offset + limit).map((index) => ({ index }) as Video)
      const end = offset + videos.length
      return Promise.resolve({
        complete: isFinal,
        total: order.length,
        nextOffset: end < order.length ? end : null,
        videos,
      } as Results)
    },
    pause: () => Promise.resolve(goOn()),
  }
  return { source, requests }
}

const completions = fc
  .uniqueArray(fc.integer({ min: 1, max: 2_000 }), { maxLength: 400 })
  .filter((indexes) => indexes.every((index) => index > 0))

test('each row is read once, in whatever order it was recorded and whenever the job ends', async () => {
  await fc.assert(
    fc.asyncProperty(
      completions,
      fc
        .array(fc.integer({ min: 0, max: 120 }), { minLength: 1, maxLength: 5 })
        .filter((steps) => steps.some((step) => step > 0)),
      async (completion, steps) => {
        const { source } = jobOf(completion, steps)
        const read: number[] = []
        for await (const { index } of eachRow(source)) read.push(index)
        assert.equal(new Set(read).size, read.length)
        assert.deepEqual(new Set(read), new Set(completion))
      },
    ),
    { numRuns: 300 },
  )
})

test('rows are found by their index, also behind some that were never finished, and at once where there are none such', async () => {
  await fc.assert(
    fc.asyncProperty(completions, fc.infiniteStream(fc.boolean()), async (completion, coins) => {
      const { source } = jobOf(completion, [completion.length, 1])
      for await (const _ of eachRow(source)); // until it is final
      const wanted = completion.filter(() => coins.next().value)
      const read: number[] = []
      for await (const { index } of rowsAt(source, wanted)) read.push(index)
      assert.equal(new Set(read).size, read.length)
      assert.deepEqual(new Set(read), new Set(wanted))
    }),
  )
  const { source, requests } = jobOf([1, 2, 3, 4, 5], [5, 1])
  for await (const _ of eachRow(source)); // until it is final
  requests.full = 0
  for await (const _ of rowsAt(source, [5, 2])); // one page has both
  assert.deepEqual(requests, { full: 1, rows: 0 })
})

test('what was read while a job ran is not read again when it is over', async () => {
  const completion = Array.from({ length: 400 }, (_, at) => 400 - at)
  const { source, requests } = jobOf(completion, [400, 0, 0, 0, 0, 0, 0, 0, 1])
  let rows = 0
  for await (const _ of eachRow(source)) rows += 1
  assert.equal(rows, 400)
  assert.deepEqual(requests, { full: 9, rows: 0 })
})
