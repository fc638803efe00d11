/** Webhooks as a way into the operator's network: by every spelling, by changing names, by redirects. None leads in. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openSender } from '../../src/features/webhooks/sender.ts'
import { testService } from '../support/service.ts'
import { deliveriesOf, endsJob, makesWebhook, untilTried } from './hooked-jobs.ts'
import { startReceiver } from './receiver.ts'

const never = new AbortController().signal
const SENDING = { headers: { 'content-type': 'application/json' }, body: '{}' }
const inside = await startReceiver({ after })
const { port } = new URL(inside.url)

test('no spelling of this machine in a URL opens a connection to it', async (t) => {
  const sender = openSender({ isPrivateAllowed: false })
  t.after(() => sender.close())
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '0',
    '0.0.0.0',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
  ]
  for (const host of hosts) {
    const sent = await sender.send({ url: `http://${host}:${port}/`, ...SENDING }, never)
    assert.deepEqual([host, sent.kind === 'unanswered' && sent.outcome], [host, 'forbidden'])
  }
  assert.equal(inside.connections, 0)

  const open = openSender({ isPrivateAllowed: true })
  t.after(() => open.close())
  for (const host of ['127.0.0.1', '127.1', '0x7f.1', '[::ffff:127.0.0.1]']) {
    const sent = await open.send({ url: `http://${host}:${port}/`, ...SENDING }, never)
    assert.deepEqual([host, sent.kind], [host, 'answered'], 'the same spellings do lead there')
  }
})

test('a name that changes its addresses is judged by the one that is connected to', async (t) => {
  const before = inside.connections
  const answers = [['127.0.0.1'], ['93.184.215.14', '127.0.0.1'], ['::1'], []]
  let asked = 0
  const askName = async (): Promise<string[]> => answers[asked++] ?? ['127.0.0.1']
  const sender = openSender({ isPrivateAllowed: false, askName })
  t.after(() => sender.close())
  const outcomes = []
  for (let n = 0; n < 6; n += 1) {
    const sent = await sender.send({ url: `http://rebind.example:${port}/`, ...SENDING }, never)
    outcomes.push(sent.kind === 'unanswered' ? sent.outcome : sent.kind)
  }
  const forbidden = 'forbidden'
  assert.deepEqual(outcomes, [forbidden, forbidden, forbidden, 'unreachable', forbidden, forbidden])
  assert.deepEqual([asked, inside.connections], [6, before], 'asked once for each connection')

  const trusting = openSender({ isPrivateAllowed: true, askName: async () => ['127.0.0.1'] })
  t.after(() => trusting.close())
  const sent = await trusting.send({ url: `http://rebind.example:${port}/`, ...SENDING }, never)
  assert.equal(sent.kind, 'answered', 'connected to what the answer said, and to nothing else')
})

test('a redirect is a failure and is not followed; what a reply says of the network stays in', async (t) => {
  const sender = openSender({ isPrivateAllowed: true })
  const outside = await startReceiver(t)
  t.after(() => sender.close())
  const before = inside.received.length
  outside.answers = () => ({ status: 307, headers: { Location: inside.url } })
  const sent = await sender.send({ url: outside.url, ...SENDING }, never)
  assert.equal(sent.kind === 'answered' && sent.status, 307)
  assert.equal(inside.received.length, before)

  await outside.close()
  const refused = await sender.send({ url: outside.url, ...SENDING }, never)
  assert.deepEqual(refused, {
    kind: 'unanswered',
    outcome: 'unreachable',
    error: 'The connection was refused.',
  })
})

test('a service that allows no private targets refuses them when a webhook is made, changed and sent to', async () => {
  const { database, customer } = await testService({ after }, { env: { STOP_GRACE: '0' } })
  const buyer = await customer()
  for (const url of [
    inside.url,
    'http://localhost/',
    'https://u:p@example.org/',
    'http://[::1]/',
  ]) {
    const { status, headers } = await buyer.asks('POST', '/webhooks', { body: { url } })
    assert.deepEqual([url, status, headers.get('x-invalid-field')], [url, 400, 'url'])
  }
  const webhook = await makesWebhook(buyer, 'https://example.org/hook')
  const path = `/webhooks/${webhook['id']}`
  assert.equal((await buyer.asks('PATCH', path, { body: { url: inside.url } })).status, 400)

  // The address is set as if it had been made while private targets were allowed.
  await database.pool.query('update webhook set url = $1', [inside.url])
  const before = inside.connections
  await endsJob(database, buyer, 'cancel')
  const tried = await untilTried(buyer, webhook, 1)
  const [attempt] = tried['attempts']
  assert.deepEqual([attempt.outcome, attempt.status, attempt.reply], ['forbidden', null, null])
  assert.doesNotMatch(attempt.error, /127/)
  assert.equal(inside.connections, before)
  assert.equal((await deliveriesOf(buyer, webhook)).length, 1)
})
