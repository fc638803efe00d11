/** POST /previews, GET /previews/{id}: what a job would take up and cost, before it is started (an extension). */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { waitForPreview } from '../../features/previews/previews.ts'
import { found } from '../../kit/problem.ts'
import { ACTS } from '../action-class.ts'
import type { ApiContext } from '../api-context.ts'
import {
  askPreview,
  departureOf,
  OrderParameters,
  preferredWaitMs,
  readJobOrder,
} from '../jobs/order-job.ts'
import { accountOf, ORDERING } from '../auth.ts'
import { answer, optionalInteger, problems } from '../contract.ts'
import { API_BASE } from '../links.ts'
import { Preview, PreviewBody, PreviewId } from './schema.ts'
import { presentPreview } from './present.ts'
import { WAIT_SECONDS_MAX } from '../jobs/routes.ts'

const tags = ['Previews']

const startSchema = {
  tags,
  summary: 'Preview a job or batch: what it would fetch and cost, before anything is ordered',
  description:
    'Free. Lists the first pages behind the URLs, fetches no captions and gives way to jobs. The same body ' +
    'within an hour is answered with the same preview; `POST /jobs?preview={id}` starts a job that reads what ' +
    'was listed. An account may start a limited number of previews an hour.',
  operationId: 'createPreview',
  ...ACTS.read,
  documentedHeaders: {
    Prefer: Type.String({
      description: `\`wait=N\`: answer when the preview is ready, or after N seconds (at most ${WAIT_SECONDS_MAX})`,
      examples: ['wait=10'],
    }),
  },
  querystring: Type.Object(OrderParameters),
  body: PreviewBody,
  response: {
    201: answer(Preview, 'The preview so far; read it again until it is `ready`'),
    ...problems('invalid_url'),
  },
}

const getSchema = {
  tags,
  summary: 'Read a preview; it is kept for an hour',
  operationId: 'getPreview',
  params: Type.Object({ id: PreviewId }),
  querystring: Type.Object({
    wait: optionalInteger({
      minimum: 0,
      maximum: WAIT_SECONDS_MAX,
      default: 0,
      description: 'Answer when the preview is ready, or after this many seconds',
    }),
  }),
  response: { 200: answer(Preview, 'The preview as it is now') },
}

export function previewsRoutes(ctx: ApiContext): FastifyPluginAsyncTypebox {
  const { db, stopping, publicUrl } = ctx

  async function present(
    owned: { accountId: string; previewId: string },
    waitMs: number,
    reply: FastifyReply,
  ) {
    const departure = AbortSignal.any([departureOf(reply), stopping.signal])
    const preview = await waitForPreview(db, owned, { waitMs, departure })
    return presentPreview(found(preview))
  }

  return async (app) => {
    app.post('/previews', { schema: startSchema, config: ORDERING }, async (request, reply) => {
      const accountId = accountOf(request)
      const { body, query } = request
      const order = await readJobOrder(body, query)
      const previewId = await askPreview(ctx, { accountId, order })
      const waitMs = preferredWaitMs(request)
      if (waitMs > 0) reply.header('Preference-Applied', `wait=${waitMs / 1000}`)
      reply.header('Location', `${publicUrl}${API_BASE}/previews/${previewId}`)
      const preview = await present({ accountId, previewId }, waitMs, reply)
      return reply.code(201).send(preview)
    })

    app.get('/previews/:id', { schema: getSchema, config: ORDERING }, async (request, reply) => {
      const owned = { accountId: accountOf(request), previewId: request.params.id }
      return present(owned, (request.query.wait ?? 0) * 1000, reply)
    })
  }
}
