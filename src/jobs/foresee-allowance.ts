/** Tells beforehand that an account's free work of today is used up, or nearly so. */
import { LIMITS } from '../config.ts'
import { readSource } from '../platform/source.ts'
import type { Db } from '../postgres/database.ts'
import { countDeliveredToday, readBrought, readFreeCalls } from '../store/free-calls.ts'
import { type AllowanceTerms, callsOfDay } from './allowance.ts'
import type { JobRequest } from './job-request.ts'

/** Sentences for the answer to POST; none as long as there is enough. Most accounts cost one small look. */
export async function noticesOfAllowance(
  db: Db,
  { accountId, request, terms }: { accountId: string; request: JobRequest; terms: AllowanceTerms },
): Promise<string[]> {
  const { listing, refused } = await readFreeCalls(db, accountId)
  if (Math.max(listing, refused) < terms.callsPerDay * LIMITS.allowanceNearlyUsed) return []
  const broughtMicros = await readBrought(db, accountId)
  const calls = callsOfDay(terms, {
    broughtMicros,
    delivered: await countDeliveredToday(db, accountId),
  })
  const until = 'until midnight (UTC), or until credit is added'
  if (refused >= calls) {
    return [
      `This account asked for ${refused} videos without captions today; further ones are not tried ${until}.`,
    ]
  }
  if (listing < calls * LIMITS.allowanceNearlyUsed || !asksForLists(request)) return []
  const left = Math.max(0, calls - listing)
  return [
    left === 0
      ? `The listing that is free for this account today is used up: channels and playlists are not read ${until}.`
      : `Of the listing that is free for this account today ${left} of ${calls} requests are left. Lists that need ` +
        `more are read so far; the same URLs sent again go on there after midnight (UTC), or after adding credit.`,
  ]
}

/** Dates are asked for before videos, too. */
function asksForLists({ urls, bounds }: JobRequest): boolean {
  if (bounds.afterAt !== null || bounds.beforeAt !== null) return true
  return urls
    .map(readSource)
    .some((reading) => reading.kind === 'source' && reading.source.kind !== 'video')
}
