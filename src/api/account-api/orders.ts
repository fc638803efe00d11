/** /account/orders: the list of what the account ordered, in which a batch stands for its jobs. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { readOrders } from '../../features/batches/batches.ts'
import { ORDER_STATES } from '../../model/jobs/batch.ts'
import { hasVisible } from '../../kit/text/invisible.ts'
import { LIMITS } from '../../config/config.ts'
import type { ApiContext } from '../api-context.ts'
import { presentBatchSummary } from '../batches/present.ts'
import { optionalText, pagingOf, wordOf } from '../contract.ts'
import { presentJobs } from '../jobs/present.ts'
import { answering, REPLIES } from './replies.ts'
import { visitorOf } from './visitor.ts'

const schema = {
  ...answering(REPLIES.Orders),
  querystring: Type.Object({
    ...pagingOf({ limit: 20, limitMax: LIMITS.jobsPageMax }),
    state: Type.Optional(wordOf(Object.keys(ORDER_STATES) as (keyof typeof ORDER_STATES)[])),
    q: optionalText({
      maxLength: LIMITS.resultsQueryChars,
      pattern: String.raw`^[^\u0000]*$`,
      description: 'A part of a name, a note, a line or a title',
      examples: ['housing'],
    }),
  }),
}

export function orderRoutes({ db, links }: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/account/orders', { schema }, async (request) => {
      const { offset = 0, limit = 20, state, q = '' } = request.query
      const states = state === undefined ? null : ORDER_STATES[state]
      const words = hasVisible(q) ? q : null
      const filter = (states ?? words) === null ? null : { states, words }
      const { accountId } = visitorOf(request)
      const { page, orders, searched } = await readOrders(db, { accountId, offset, limit }, filter)
      const found = orders.flatMap(({ job }) => (job === null ? [] : [job]))
      const jobs = await presentJobs(db, found, { links, view: 'named' })
      const byId = new Map(jobs.map((job) => [job.id, job]))
      return {
        ...page,
        searched,
        orders: orders.map(({ job, batch }) => ({
          job: job === null ? null : (byId.get(job.id) ?? null),
          batch: batch === null ? null : presentBatchSummary(batch),
        })),
      }
    })
  }
}
