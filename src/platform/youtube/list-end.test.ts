/** Ends of lists: the other ways to ask for one, and when it is called cut. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { partOf, type Stage } from './list-cursor.ts'
import { endOf, firstPageToken, IDLE_PAGES_MAX, otherWays } from './list-end.ts'

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

test('whatever ends a list, more than two in a hundred or three below its header are told', () => {
  const ends = { idle: [0, 1, IDLE_PAGES_MAX], entries: [0, 1, 100], isDenied: [false, true] }
  for (const idle of ends.idle)
    for (const entries of ends.entries)
      for (const isDenied of ends.isDenied)
        fc.assert(
          fc.property(
            fc.integer({ min: 0, max: 20_000 }),
            fc.integer({ min: 0, max: 500 }),
            fc.boolean(),
            (counted, missing, isRounded) => {
              const listed = Math.max(0, counted - missing)
              const count = { videos: counted, isRounded }
              const part = { ...partOf(listOf(PL), count), idle, listed, videos: listed }
              const isHidden = counted - listed <= Math.max(3, counted / 50)
              const isRepeated = idle === IDLE_PAGES_MAX && entries > 0
              const rounded = isRounded ? { isAtLeast: true } : {}
              const repeats = isRepeated ? { kind: 'repeats', listed, pages: idle } : null
              const cut = { kind: 'cut', listed, counted, ...rounded }
              assert.deepEqual(endOf(part, { entries, isDenied }), isHidden ? repeats : cut)
              const denied = isDenied ? { kind: 'cut', listed, counted: null } : repeats
              assert.deepEqual(
                endOf({ ...part, counted: null, isCountRounded: false }, { entries, isDenied }),
                denied,
              )
            },
          ),
        )
})

test('of a list that repeats itself, its different videos count', () => {
  const last = { entries: 30, isDenied: false }
  const part = { ...partOf(listOf(PL), { videos: 350, isRounded: false }), listed: 286, videos: 80 }
  const idle = IDLE_PAGES_MAX
  assert.deepEqual(endOf({ ...part, idle }, last), { kind: 'cut', listed: 80, counted: 350 })
  assert.deepEqual(endOf({ ...part, listed: 400 }, last), { kind: 'cut', listed: 80, counted: 350 })
  assert.deepEqual(endOf({ ...part, idle, counted: null }, last), {
    kind: 'repeats',
    listed: 80,
    pages: 4,
  })
  assert.equal(endOf({ ...part, listed: 350 }, last), null, 'a list may hold videos twice')
})
