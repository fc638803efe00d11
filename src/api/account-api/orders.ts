/** /account/orders: the list of what the account ordered, in which a batch stands for its jobs. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { readOrders } from '../../features/batches/batches.ts'
import { LIMITS } from '../../config/config.ts'
import type { ApiContext } from '../api-context.ts'
import { presentBatchSummary } from '../batches/present.ts'
import { pagingOf } from '../contract.ts'
import { presentJobs } from '../jobs/present.ts'
import { answering, REPLIES } from './replies.ts'
import { visitorOf } from './visitor.ts'

const schema = {
  ...answering(REPLIES.Orders),
  querystring: Type.Object(pagingOf({ limit: 20, limitMax: LIMITS.jobsPageMax })),
}

export function orderRoutes({ db, links }: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/account/orders', { schema }, async (request) => {
      const { offset = 0, limit = 20 } = request.query
      const { accountId } = visitorOf(request)
      const { page, orders } = await readOrders(db, { accountId, offset, limit })
      const found = orders.flatMap(({ job }) => (job === null ? [] : [job]))
      const jobs = await presentJobs(db, found, { links, view: 'named' })
      const byId = new Map(jobs.map((job) => [job.id, job]))
      return {
        ...page,
        orders: orders.map(({ job, batch }) => ({
          job: job === null ? null : (byId.get(job.id) ?? null),
          batch: batch === null ? null : presentBatchSummary(batch),
        })),
      }
    })
  }
}
