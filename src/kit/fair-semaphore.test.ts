/**
 * The fair semaphore and its queue: which share is called next, whatever the order of asking, and that none starves.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFairQueue, openWork, type Share } from './fair-queue.ts'
import { fairSemaphore } from './fair-semaphore.ts'

const NEVER = new AbortController().signal
const by = (accountId: string, jobId = `${accountId}-1`): Share => ({ accountId, jobId })
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Takes slots and gives them back one at a time; `order` lists the names in the order in which they got one. */
function busy(max: number) {
  const semaphore = fairSemaphore(max)
  const order: string[] = []
  const leaving: (() => void)[] = []
  return {
    semaphore,
    order,
    async asks(share: Share, name = share.accountId, signal = NEVER) {
      await semaphore.acquire(share, signal).then((leave) => {
        order.push(name)
        leaving.push(leave)
      })
    },
    async oneLeaves() {
      leaving.shift()?.()
      await settled()
    },
  }
}

test('a free slot goes to the account that holds fewest, then to its job that holds fewest', async () => {
  const { semaphore, order, asks, oneLeaves } = busy(3)
  for (const share of [
    by('many', 'a'),
    by('many', 'a'),
    by('many', 'a'),
    by('many', 'a'),
    by('many', 'b'),
  ])
    void asks(share, share.jobId)
  void asks(by('few'), 'few')
  await settled()
  assert.deepEqual([semaphore.held, semaphore.waiting, order.join('')], [3, 3, 'aaa'])
  for (let n = 0; n < 6; n += 1) await oneLeaves()
  assert.deepEqual(order, ['a', 'a', 'a', 'few', 'b', 'a'])
  assert.deepEqual([semaphore.held, semaphore.waiting], [0, 0])
})

test('a slot is given back once, and one who gives up waiting leaves no trace', async () => {
  const semaphore = fairSemaphore(1)
  const leave = await semaphore.acquire(by('x'), NEVER)
  const gone = new AbortController()
  const waiting = semaphore.acquire(by('y'), gone.signal)
  gone.abort(new Error('no longer'))
  await assert.rejects(waiting, /no longer/)
  await assert.rejects(semaphore.acquire(by('y'), gone.signal), /no longer/)
  leave()
  leave()
  assert.deepEqual([semaphore.held, semaphore.waiting], [0, 0])
  ;(await semaphore.acquire(by('z'), NEVER))()
})

test('a newcomer goes before all that have kept others waiting', async () => {
  const { order, asks, oneLeaves } = busy(1)
  for (let n = 0; n < 10; n += 1) for (const name of ['x', 'y', 'z']) void asks(by(name))
  for (let n = 0; n < 24; n += 1) await oneLeaves()
  void asks(by('new'))
  void asks(by('new'))
  await oneLeaves()
  await oneLeaves()
  assert.deepEqual(order.slice(-2), ['new', 'new'])
})

test('what keeps nobody waiting is not held against its account', async () => {
  const { semaphore, order, asks, oneLeaves } = busy(1)
  for (let n = 0; n < 500; n += 1) (await semaphore.acquire(by('alone'), NEVER))()
  for (const name of ['first', 'alone', 'new']) void asks(by(name))
  for (let n = 0; n < 3; n += 1) await oneLeaves()
  assert.deepEqual(order, ['first', 'alone', 'new'])
})

/** Serves `calls` one at a time while every name always waits; returns how many each got. */
function serve(
  names: string[],
  calls: number,
  cost: (name: string) => number,
): Map<string, number> {
  const work = openWork()
  const line = openFairQueue([work.ofAccount, work.ofJob])
  const got = new Map<string, number>()
  for (const name of names) void line.wait(by(name), NEVER)
  for (let n = 0; n < calls; n += 1) {
    const share = line.callNext() ?? by('nobody')
    work.add(share, 1)
    work.add(share, cost(share.accountId) - 1)
    got.set(share.accountId, (got.get(share.accountId) ?? 0) + 1)
    void line.wait(share, NEVER)
  }
  return got
}

test('in the long run all get the same, whose work is given back gets more, and nobody starves', () => {
  const names = ['p', 'q', 'r', 's']
  for (const count of serve(names, 4_000, () => 1).values()) assert.ok(Math.abs(count - 1_000) <= 2)
  const got = serve(names, 4_000, (name) => (name === 'p' ? 0.1 : 1))
  assert.ok((got.get('p') ?? 0) > 2_500, `${got.get('p')}`)
  for (const name of ['q', 'r', 's'])
    assert.ok((got.get(name) ?? 0) > 250, `${name}: ${got.get(name)}`)
})

test('accounts that come and go in numbers are forgotten', () => {
  const work = openWork()
  for (let n = 0; n < 50_000; n += 1) work.add(by(`account-${n}`), 1)
  assert.equal(work.ofAccount(by('account-1')), work.ofAccount(by('nobody yet')))
  assert.ok(work.ofAccount(by('account-49999')) > work.ofAccount(by('account-1')))
})

test('a queue that cannot go on sends everybody away with the reason', async () => {
  const line = openFairQueue([])
  const waits = [line.wait(by('x'), NEVER), line.wait(by('y'), NEVER)]
  line.fail(new Error('the database is away'))
  for (const wait of waits) await assert.rejects(wait, /the database is away/)
  assert.deepEqual([line.length, line.callNext()], [0, null])
})

test('what nobody ordered waits as long as anybody else does, whatever its account had', async () => {
  const { order, asks, oneLeaves } = busy(1)
  void asks(by('busy'))
  void asks({ ...by('preview'), isSpare: true })
  for (const name of ['busy', 'other', 'busy']) void asks(by(name))
  await settled()
  for (let n = 0; n < 4; n += 1) await oneLeaves()
  assert.deepEqual([order.length, order.at(-1)], [5, 'preview'])
})
