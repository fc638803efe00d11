/** Which videos that were delivered before are fetched again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Job, Video } from '../../typescript/src/index.ts'
import { unchangedOf } from '../../typescript/src/earlier.ts'

const DATES = [
  '2025-12-31T23:59:59-01:00',
  '2026-01-01T00:00:00+00:00',
  '2026-02-01T23:59:59Z',
  '2026-02-02T00:00:00Z',
  null,
]
const rows = [
  ...DATES.map((publishedAt, index) => ({ index, status: 'unchanged', publishedAt })),
  { index: 9, status: 'success', publishedAt: '2026-01-15T00:00:00Z' },
] as Video[]

const ASKED: [after: string | null, before: string | null, wanted: number[]][] = [
  [null, null, [0, 1, 2, 3, 4]],
  ['2026-01-01', null, [1, 2, 3]],
  ['2026-01-01', '2026-02-01', [1, 2]],
  [null, '2025-12-31', [0]],
  ['2026-01-01T00:30', null, [0, 2, 3]],
  ['2026-01-01T00:30:00+01:00', '2026-02-01T23:59:59z', [0, 1, 2]],
]

for (const [publishedAfter, publishedBefore, wanted] of ASKED) {
  test(`between ${publishedAfter} and ${publishedBefore}`, () => {
    const job = { input: { publishedAfter, publishedBefore } } as Job
    assert.deepEqual(
      unchangedOf(job, rows).map(({ index }) => index),
      wanted,
    )
  })
}
