/** Admission of jobs: by hand, and for any order in which accounts come and ask for as much as they get. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whims } from '../../../test/simulation/selection-world.ts'
import { isAdmitted } from './allowance.ts'

const CASES: [max: number, ofAccount: number, otherAccounts: number, isIn: boolean][] = [
  [1, 0, 0, true],
  [1, 1, 0, false],
  [1, 0, 1, false],
  [2, 0, 0, true],
  [2, 1, 0, false],
  [2, 0, 1, true],
  [2, 0, 2, false],
  [4, 1, 0, true],
  [4, 2, 0, false],
  [4, 0, 3, true],
  [4, 1, 3, false],
  [4, 0, 4, false],
  [100, 49, 0, true],
  [100, 50, 0, false],
  [100, 0, 2, true],
  [100, 32, 2, true],
  [100, 33, 2, false],
  [100, 0, 99, true],
  [100, 1, 99, false],
  [100, 0, 100, false],
]

test('an account gets an equal share of the places, never more than half', () => {
  for (const [max, ofAccount, otherAccounts, isIn] of CASES) {
    assert.equal(
      isAdmitted({ ofAccount, otherAccounts }, max),
      isIn,
      `${ofAccount} of ${max} beside ${otherAccounts}`,
    )
  }
})

test('who has none is let in while there is room for an account, and open jobs stay bounded, in any order', () => {
  for (const max of [1, 2, 3, 7, 24, 100, 1000]) {
    for (let seed = 1; seed <= 20; seed += 1) {
      const open: number[] = []
      const whim = whims(seed * max)
      for (let step = 0; step < 6 * max; step += 1) {
        // Accounts are greedy in turns; now and then a new one comes.
        const isNew = open.length === 0 || whim(5) === 0
        const at = isNew ? open.length : whim(open.length)
        const ofAccount = open[at] ?? 0
        const isIn = isAdmitted(
          {
            ofAccount,
            otherAccounts: open.filter((count, other) => other !== at && count > 0).length,
          },
          max,
        )
        if (isNew) assert.equal(isIn, open.length < max)
        if (isIn) open[at] = ofAccount + 1
      }
      const all = open.reduce((sum, count) => sum + count, 0)
      assert.ok(all <= max * (1 + Math.log(max)), `${all} open jobs of ${max}`)
    }
  }
})

test('the bound is met by accounts that come one after another and take all they get', () => {
  const max = 100
  const open: number[] = []
  for (let account = 0; account < max; account += 1) {
    while (isAdmitted({ ofAccount: open[account] ?? 0, otherAccounts: account }, max))
      open[account] = (open[account] ?? 0) + 1
  }
  const all = open.reduce((sum, count) => sum + count, 0)
  assert.ok(all > 4 * max && all <= max * (1 + Math.log(max)), `${all}`)
})
