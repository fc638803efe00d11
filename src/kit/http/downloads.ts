/** Downloads of whole jobs: each reads and holds much, so an account has only so many under way. */
import type { FastifyReply } from 'fastify'
import { Problem } from '../problem.ts'

/** Whole-job files that are being sent to an account at once, by one process. */
const DOWNLOADS_AT_ONCE_MAX = 10
const DOWNLOAD_RETRY_SECONDS = 5

export type Downloads = {
  /** Counts the answer until it is sent or given up. Throws `rate_limited` where too many are under way. */
  begin(accountId: string, reply: FastifyReply): void
}

/** Of this process: what they hold is its own memory and its connections to the database. */
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
