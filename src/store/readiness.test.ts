/** However many callers ask whether a process is ready, one look answers them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openReadiness, READINESS_KEPT_MS } from './readiness.ts'

test('one look answers all who ask while it lasts and for a moment after', async () => {
  let [now, looks] = [0, 0]
  const answers: ((missing: string[]) => void)[] = []
  const readiness = openReadiness(
    {
      find() {
        looks += 1
        return new Promise((resolve) => answers.push(resolve))
      },
      commitsHang: () => false,
    },
    () => now,
  )
  const crowd = Array.from({ length: 100 }, () => readiness.look())
  now = READINESS_KEPT_MS * 10 // a slow look is not joined by a second one
  const late = readiness.look()
  answers[0]?.(['database'])
  assert.deepEqual(new Set((await Promise.all([...crowd, late])).flat()), new Set(['database']))
  assert.equal(looks, 1)

  const next = readiness.look()
  answers[1]?.([])
  assert.deepEqual(await next, [], 'what was missing is looked for again')
  now += READINESS_KEPT_MS - 1
  assert.deepEqual(await readiness.look(), [])
  assert.equal(looks, 2)
})
