/** The most that a receiver can take from a sender: 15 seconds and 64 KB, however it answers. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type http from 'node:http'
import { test } from 'node:test'
import { LIMITS } from '../../src/config/config.ts'
import { openSender, type Sent } from '../../src/features/webhooks/sender.ts'
import { passing, within } from '../support/until.ts'
import { type Answer, startReceiver } from './receiver.ts'

const never = new AbortController().signal
/** Most bytes that the sockets of both sides may hold beside what was read. */
const BUFFERED_BYTES_MAX = 8 * 1024 * 1024

test('no receiver holds a sender for longer than 15 seconds or makes it read more than 64 KB', async (t) => {
  const sender = openSender({ isPrivateAllowed: true })
  t.after(() => sender.close())
  const sends = async (answer: Answer | Promise<Answer>): Promise<Sent> => {
    const receiver = await startReceiver(t)
    receiver.answers = () => answer
    return sender.send({ url: receiver.url, headers: {}, body: '{}' }, never)
  }
  const isLate = passing(LIMITS.deliveryMs - 1_000)
  const endsLate = async (sending: Promise<Sent>): Promise<Sent> => {
    const sent = await sending
    assert.ok(isLate(), 'nobody is given up before')
    return sent
  }
  let written = 0
  const isOver = Promise.withResolvers<void>()
  const endless = (_: http.IncomingMessage, response: http.ServerResponse): void => {
    response.on('close', isOver.resolve)
    response.writeHead(200)
    void (async () => {
      while (!response.destroyed) {
        written += 16_384
        if (!response.write('x'.repeat(16_384)))
          await Promise.race([once(response, 'drain'), isOver.promise])
      }
    })()
  }
  const dripping = (_: http.IncomingMessage, response: http.ServerResponse): void => {
    response.writeHead(201)
    const drip = setInterval(() => response.write('.'), 500)
    response.on('close', () => clearInterval(drip))
  }
  const sending = Promise.all([
    endsLate(sends(new Promise<never>(() => undefined))),
    endsLate(sends(dripping)),
    sends(endless),
  ])
  const [silent, dripped, read] = await within('the three are sent', sending, 60_000)
  await isOver.promise

  const late = `No answer came within ${LIMITS.deliveryMs / 1000} seconds.`
  assert.deepEqual(silent, { kind: 'unanswered', outcome: 'timed_out', error: late })
  assert.ok(dripped.kind === 'answered' && read.kind === 'answered')
  assert.deepEqual([dripped.status, /^\.+$/.test(dripped.reply)], [201, true])
  assert.deepEqual([read.status, read.reply], [200, 'x'.repeat(LIMITS.replyKeptChars)])
  assert.ok(written < BUFFERED_BYTES_MAX, `${written} bytes`)
})
