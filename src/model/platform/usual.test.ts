/** What is usual: what was seen, and how far so few answers can be trusted. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { CONTENT_ANSWERS, usualOf } from './usual.ts'

const since = { hits: 0, answers: 0 }

function seen(answers: number, hits: number) {
  const counts = new Map([
    [CONTENT_ANSWERS, answers],
    ['no_captions', hits],
  ])
  return usualOf([{ total: answers, hits: counts }], {
    verdict: 'no_captions',
    isContent: true,
    since,
  })
}

test('a share that chance made small is not held against what comes later', () => {
  const [few, many] = [seen(300, 18), seen(30_000, 1_800)]
  assert.ok(few !== null && many !== null)
  assert.ok(few.atMost > 0.085, 'nine in a hundred are as usual as the six that were seen')
  assert.ok(many.atMost < 0.065, 'a hundred times as many answers leave little doubt')
  for (const { share } of [few, many]) assert.ok(share > 0.055 && share < 0.065)
})

test('before enough sources were seen nothing is usual', () => {
  assert.equal(seen(199, 20), null)
})

test('of an obstacle, what it was thought to be is doubt enough', () => {
  const counts = { total: 1_000, hits: new Map([['captcha', 2]]) }
  const usual = usualOf([counts], { verdict: 'captcha', isContent: false, since })
  assert.ok(usual !== null && usual.atMost === usual.share && usual.share > 0.002)
})
