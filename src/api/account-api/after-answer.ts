/** Work that begins once a request is answered, so that the answer tells nothing of it, not even by its time. */
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'

/** Does `work` after the answer. A failure of it is logged, since the client has its answer by then. */
export type AfterAnswer = (reply: FastifyReply, work: () => Promise<void>) => void

export function afterAnswers(log: Logger): { afterAnswer: AfterAnswer; settled(): Promise<void> } {
  const open = new Set<Promise<void>>()
  return {
    afterAnswer(reply, work) {
      const { promise, resolve } = Promise.withResolvers<void>()
      open.add(promise)
      reply.raw.once('close', () => {
        work()
          .catch((error: unknown) =>
            log.error({ err: error }, 'work after a sign-in response failed'),
          )
          .finally(() => (open.delete(promise), resolve()))
      })
    },
    async settled() {
      await Promise.all(open)
    },
  }
}
