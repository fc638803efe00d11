/** The attacks' own harness: one that never ends is told by its name, and the next one is tried. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runAttacks } from './run-attacks.ts'

test('an attack that is never over fails at its deadline by name, and the next one is tried', async () => {
  const attacks = [
    { name: 'waiting for ever', deadlineMs: 500, run: () => new Promise<string>(() => undefined) },
    {
      name: 'asking',
      run: async ({ address }: { address: string }) => String((await fetch(address)).status),
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
