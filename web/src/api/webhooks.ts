/** Webhooks as pages read and change them. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type {
  AskedEventType,
  DeliveryList,
  Webhook,
  WebhookDelivery,
  WebhookList,
  WebhookReplayed,
  WebhookWithSecret,
} from '../../../clients/typescript/src/schema.ts'
import { publicApi, read } from './client.ts'

export type { AskedEventType, Webhook, WebhookWithSecret }
export type Delivery = WebhookDelivery

export const DELIVERIES_PAGE = 10
/** Interval while something is about to be sent. */
const SOON_LOOK_MS = 1_000
const LOG_LOOK_MS = 10_000
const SOON_MS = 60_000

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: async () => (await read<WebhookList>('/webhooks', { limit: 50 })).webhooks,
})

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', id],
    queryFn: () => read<Webhook>(`/webhooks/${id}`),
  })

export const deliveriesQuery = (id: string, offset: number) =>
  queryOptions({
    queryKey: ['webhooks', id, 'deliveries', offset],
    queryFn: () =>
      read<DeliveryList>(`/webhooks/${id}/deliveries`, { offset, limit: DELIVERIES_PAGE }),
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some(isDueSoon) === true ? SOON_LOOK_MS : LOG_LOOK_MS,
    placeholderData: keepPreviousData,
  })

/** Returns whether a delivery is under way or about to be. */
function isDueSoon({ state, nextAttemptAt }: Delivery): boolean {
  if (state !== 'pending') return false
  return nextAttemptAt === null || Date.parse(nextAttemptAt) - Date.now() < SOON_MS
}

/** The request is sent once: a repeat after a lost answer would make a second webhook, secret or delivery. */
const post = <T>(path: string, body?: unknown): Promise<T> =>
  publicApi.json<T>({ method: 'POST', path, body, maxRetries: 0 })

export const makeWebhook = (body: { url: string; events: AskedEventType[] }) =>
  post<WebhookWithSecret>('/webhooks', body)

export const switchWebhook = (id: string, state: Webhook['state']) =>
  publicApi.json<Webhook>({ method: 'PATCH', path: `/webhooks/${id}`, body: { state } })

export const rotateSecret = (id: string) => post<WebhookWithSecret>(`/webhooks/${id}/rotate`)

export const sendTest = (id: string) => post<Delivery>(`/webhooks/${id}/test`)

export const replaySince = (id: string, since: string) =>
  post<WebhookReplayed>(`/webhooks/${id}/replay`, { since })

export const replayOne = (id: string, deliveryId: string) =>
  post<Delivery>(`/webhooks/${id}/deliveries/${deliveryId}/replay`)

export const deleteWebhook = (id: string) =>
  publicApi.json<null>({ method: 'DELETE', path: `/webhooks/${id}` })
