/** How much the downloads of accounts may hold. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../kit/problem.ts'
import { openDownloads } from './downloads.ts'

const MB = 1024 * 1024
const refusedWith = (code: string) => (error: unknown) =>
  error instanceof Problem && error.code === code && error.headers['Retry-After'] !== undefined

test('an account holds a quarter of the memory for very long texts, but always one', () => {
  const { hold } = openDownloads()
  hold('a', 40 * MB)
  hold('a', 24 * MB)
  assert.throws(() => hold('a', 3 * MB), refusedWith('rate_limited'))
  hold('a', 2 * MB) // is no very long text
  const giveBack = hold('b', 100 * MB)
  assert.throws(() => hold('b', 3 * MB), refusedWith('rate_limited'))
  giveBack()
  giveBack() // a second call gives back nothing of another answer
  hold('b', 64 * MB)
  assert.throws(() => hold('b', 3 * MB), refusedWith('rate_limited'))
})

test('all accounts hold no more than there is, whatever each of them may', async () => {
  const { hold, holdLater } = openDownloads()
  const [giveBack] = ['a', 'b', 'c', 'd'].map((account) => hold(account, 64 * MB))
  assert.throws(() => hold('e', 3 * MB), refusedWith('server_busy'))
  const later = holdLater('e', 3 * MB)
  giveBack?.()
  await later
  assert.throws(() => hold('f', 64 * MB), refusedWith('server_busy'))
  hold('f', 61 * MB)
})
