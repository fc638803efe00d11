/** /webhooks and /webhooks/{id}: an account's webhooks, and their secrets (an extension). */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { LIMITS } from '../../config/config.ts'
import { pageInfo } from '../../kit/page.ts'
import { found, Problem } from '../../kit/problem.ts'
import {
  changeWebhook,
  createWebhook,
  findWebhook,
  listWebhooks,
  deleteWebhook,
  rotateWebhookSecret,
} from '../../features/webhooks/webhooks.ts'
import { ACTS } from '../action-class.ts'
import type { ApiContext } from '../api-context.ts'
import { accountOf } from '../auth.ts'
import { answer, listOf, pagingOf } from '../contract.ts'
import { Webhook, WebhookBody, WebhookParams, WebhookPatch, WebhookWithSecret } from './schema.ts'
import { presentWebhook } from './present.ts'

const tags = ['Webhooks']

const listSchema = {
  tags,
  summary: 'List the webhooks of the account, oldest first',
  operationId: 'listWebhooks',
  querystring: Type.Object(pagingOf({ limit: 20, limitMax: LIMITS.deliveriesPageMax })),
  response: { 200: answer(listOf('WebhookList', 'webhooks', Webhook), 'A page') },
}
const createSchema = {
  tags,
  summary: 'Create a webhook: it is sent every job that becomes final from now on',
  description: `An account can have ${LIMITS.webhooksMax}.`,
  operationId: 'createWebhook',
  ...ACTS.write,
  body: WebhookBody,
  response: { 201: answer(WebhookWithSecret, 'The webhook, with its secret') },
}
const getSchema = {
  tags,
  summary: 'Read a webhook',
  operationId: 'getWebhook',
  params: WebhookParams,
  response: { 200: answer(Webhook, 'The webhook') },
}
const patchSchema = {
  tags,
  summary: 'Change the address, the events or the state of a webhook',
  description:
    'Once it is active again, it is sent what is waiting. What it missed meanwhile comes with a replay.',
  operationId: 'changeWebhook',
  ...ACTS.write,
  params: WebhookParams,
  body: WebhookPatch,
  response: { 200: answer(Webhook, 'The webhook as it is now') },
}
const deleteSchema = {
  tags,
  summary: 'Delete a webhook with its log; nothing more is sent to it',
  operationId: 'deleteWebhook',
  ...ACTS.destroy,
  params: WebhookParams,
  response: { 204: answer(Type.Null(), 'It is deleted') },
}
const rotateSchema = {
  tags,
  summary: 'Give a webhook a new secret; for 24 hours deliveries are signed with both',
  operationId: 'rotateWebhookSecret',
  ...ACTS.destroy,
  params: WebhookParams,
  response: { 200: answer(WebhookWithSecret, 'The webhook, with its new secret') },
}

export function webhookRoutes({ db, box, config }: ApiContext): FastifyPluginAsyncTypebox {
  const rules = { isPrivateAllowed: config.WEBHOOK_ALLOW_PRIVATE }
  return async (app) => {
    app.get('/webhooks', { schema: listSchema }, async (request) => {
      const { offset = 0, limit = 20 } = request.query
      const all = await listWebhooks(db, accountOf(request))
      const webhooks = all.slice(offset, offset + limit).map(presentWebhook)
      return { ...pageInfo({ offset, limit }, all.length), webhooks }
    })

    app.post('/webhooks', { schema: createSchema }, async (request, reply) => {
      const { url, events = null } = request.body
      const ask = { accountId: accountOf(request), url, events }
      const made = await createWebhook(db, { box, rules }, ask)
      return reply.code(201).send({ ...presentWebhook(made.webhook), secret: made.secret })
    })

    app.get('/webhooks/:id', { schema: getSchema }, async (request) => {
      const owned = { accountId: accountOf(request), webhookId: request.params.id }
      return presentWebhook(found(await findWebhook(db, owned)))
    })

    app.patch('/webhooks/:id', { schema: patchSchema }, async (request) => {
      const { url = null, events = null, state } = request.body
      const change = { url, events, isActive: state === undefined ? null : state === 'active' }
      const owned = { accountId: accountOf(request), webhookId: request.params.id }
      return presentWebhook(found(await changeWebhook(db, rules, { ...owned, change })))
    })

    app.delete('/webhooks/:id', { schema: deleteSchema }, async (request, reply) => {
      const owned = { accountId: accountOf(request), webhookId: request.params.id }
      if (!(await deleteWebhook(db, owned))) throw new Problem('not_found')
      return reply.code(204).send(null)
    })

    app.post('/webhooks/:id/rotate', { schema: rotateSchema }, async (request) => {
      const owned = { accountId: accountOf(request), webhookId: request.params.id }
      const made = found(await rotateWebhookSecret(db, box, owned))
      return { ...presentWebhook(made.webhook), secret: made.secret }
    })
  }
}
