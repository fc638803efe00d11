/** Downloads of whole jobs. Each reads and holds much, so the number under way is limited for each account. */
import type { FastifyReply } from 'fastify'
import { Problem } from '../problem.ts'

/** Whole-job files that one process may be sending to an account at once. */
const DOWNLOADS_AT_ONCE_MAX = 10
const DOWNLOAD_RETRY_SECONDS = 5

export type Downloads = {
  /** Counts the answer until it is sent or aborted. Throws `rate_limited` where too many are under way. */
  begin(accountId: string, reply: FastifyReply): void
}

/** Counts the downloads of this process, whose memory and database connections they hold. */
export function openDownloads(): Downloads {
  const underWay = new Map<string, number>()
  return {
    begin(accountId, { raw }) {
      const count = underWay.get(accountId) ?? 0
      if (count >= DOWNLOADS_AT_ONCE_MAX) {
        throw new Problem('rate_limited', {
          message: `Your account has ${DOWNLOADS_AT_ONCE_MAX} downloads in progress; try again when one has finished.`,
          headers: { 'Retry-After': String(DOWNLOAD_RETRY_SECONDS) },
        })
      }
      if (raw.closed) return // the client left already
      underWay.set(accountId, count + 1)
      raw.once('close', () => {
        const left = (underWay.get(accountId) ?? 1) - 1
        if (left > 0) underWay.set(accountId, left)
        else underWay.delete(accountId)
      })
    },
  }
}
