/** Rules of /webhooks (decision 44). Their address leads nowhere, so that any deployment can be asked. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Json } from '../http.ts'
import type { Kit } from '../kit.ts'
import { type Rule, rule } from '../rule.ts'
import { assertJob } from '../shapes.ts'

/** Host that never exists (RFC 6761). */
const NOWHERE = 'https://webhooks.invalid/hook'
const SECRET = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/
const EVENTS = ['job.finished', 'job.cancelled', 'job.failed', 'job.interrupted']
const PATIENCE_MS = 30_000

export const webhookRules: Rule[] = [
  rule('A webhook is made with a secret that no other answer shows; deleted, it is gone', (kit) =>
    withWebhook(kit, { url: NOWHERE }, async (made) => {
      assert.match(made['secret'], SECRET)
      assert.deepEqual([made['url'], made['state'], made['events']], [NOWHERE, 'active', EVENTS])
      const { secret: _secret, ...known } = made
      assert.deepEqual(await kit.get(`/webhooks/${made['id']}`), known)
      const { total, webhooks } = await kit.get('/webhooks')
      assert.ok(total >= 1)
      assert.deepEqual(
        webhooks.find(({ id }: Json) => id === made['id']),
        known,
      )

      const gone = await kit.ask('DELETE', `/webhooks/${made['id']}`)
      assert.deepEqual([gone.status, gone.bytes.length], [204, 0])
      assert.equal((await kit.ask('GET', `/webhooks/${made['id']}`)).status, 404)
    }),
  ),
  rule(
    'PATCH changes address, events and state of a webhook, and nothing that is not named',
    (kit) =>
      withWebhook(kit, { url: NOWHERE, events: ['job.failed'] }, async ({ id }) => {
        const patch = (body: Json) => kit.ask('PATCH', `/webhooks/${id}`, { body })
        const off = await patch({ state: 'disabled' })
        assert.deepEqual(
          [off.status, off.body['state'], off.body['url']],
          [200, 'disabled', NOWHERE],
        )
        const moved = await patch({ url: `${NOWHERE}/2`, state: 'active' })
        assert.deepEqual(moved.body['events'], ['job.failed'])
        assert.deepEqual([moved.body['state'], moved.body['url']], ['active', `${NOWHERE}/2`])
        for (const body of [{}, { state: 'paused' }, { events: [] }, { id: 'other' }])
          assert.equal((await patch(body)).status, 400)
      }),
  ),
  rule(
    'A webhook is refused for an address inside the network, of another scheme or with a name',
    async (kit) => {
      const never = ['ftp://example.org/', 'example.org', 'https://name:word@example.org/', '']
      for (const url of never) assert.equal(await statusFor(kit, url), 400, url)
      const inside = [
        '127.0.0.1',
        '2130706433',
        '0x7f.1',
        '[::1]',
        '[::ffff:10.0.0.1]',
        'localhost',
      ]
      const answers = []
      for (const host of inside) answers.push(await statusFor(kit, `http://${host}/`))
      const isAllowed = answers[0] === 201 // 201 where the operator lets accounts reach the operator's own network
      assert.deepEqual(new Set(answers), new Set([isAllowed ? 201 : 400]))
    },
  ),
  rule(
    'As soon as a job is final its deliveries are there: one for each webhook that is told of it',
    (kit) =>
      withWebhook(kit, { url: NOWHERE }, (all) =>
        withWebhook(kit, { url: NOWHERE, events: ['job.failed'] }, async (picky) => {
          const { id } = await kit.start({ urls: kit.lines(1) })
          const job = await kit.untilFinal(id)
          const [delivery, ...others] = await deliveriesOf(kit, all)
          assert.deepEqual([others, await deliveriesOf(kit, picky)], [[], []])
          assert.deepEqual([delivery?.['jobId'], delivery?.['type']], [id, `job.${job['state']}`])
          assertJob(delivery?.['payload'].data)
          const payload = { type: `job.${job['state']}`, timestamp: job['finishedAt'], data: job }
          assert.deepEqual(delivery?.['payload'], payload)

          const again = await kit.ask(
            'POST',
            `/webhooks/${all['id']}/deliveries/${delivery?.['id']}/replay`,
          )
          assert.deepEqual([again.status, again.body['id']], [202, delivery?.['id']])
          const since = { body: { since: job['createdAt'] } }
          const replay = await kit.ask('POST', `/webhooks/${all['id']}/replay`, since)
          assert.deepEqual([replay.status, replay.body], [202, { replayed: 1, nextSince: null }])
          assert.equal(
            (await deliveriesOf(kit, all)).length,
            1,
            'a replay makes no second delivery',
          )
        }),
      ),
  ),
  rule('A rotation gives another secret and names until when the one before is valid', (kit) =>
    withWebhook(kit, { url: NOWHERE }, async (made) => {
      const { status, body } = await kit.ask('POST', `/webhooks/${made['id']}/rotate`)
      assert.equal(status, 200)
      assert.match(body['secret'], SECRET)
      assert.notEqual(body['secret'], made['secret'])
      assert.ok(Date.parse(body['oldSecretUntil']) > Date.parse(made['createdAt']))
    }),
  ),
  rule(
    'What a webhook is sent verifies by Standard Webhooks, where the kit can be reached',
    async (kit) => {
      const heard = Promise.withResolvers<{ headers: http.IncomingHttpHeaders; body: string }>()
      const server = http.createServer(async (request, response) => {
        heard.resolve({ headers: request.headers, body: (await buffer(request)).toString() })
        response.writeHead(204).end()
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
      try {
        // Private addresses are refused where they should be.
        if ((await statusFor(kit, url)) === 400) return
        await withWebhook(kit, { url }, async ({ id, secret }) => {
          const asked = await kit.ask('POST', `/webhooks/${id}/test`)
          assert.equal(asked.status, 202)
          const late = setTimeout(() => heard.reject(new Error('no test came')), PATIENCE_MS)
          const { headers, body } = await heard.promise.finally(() => clearTimeout(late))
          const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
          const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
          const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
          assert.equal(headers['webhook-signature'], signature)
          assert.deepEqual(
            [headers['webhook-id'], JSON.parse(body).type],
            [asked.body['id'], 'webhook.test'],
          )
        })
      } finally {
        server.closeAllConnections()
        server.close()
      }
    },
  ),
  rule(
    'A webhook of another account answers like one that is not there',
    (kit) =>
      withWebhook(kit, { url: NOWHERE }, async ({ id }) => {
        const key = kit.options.secondKey
        for (const [method, path] of [
          ['GET', ''],
          ['DELETE', ''],
          ['POST', '/rotate'],
          ['POST', '/test'],
          ['GET', '/deliveries'],
        ] as const) {
          const foreign = await kit.ask(method, `/webhooks/${id}${path}`, { key })
          const missing = await kit.ask(method, `/webhooks/whk_none${path}`, { key })
          assert.deepEqual([foreign.status, foreign.body], [404, missing.body], `${method} ${path}`)
        }
      }),
    'secondKey',
  ),
]

/** Runs the check with a webhook made for it alone, which is deleted whatever happens. */
async function withWebhook(
  kit: Kit,
  body: Json,
  check: (webhook: Json) => Promise<void>,
): Promise<void> {
  const made = await kit.ask('POST', '/webhooks', { body })
  assert.equal(made.status, 201, made.bytes.toString('utf8', 0, 300))
  try {
    await check(made.body)
  } finally {
    await kit.ask('DELETE', `/webhooks/${made.body['id']}`)
  }
}

async function statusFor(kit: Kit, url: string): Promise<number> {
  const { status, body, headers } = await kit.ask('POST', '/webhooks', { body: { url } })
  if (status === 201) await kit.ask('DELETE', `/webhooks/${body['id']}`)
  else assert.equal(headers.get('x-invalid-field'), 'url')
  return status
}

async function deliveriesOf(kit: Kit, { id }: Json): Promise<Json[]> {
  return (await kit.get(`/webhooks/${id}/deliveries`))['deliveries']
}
