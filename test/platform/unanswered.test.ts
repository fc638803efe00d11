/** Requests that the platform never answers: given up in time, and at once where no caller waits any more. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { until, within } from '../support/until.ts'
import { nearPlatform } from './near-platform.ts'

const HUNG_MS = 3_000

test('a request that is never answered is given up and tried again', async (t) => {
  const limits = { patienceMs: 120_000, requestMs: HUNG_MS, retryPauseMs: 1 }
  const near = await nearPlatform(t, {}, { limits })
  near.emulator.apply({ faults: [{ do: 'hang', on: 'timedtext', times: 1 }] })
  const answer = await near.fetch(near.emulator.world.special('both').videoId)
  assert.equal(answer.kind, 'fetched')
  assert.equal(near.emulator.log.counts().byFault['hang'], 1)
})

test('a cancelled question ends at once with the reason of its signal', async (t) => {
  const near = await nearPlatform(t, {}, { limits: { patienceMs: 120_000, requestMs: 120_000 } })
  near.emulator.apply({ faults: [{ do: 'hang', on: 'timedtext' }] })
  const abort = new AbortController()
  const ask = {
    videoId: near.emulator.world.special('both').videoId,
    language: 'original',
    wantsDate: true,
  }
  const question = near.platform.fetchVideo(ask, abort.signal)
  const reason = new Error('the job was cancelled')
  await until('it waits for the captions', () => near.emulator.log.counts().byFault['hang'] === 1)
  abort.abort(reason)
  await within('the question ends', assert.rejects(question, reason))
})
