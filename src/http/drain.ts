/** Stopping: no new connections, answers under way end and close theirs, and nobody waits for ever. */
import type { FastifyInstance } from 'fastify'
import type { JobWaits } from '../api/job-waits.ts'

export function drainOnClose(
  app: FastifyInstance,
  { graceMs, waits }: { graceMs: number; waits: JobWaits },
): void {
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
    waits.close()
    // A download over a slow line would hold the stop up for hours.
    setTimeout(() => app.server.closeAllConnections(), graceMs).unref()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isStopping) reply.header('Connection', 'close')
    done()
  })
}
