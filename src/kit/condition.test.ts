/** Conditions and work sets: no notification is missed, no bound exceeded, no work left under way. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCondition, openWorkSet } from './concurrency.ts'

const never = (): AbortSignal => new AbortController().signal
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a notification before the wait counts, one before the reset does not', async () => {
  const condition = openCondition()
  condition.reset()
  condition.notify()
  await condition.wait({ signal: never(), stop: never() })
  condition.reset()
  let isOver = false
  const waiting = condition.wait({ signal: never(), stop: never() }).then(() => (isOver = true))
  await turn()
  assert.equal(isOver, false)
  condition.notify()
  await waiting
})

test('a wait ends with its stop, and is rejected with its signal, before or while it lasts', async () => {
  const condition = openCondition()
  const [stop, signal] = [new AbortController(), new AbortController()]
  const [stopped, aborted] = [
    condition.wait({ signal: never(), stop: stop.signal }),
    condition.wait({ signal: signal.signal, stop: never() }),
  ]
  stop.abort()
  signal.abort(new Error('cancelled'))
  await stopped
  await assert.rejects(aborted, /cancelled/)
  await condition.wait({ signal: never(), stop: stop.signal })
  await assert.rejects(condition.wait({ signal: signal.signal, stop: stop.signal }), /cancelled/)
})

test('a work set has room below its bound, reports failures, and settles when all have ended', async () => {
  const failures: unknown[] = []
  const works = openWorkSet(2, (error) => void failures.push(error))
  const [one, two] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await works.room()
  works.add(one.promise)
  await works.room()
  works.add(two.promise)
  const seen: string[] = []
  const room = works.room().then(() => seen.push('room'))
  const settled = works.settled().then(() => seen.push('settled'))
  await turn()
  assert.deepEqual(seen, [])
  one.reject(new Error('a fault'))
  await room
  assert.deepEqual([seen, failures.map(String)], [['room'], ['Error: a fault']])
  two.resolve()
  await settled
  assert.deepEqual(seen, ['room', 'settled'])
})
