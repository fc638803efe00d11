/**
 * A receiver of events of subscriptions that refuses and lies while the chaos lasts; in the end it was told everything.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../../src/store/database.ts'
import { SUBSCRIPTION_EVENT_TYPES } from '../../../src/model/follow/subscription.ts'
import { createWebhook } from '../../../src/features/webhooks/webhooks.ts'
import { openSecretBox } from '../../../src/features/mail/secret-box.ts'
import { until } from '../../support/until.ts'
import { startReceiver } from '../../webhooks/receiver.ts'

/** How often each event was told, by subscription. */
export type ToldEvents = Map<string, Map<string, number>>

const END_MS_MAX = 60_000
const REFUSED = 0.3

export async function hearOfSubscriptions(database: Database, random: () => number) {
  const receiver = await startReceiver()
  const parts = { box: await openSecretBox(database.db, null), rules: { isPrivateAllowed: true } }
  const webhookIds: string[] = []
  receiver.answers = () => (random() < REFUSED ? 500 : 204)
  const told: ToldEvents = new Map()
  return {
    told,
    /** Has the account's subscriptions reported here. */
    async expect(accountId: string): Promise<void> {
      const ask = { accountId, url: receiver.url, events: [...SUBSCRIPTION_EVENT_TYPES] }
      webhookIds.push((await createWebhook(database.db, parts, ask)).webhook.id)
    },
    /** Makes the receiver refuse nothing; `told` is what was delivered, each event once. */
    async settle(): Promise<void> {
      receiver.answers = () => 204
      const sent = await untilSent(database, webhookIds)
      const heard = new Map(receiver.received.map(({ id, event }) => [id, event]))
      assert.deepEqual([...heard.keys()].toSorted(), sent, 'all that was written was told')
      told.clear()
      for (const { type, data } of heard.values()) {
        const counts = told.get(data.id) ?? new Map<string, number>()
        told.set(data.id, counts.set(type, (counts.get(type) ?? 0) + 1))
        const [, state] = type.split('.')
        assert.ok(state === 'found' || state === data.state, `${type} came with ${data.state}`)
      }
    },
    close: () => receiver.close(),
  }
}

/** Lets hours of waiting between attempts pass at once. Returns the ids of all deliveries of these webhooks. */
async function untilSent({ pool }: Database, webhookIds: string[]): Promise<string[]> {
  let ids: string[] = []
  await until(
    'every event of a subscription is sent',
    async () => {
      await pool.query(
        `update webhook_delivery set due_at = now() where state = 'pending' and leased_until is null and webhook_id = any($1)`,
        [webhookIds],
      )
      const { rows } = await pool.query<{ id: string; state: string }>(
        'select id, state from webhook_delivery where webhook_id = any($1) order by id collate "C"',
        [webhookIds],
      )
      ids = rows.map(({ id }) => id)
      if (rows.every(({ state }) => state === 'delivered')) return true
      await sleep(200)
      return false
    },
    END_MS_MAX,
  )
  return ids
}
