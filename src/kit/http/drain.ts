/**
 * The end of serving: no new connections are accepted, answers under way end and close theirs, and none is waited for
 * without limit.
 */
import type { FastifyInstance } from 'fastify'

/** Drains the server when it closes; `onStop` must release requests that wait for something that may never come. */
export function drainOnClose(
  app: FastifyInstance,
  { graceMs, onStop }: { graceMs: number; onStop: () => void },
): void {
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
    onStop()
    // A download over a slow line could delay the stop for hours.
    setTimeout(() => app.server.closeAllConnections(), graceMs).unref()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isStopping) reply.header('Connection', 'close')
    done()
  })
}
