/** Ends of lists: the other ways to ask for one, and when it is called cut. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { partOf, type Stage } from './list-cursor.ts'
import { endOf, firstPageToken, otherWays } from './list-end.ts'

const UC = 'UCTwECeGqMZee77BjdoYtI2Q'
const UU = `UU${UC.slice(2)}`
const UUSH = `UUSH${UC.slice(2)}`
const PL = 'PLWwAypAcFRgKAIIFqBr9oy-ZYZnixa_Fj'

const listOf = (playlistId: string): Stage => ({ playlistId, channelId: null, tab: null })

/** Returns what each way asks for; `!` marks a token made by ourselves. */
const waysOf = (stage: Stage, isOfShorts: boolean): string[] =>
  otherWays(stage, isOfShorts).map((way) => {
    if (way.playlistId === null) return `${way.channelId} ${way.tab}`
    return way.isByToken === true ? `${way.playlistId}!` : way.playlistId
  })

test('each kind of list has its other ways, and none leads back to itself', () => {
  assert.deepEqual(waysOf(listOf(UU), true), [UUSH, `${UU}!`, `${UC} shorts`])
  assert.deepEqual(waysOf(listOf(UUSH), true), [`${UUSH}!`, `${UC} shorts`])
  assert.deepEqual(waysOf(listOf(UU), false), [`${UU}!`])
  assert.deepEqual(waysOf(listOf(PL), true), [`${PL}!`])
  assert.deepEqual(waysOf({ ...listOf(PL), isByToken: true } as Stage, true), [])
  assert.deepEqual(waysOf({ playlistId: null, channelId: UC, tab: 'shorts' }, true), [])
})

test('the token of a first page is the one that was recorded', () => {
  assert.equal(
    firstPageToken(PL),
    '4qmFsgJdEiRWTFBMV3dBeXBBY0ZSZ0tBSUlGcUJyOW95LVpZWm5peGFfRmoaEENBRENCZ0lJQUElM0QlM0SaAiJQTFd3QXlwQWNGUmdLQUlJRnFCcjlveS1aWVpuaXhhX0Zq',
  )
})

test('no list is cut that hides a tenth or less, and every list that shows a full page of less than four fifths is', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (counted, share) => {
        const listed = Math.ceil(counted * share)
        const part = { ...partOf(listOf(PL), { videos: counted, isRounded: false }), listed }
        const entries = Math.min(100, listed)
        const isCut = endOf(part, entries)?.kind === 'cut'
        if (counted - listed <= Math.max(10, counted / 10))
          assert.ok(!isCut, `${listed} of ${counted}`)
        if (entries === 100 && listed < counted * 0.8) assert.ok(isCut, `${listed} of ${counted}`)
        assert.equal(endOf({ ...part, counted: null }, entries), null)
      },
    ),
  )
})
