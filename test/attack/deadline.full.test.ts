/** The attacks' own harness: an attack that never ends is reported by its name, and the next one is tried. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Attack } from './attack.ts'
import { runAttacks } from './run-attacks.ts'

test('an attack that is never over fails at its deadline by name, and the next one is tried', async () => {
  const attacks: Attack[] = [
    {
      name: 'waiting for ever',
      class: 'endless requests',
      deadlineMs: 500,
      run: () => new Promise<string>(() => undefined),
    },
    {
      name: 'asking',
      class: 'endless requests',
      run: async ({ address }) => String((await fetch(address)).status),
    },
  ]
  const reports = []
  for await (const report of runAttacks({ after }, attacks)) reports.push(report)
  assert.deepEqual(
    reports.map(({ name, failure }) => [name, failure?.message ?? null]),
    [
      ['waiting for ever', 'not over within 0.5 s: waiting for ever'],
      ['asking', null],
    ],
  )
})
