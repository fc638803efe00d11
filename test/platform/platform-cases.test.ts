/** The cases asked of the emulator: every kind exists there and comes as it should; what does not is told. */
import assert from 'node:assert/strict'
import test from 'node:test'
import type { FaultRule } from '../../emulator/faults.ts'
import { examiningBudget } from '../../src/platform/egress/examining-budget.ts'
import { readCasesFile } from '../../src/platform/youtube/platform-cases.ts'
import { runCases } from '../../src/platform/youtube/run-cases.ts'
import { localBudget, nearPlatform, NEVER } from './near-platform.ts'

test('every case has an outcome that is right in the emulator’s world', async (t) => {
  const { platform } = await nearPlatform(t)
  const cases = await readCasesFile(null)
  const found = await runCases({ calls: platform, cases, isStandIn: true, signal: NEVER })
  assert.deepEqual(
    found.filter(({ isAllowed }) => !isAllowed),
    [],
  )
  assert.deepEqual(
    found.filter(({ outcome }) => outcome === 'not_asked'),
    [],
  )
  assert.equal(found.length, cases.length)
})

test('a case that comes otherwise is told with what came and what would be right', async (t) => {
  const { platform } = await nearPlatform(t, { faults: [{ do: 'bot_check', on: 'player' }] })
  const [manual] = await readCasesFile(null)
  const asking = { calls: platform, isStandIn: true }
  const [blocked] = await runCases({ ...asking, cases: [manual!], signal: NEVER })
  assert.deepEqual([blocked?.outcome, blocked?.isAllowed], ['obstructed', false])
  const odd = { ...manual!, allowed: ['private' as const], standIn: '60vNGGwFgvk' }
  const unknown = { ...manual!, standIn: null }
  const other = await nearPlatform(t)
  const found = await runCases({
    calls: other.platform,
    isStandIn: true,
    cases: [odd, unknown],
    signal: NEVER,
  })
  assert.deepEqual(
    found.map(({ outcome, isAllowed }) => [outcome, isAllowed]),
    [
      ['no_captions', false],
      ['not_asked', true],
    ],
  )
  assert.match(found[0]!.sentence, /Right would be private: a talk in thirteen languages/)
})

test('after five obstructed cases no more is asked, since asking on prolongs a block', async (t) => {
  const faults: FaultRule[] = [{ do: 'forbidden', on: 'player' }]
  const budget = examiningBudget(localBudget()) // as the doctor asks: no route rests by it
  const { platform, emulator } = await nearPlatform(t, { faults }, { budget })
  const cases = await readCasesFile(null)
  const found = await runCases({ calls: platform, isStandIn: true, cases, signal: NEVER })
  const outcomes = found.map(({ outcome }) => outcome)
  const blocked = outcomes.filter((outcome) => outcome === 'obstructed')
  assert.deepEqual(outcomes.slice(0, 5), blocked)
  assert.deepEqual(new Set(outcomes.slice(5)), new Set(['not_asked']))
  const { byKindAndClient } = emulator.log.counts()
  assert.equal(byKindAndClient['browse WEB'], undefined, 'the lists behind them were not asked for')
})

test('a case may be found at run time as the first of a list, and a list ends before its pages', async (t) => {
  const { platform } = await nearPlatform(t)
  const [manual] = await readCasesFile(null)
  const first = { ...manual!, standIn: 'https://www.youtube.com/@smallworkshop/shorts' }
  const none = { ...manual!, standIn: '@emptyroom' }
  const short = {
    ...manual!,
    kind: 'list',
    standIn: 'PLKx8JbcwL3vQnkztKBojWtMp0Jh4sqxAQ',
    pages: 2,
    allowed: ['listed'],
  } as const
  const found = await runCases({
    calls: platform,
    isStandIn: true,
    cases: [first, none, short],
    signal: NEVER,
  })
  assert.deepEqual(
    found.map(({ outcome }) => outcome),
    ['success', 'not_asked', 'cut_short'],
  )
})

test('an abort ends with what there is', async (t) => {
  const { platform } = await nearPlatform(t, { faults: [{ do: 'hang', on: 'player', after: 1 }] })
  const cases = await readCasesFile(null)
  const ending = new AbortController()
  let asked = 0
  const calls: typeof platform = {
    ...platform,
    fetchVideo(ask, signal) {
      asked += 1
      if (asked === 2) ending.abort()
      return platform.fetchVideo(ask, signal)
    },
  }
  const found = await runCases({ calls, isStandIn: true, cases, signal: ending.signal })
  assert.equal(found.length, 1)
})
