/**
 * A receiver of webhooks that is slow, down, answers 500 and lies; and the deliveries that it must have got in the end.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import type { Database } from '../../../src/store/database.ts'
import { createWebhook } from '../../../src/features/webhooks/webhooks.ts'
import { openSecretBox } from '../../../src/features/mail/secret-box.ts'
import { until } from '../../support/until.ts'

/**
 * Counts of the receiver's acts. `lied`: it took the delivery, and answered 500 or nothing. `repeated`: it was sent
 * again what it had taken.
 */
export type Moods = Record<'taken' | 'slow' | 'refused' | 'lied' | 'down' | 'repeated', number>

export type MoodyReceiver = {
  moods: Moods
  /** Makes the receiver take everything, waits for all deliveries, and checks them. */
  settle(): Promise<void>
  close(): Promise<void>
}

const WEBHOOKS_EACH = 2
const END_MS_MAX = 120_000

export async function startMoodyReceiver(
  database: Database,
  { accountIds, random }: { accountIds: string[]; random: () => number },
): Promise<MoodyReceiver> {
  const moods: Moods = { taken: 0, slow: 0, refused: 0, lied: 0, down: 0, repeated: 0 }
  const secrets = new Map<string, string>()
  /** Deliveries taken by each webhook, which its path names: each webhook-id with its job. */
  const taken = new Map<string, Map<string, string>>()
  let isMoody = true

  async function answer(request: http.IncomingMessage, response: http.ServerResponse) {
    const mood = isMoody ? random() : 1
    if (mood < 0.15) {
      moods.down += 1
      return request.socket.destroy()
    }
    const body = (await buffer(request)).toString()
    if (mood < 0.3) {
      moods.refused += 1
      return response.writeHead(500).end('not now')
    }
    const path = request.url ?? ''
    const { 'webhook-id': id = '', ...rest } = request.headers as Record<string, string>
    new StandardWebhook(secrets.get(path) ?? '').verify(body, { 'webhook-id': id, ...rest })
    const known = taken.get(path)
    assert.ok(known !== undefined)
    if (known.has(id)) moods.repeated += 1
    known.set(id, JSON.parse(body).data.id)
    if (mood < 0.45) {
      moods.lied += 1
      return mood < 0.38 ? response.writeHead(500).end() : request.socket.destroy()
    }
    if (mood < 0.6) {
      moods.slow += 1
      await sleep(1_000 + random() * 4_000)
    }
    moods.taken += 1
    return response.writeHead(204).end()
  }

  const faults: unknown[] = []
  const server = http.createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      // A sender that was killed leaves half a request behind.
      if (!request.destroyed || request.complete) faults.push(error)
      response.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const parts = { box: await openSecretBox(database.db, null), rules: { isPrivateAllowed: true } }
  for (const accountId of accountIds) {
    for (let n = 0; n < WEBHOOKS_EACH; n += 1) {
      const path = `/${accountId}/${n}`
      const url = `http://127.0.0.1:${port}${path}`
      const { secret } = await createWebhook(database.db, parts, { accountId, url, events: null })
      secrets.set(path, secret)
      taken.set(path, new Map())
    }
  }
  return {
    moods,
    async settle() {
      isMoody = false
      await untilDelivered(database)
      assert.deepEqual(faults, [], 'every delivery is signed as it should be')
      await checkTaken(database, taken)
    },
    async close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Lets hours of waiting between attempts pass at once, until every delivery is made. */
async function untilDelivered({ pool }: Database): Promise<void> {
  await until(
    'every delivery is sent',
    async () => {
      await pool.query(
        `update webhook_delivery set due_at = now() where id in (
          select id from webhook_delivery where state = 'pending' and leased_until is null for update skip locked)`,
      )
      const { rows } = await pool.query(
        `select from webhook_delivery where state <> 'delivered' limit 1`,
      )
      if (rows.length > 0) await sleep(200)
      return rows.length === 0
    },
    END_MS_MAX,
  )
}

/** Checks that each webhook of an account took every final job, under one id, and nothing else. */
async function checkTaken(
  { pool }: Database,
  taken: Map<string, Map<string, string>>,
): Promise<void> {
  for (const [path, byId] of taken) {
    const [, accountId] = path.split('/')
    const { rows } = await pool.query<{ id: string }>(
      'select id from job where account_id = $1 and charged_micros is not null order by id',
      [accountId],
    )
    const told = [...byId.values()].toSorted()
    assert.deepEqual(told, rows.map(({ id }) => id).toSorted(), path)
  }
}
