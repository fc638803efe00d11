/**
 * /webhooks/{id}/test, /deliveries and /replay: what a webhook was sent and answered, and sending it again (an
 * extension).
 */
import { type FastifyPluginAsyncTypebox, type Static, Type } from '@fastify/type-provider-typebox'
import { LIMITS } from '../../config/config.ts'
import { pageInfo } from '../../kit/page.ts'
import { found, Problem } from '../../kit/problem.ts'
import type { LoggedDelivery } from '../../store/webhook-log.ts'
import { readDeliveries } from '../../features/webhooks/webhooks.ts'
import { replayAllSince, replayOne, startTest } from '../../features/webhooks/replay-deliveries.ts'
import { ACTS } from '../action-class.ts'
import type { ApiContext } from '../api-context.ts'
import { accountOf } from '../auth.ts'
import { answer, listOf, pagingOf } from '../contract.ts'
import { exampleJob } from '../jobs/example-job.ts'
import { presentJob } from '../jobs/present.ts'
import {
  Delivery,
  DeliveryId,
  ReplayAnswer,
  ReplayBody,
  WebhookEvent,
  WebhookId,
  WebhookParams,
} from './schema.ts'
import { presentDelivery } from './present.ts'

const tags = ['Webhooks']

const listSchema = {
  tags,
  summary: `List what was sent to a webhook and what it answered in the last ${LIMITS.deliveriesKeptDays} days, newest first`,
  operationId: 'listDeliveries',
  params: WebhookParams,
  querystring: Type.Object(pagingOf({ limit: 20, limitMax: LIMITS.deliveriesPageMax })),
  response: { 200: answer(listOf('DeliveryList', 'deliveries', Delivery), 'A page') },
}
const testSchema = {
  tags,
  summary: 'Send a `webhook.test` with an example job; one attempt is made',
  operationId: 'testWebhook',
  ...ACTS.write,
  params: WebhookParams,
  response: { 202: answer(Delivery, 'It is due now; the list of deliveries has the answer') },
}
const replaySchema = {
  tags,
  summary: 'Send a delivery again, with the same `webhook-id`',
  operationId: 'replayDelivery',
  ...ACTS.write,
  params: Type.Object({ id: WebhookId, deliveryId: DeliveryId }),
  response: { 202: answer(Delivery, 'It is due now') },
}
const replayAllSchema = {
  tags,
  summary: 'Send again the deliveries of all jobs that became final since an instant',
  description:
    'Includes those that the webhook missed while it was disabled, but none from before it was ' +
    'created. Of subscriptions, only what it was sent since then.',
  operationId: 'replayDeliveries',
  ...ACTS.write,
  params: WebhookParams,
  body: ReplayBody,
  response: { 202: answer(ReplayAnswer, 'How many are due again') },
}

export function deliveryRoutes(ctx: ApiContext): FastifyPluginAsyncTypebox {
  const { db, links, now } = ctx
  const present = (delivery: LoggedDelivery) => {
    const { job, subscription, type, madeAt } = delivery
    const timestamp = (job?.finishedAt ?? madeAt).toISOString()
    const data = subscription ?? (job === null ? exampleJob(links) : presentJob(job, links))
    // What was sent of a subscription is kept in the shape of its event.
    return presentDelivery(delivery, { type, timestamp, data } as Static<typeof WebhookEvent>)
  }
  return async (app) => {
    app.get('/webhooks/:id/deliveries', { schema: listSchema }, async (request) => {
      const { offset = 0, limit = 20 } = request.query
      const owned = { accountId: accountOf(request), webhookId: request.params.id }
      const { total, deliveries } = found(await readDeliveries(db, { ...owned, offset, limit }))
      return { ...pageInfo({ offset, limit }, total), deliveries: deliveries.map(present) }
    })

    app.post('/webhooks/:id/test', { schema: testSchema }, async (request, reply) => {
      const owned = { accountId: accountOf(request), webhookId: request.params.id }
      return reply.code(202).send(present(found(await startTest(ctx, owned))))
    })

    app.post(
      '/webhooks/:id/deliveries/:deliveryId/replay',
      { schema: replaySchema },
      async (request, reply) => {
        const { id: webhookId, deliveryId } = request.params
        const owned = { accountId: accountOf(request), webhookId, deliveryId }
        return reply.code(202).send(present(found(await replayOne(ctx, owned))))
      },
    )

    app.post('/webhooks/:id/replay', { schema: replayAllSchema }, async (request, reply) => {
      const since = new Date(request.body.since)
      if (Number.isNaN(since.getTime()))
        throw new Problem('invalid_request', { message: 'since is no date.', field: 'since' })
      const owned = { accountId: accountOf(request), webhookId: request.params.id }
      const ask = { ...owned, since, now: now() }
      const { replayed, nextSince } = found(await replayAllSince(ctx, ask))
      return reply.code(202).send({ replayed, nextSince: nextSince?.toISOString() ?? null })
    })
  }
}
