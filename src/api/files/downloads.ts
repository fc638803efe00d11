/** How many downloads an account may have under way, and how much they may hold. */
import { setTimeout } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { openCounts } from '../../kit/counts.ts'
import { CHUNK_BYTES } from '../../kit/file-body.ts'
import { onceClosed } from '../../kit/once-closed.ts'
import { Problem } from '../../kit/problem.ts'

/** Whole-job files that one process may be sending to an account at once: each asks the database again and again. */
const DOWNLOADS_AT_ONCE_MAX = 10
const DOWNLOAD_RETRY_SECONDS = 5
/**
 * Answers that hold no more are not counted; that is all but very long texts: two chunks, one on its way and one as the
 * client takes it.
 */
const SMALL_HELD_BYTES = 4 * CHUNK_BYTES
/** Bytes that the other answers of a process may hold together, and those of one account; it may always have one. */
const HELD_BYTES_MAX = 256 * 1024 * 1024
const HELD_BYTES_PER_ACCOUNT_MAX = HELD_BYTES_MAX / 4

export type Downloads = {
  /** Counts the answer until it is sent or aborted. Throws `rate_limited` where too many are under way. */
  begin(accountId: string, reply: FastifyReply): void
  /**
   * Counts bytes that an answer holds in memory; returns what gives them back. Throws `rate_limited` where the
   * account's other answers hold too many, `server_busy` where those of all do.
   */
  hold(accountId: string, bytes: number): () => void
  /** Counts them once there is room. */
  holdLater(accountId: string, bytes: number): Promise<() => void>
}

/** Counts the downloads of this process, whose memory and database connections they hold. */
export function openDownloads(): Downloads {
  const underWay = openCounts()
  const held = openCounts()
  const downloads: Downloads = {
    begin(accountId, { raw }) {
      if (underWay.of(accountId) >= DOWNLOADS_AT_ONCE_MAX) {
        throw refusal(
          'rate_limited',
          `Your account has ${DOWNLOADS_AT_ONCE_MAX} downloads in progress; try again when one has finished.`,
        )
      }
      underWay.add(accountId, 1)
      onceClosed(raw, () => underWay.add(accountId, -1))
    },
    hold(accountId, bytes) {
      if (bytes <= SMALL_HELD_BYTES) return () => undefined
      const own = held.of(accountId)
      if (own > 0 && own + bytes > HELD_BYTES_PER_ACCOUNT_MAX) {
        throw refusal(
          'rate_limited',
          'Your account is downloading other very long texts; try again when one has arrived.',
        )
      }
      const all = held.of(ALL_ACCOUNTS)
      if (all > 0 && all + bytes > HELD_BYTES_MAX) {
        throw refusal(
          'server_busy',
          'The server is sending as many very long texts as it has memory for; try again in a few seconds.',
        )
      }
      const add = (by: number): void =>
        [accountId, ALL_ACCOUNTS].forEach((name) => held.add(name, by))
      add(bytes)
      return once(() => add(-bytes))
    },
    async holdLater(accountId, bytes) {
      for (;;) {
        try {
          return downloads.hold(accountId, bytes)
        } catch (error) {
          if (!(error instanceof Problem)) throw error
          await setTimeout(ROOM_AGAIN_MS)
        }
      }
    },
  }
  return downloads
}

/** The interval at which it is asked again whether there is room. */
const ROOM_AGAIN_MS = 500

/** The name under which the bytes of all accounts are counted; no account has this id. */
const ALL_ACCOUNTS = 'all'

function refusal(code: 'rate_limited' | 'server_busy', message: string): Problem {
  return new Problem(code, { message, headers: { 'Retry-After': String(DOWNLOAD_RETRY_SECONDS) } })
}

function once(act: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) act()
    isDone = true
  }
}
