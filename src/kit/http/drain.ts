/** Stopping: no new connections, answers under way end and close theirs, and nobody waits for ever. */
import type { FastifyInstance } from 'fastify'

/** `onStop` lets go of whoever waits for something that may not come. */
export function drainOnClose(
  app: FastifyInstance,
  { graceMs, onStop }: { graceMs: number; onStop: () => void },
): void {
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
    onStop()
    // A download over a slow line would hold the stop up for hours.
    setTimeout(() => app.server.closeAllConnections(), graceMs).unref()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isStopping) reply.header('Connection', 'close')
    done()
  })
}
