/**
 * A route budget for the doctor. It keeps to the pace and the rests that all processes share, and reports nothing but
 * the captions of its routes' days: a client that the doctor finds refused rests no route of the service.
 */
import type { RouteBudget } from '../../model/platform/route-budget.ts'

/** Wraps a shared budget. Each lease gets a visitor of its own; the service's is neither used nor replaced. */
export function examiningBudget(shared: RouteBudget): RouteBudget {
  return {
    async take(terms, { captions = 0 }) {
      const lease = await shared.take(terms, { answered: 0, hasDelivered: false, captions })
      return { ...lease, identity: { ...lease.identity, visitors: {} } }
    },
    reportBlock: async () => ({ scope: 'nobody', forMs: 0 }),
    saveIdentity: async (_, { visitorData }) => visitorData,
  }
}
