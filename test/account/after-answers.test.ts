/** Work that begins once a request is answered. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { test } from 'node:test'
import { fastify } from 'fastify'
import { pino } from 'pino'
import { afterAnswers } from '../../src/api/account-api/auth-answers.ts'
import { within } from '../support/until.ts'

test('what is due after an answer is done, though the client left before it was known', async (t) => {
  const { afterAnswer, settled } = afterAnswers(pino({ enabled: false }))
  const app = fastify()
  t.after(() => app.close())
  const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>()
  const { promise: handled, resolve: isHandled } = Promise.withResolvers<void>()
  let times = 0
  app.get('/', async (_request, reply) => {
    isAsked()
    await once(reply.raw, 'close')
    afterAnswer(reply, async () => void (times += 1))
    isHandled()
    return {}
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const client = net.connect((app.server.address() as net.AddressInfo).port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await asked
  client.destroy()
  await handled
  await within('the work is done', settled())
  assert.equal(times, 1)
})
