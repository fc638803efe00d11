/** /subscriptions and /subscriptions/{id}: channels and playlists whose new videos are bought (an extension). */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { pageInfo } from '../../kit/page.ts'
import { found, Problem } from '../../kit/problem.ts'
import {
  changeSubscription,
  createSubscription,
  readSubscription,
  readSubscriptions,
  removeSubscription,
  type SpentSubscription,
} from '../../features/follow/subscriptions.ts'
import { ACTS } from '../action-class.ts'
import type { ApiContext } from '../api-context.ts'
import { accountOf } from '../auth.ts'
import { answer, listOf, pagingOf, problems } from '../contract.ts'
import { Subscription, SubscriptionBody, SubscriptionParams, SubscriptionPatch } from './schema.ts'
import { presentSubscription } from './present.ts'

const SUBSCRIPTIONS_PAGE_MAX = 100

const tags = ['Subscriptions']

const listSchema = {
  tags,
  summary: 'List what the account follows, newest first',
  operationId: 'listSubscriptions',
  querystring: Type.Object(pagingOf({ limit: 20, limitMax: SUBSCRIPTIONS_PAGE_MAX })),
  response: { 200: answer(listOf('SubscriptionList', 'subscriptions', Subscription), 'A page') },
}
const createSchema = {
  tags,
  summary: 'Follow a channel or playlist: its new videos are bought as ordinary jobs',
  description:
    'The list is checked at once, then every `everyHours`, or hourly to daily, depending on how often it publishes. ' +
    'Nothing is bought ' +
    'or reserved before something new is found. What new videos cost never exceeds `monthlyCap` in a month (UTC).',
  operationId: 'createSubscription',
  ...ACTS.spend,
  body: SubscriptionBody,
  response: { 201: answer(Subscription, 'The subscription'), ...problems('invalid_url') },
}
const getSchema = {
  tags,
  summary: 'Read a subscription',
  operationId: 'getSubscription',
  params: SubscriptionParams,
  response: { 200: answer(Subscription, 'The subscription') },
}
const patchSchema = {
  tags,
  summary: 'Change the monthly limit or how often to check, pause or resume',
  description:
    'It is checked again at once. After a pause, only what is published from then on is new. `active` also ' +
    'resumes what was gone, and checks at once where the balance was empty.',
  operationId: 'changeSubscription',
  ...ACTS.spend,
  params: SubscriptionParams,
  body: SubscriptionPatch,
  response: { 200: answer(Subscription, 'The subscription as it is now') },
}
const deleteSchema = {
  tags,
  summary: 'Stop following; jobs and transcripts stay',
  operationId: 'deleteSubscription',
  ...ACTS.destroy,
  params: SubscriptionParams,
  response: { 204: answer(Type.Null(), 'It is deleted') },
}

const NOTHING_SPENT = { spentMicros: 0n, chargedMicros: 0n, jobIds: [] }

export function subscriptionRoutes({ db, config }: ApiContext): FastifyPluginAsyncTypebox {
  const max = config.SUBSCRIPTIONS_PER_ACCOUNT
  const parts = { db, present: presentSubscription }
  const read = async (owned: { accountId: string; subscriptionId: string }) =>
    presentSubscription(found<SpentSubscription>(await readSubscription(db, owned)))
  return async (app) => {
    app.get('/subscriptions', { schema: listSchema }, async (request) => {
      const { offset = 0, limit = 20 } = request.query
      const ask = { accountId: accountOf(request), offset, limit }
      const { total, subscriptions } = await readSubscriptions(db, ask)
      const page = pageInfo({ offset, limit }, total)
      return { ...page, subscriptions: subscriptions.map(presentSubscription) }
    })

    app.post('/subscriptions', { schema: createSchema }, async (request, reply) => {
      const accountId = accountOf(request)
      const made = await createSubscription(db, { accountId, input: request.body, max })
      return reply.code(201).send(presentSubscription({ ...made, ...NOTHING_SPENT }))
    })

    app.get('/subscriptions/:id', { schema: getSchema }, (request) =>
      read({ accountId: accountOf(request), subscriptionId: request.params.id }),
    )

    app.patch('/subscriptions/:id', { schema: patchSchema }, async (request) => {
      const { monthlyCap = null, everyHours, state = null } = request.body
      const owned = { accountId: accountOf(request), subscriptionId: request.params.id }
      const change = { monthlyCap, everyHours, state }
      found(await changeSubscription(parts, { ...owned, change }))
      return read(owned)
    })

    app.delete('/subscriptions/:id', { schema: deleteSchema }, async (request, reply) => {
      const owned = { accountId: accountOf(request), subscriptionId: request.params.id }
      if (!(await removeSubscription(db, owned))) throw new Problem('not_found')
      return reply.code(204).send(null)
    })
  }
}
