/** Notices of a job that starts: what it leaves out, and how much of the day’s allowance is left. */
import { ALLOWANCE_NEARLY_USED, type AllowanceTerms } from '../../model/jobs/allowance.ts'
import { needsListing, noticesOfLimit, type Order } from '../../model/jobs/order.ts'
import { available, type Balance } from '../../model/money/ledger.ts'
import { cost, dollars } from '../../model/money/money.ts'
import { roomSentence } from '../../model/platform/route-budget.ts'
import type { Db } from '../../store/database.ts'
import { findRoom } from '../../store/platform-state.ts'
import { countDeliveredToday, type FreeCallsOfDay, readFreeCalls } from '../../store/free-calls.ts'
import { readAllowance } from './free-calls.ts'
import { WAY_OUT } from './spending-cap.ts'

type StartOutcome = {
  order: Order
  /** The balance before the job's reserve. */
  balance: Balance
  maxVideos: number
  /** Number of videos that the balance alone would pay for. */
  byBalance: number
  deliveredWishes: string[]
  /** Holder of the cap that lowered the job, where the balance did not: the owner's key, or an app. */
  capped: 'app' | 'key'
}

/** Returns that the balance covers only some of the videos that were asked for; null where it covers them all. */
export function noticeOfBalance({ order, balance, byBalance }: StartOutcome): string | null {
  const asked = order.maxVideos
  if (byBalance >= asked) return null
  const missing = cost(asked) - available(balance)
  return (
    `The balance covers ${byBalance} of the ${asked} videos requested; ` +
    `adding ${dollars(missing)} would cover all of them.`
  )
}

/** Returns what the balance or a cap left out, and what comes back unchanged. */
export function noticesOfStart(start: StartOutcome): string[] {
  const { order, maxVideos, byBalance, deliveredWishes, capped } = start
  const asked = order.maxVideos
  const ofBalance = noticeOfBalance(start)
  const notices = ofBalance === null ? [] : [ofBalance]
  if (maxVideos < byBalance) {
    notices.push(
      `The monthly limit of this ${capped} covers ${maxVideos} of the ${asked} videos requested. ${WAY_OUT[capped]}.`,
    )
  }
  notices.push(...noticesOfLimit(order.lines, maxVideos))
  const own = order.language + (order.wishedTrack === null ? '' : ` ${order.wishedTrack}`)
  const others = deliveredWishes.filter((wish) => wish !== own)
  if (others.length > 0) {
    notices.push(
      `Videos that an earlier job with these URLs delivered (language ${others.join(', ')}) come back as ` +
        '`unchanged`, whatever the language or track. To get them in another one, send a different set of ' +
        'URLs, for example the URLs of the videos.',
    )
  }
  return notices
}

/**
 * Returns that the account's free work of today is used up, or nearly so; nothing as long as there is enough. For most
 * accounts this costs one small read, or none where `today`, what the account used, was read already.
 */
export async function noticesOfAllowance(
  db: Db,
  {
    accountId,
    order,
    terms,
    today,
  }: { accountId: string; order: Order; terms: AllowanceTerms; today?: FreeCallsOfDay },
): Promise<string[]> {
  const { listing, refused } = today ?? (await readFreeCalls(db, accountId))
  if (Math.max(listing, refused) < terms.callsPerDay * ALLOWANCE_NEARLY_USED) return []
  const delivered = await countDeliveredToday(db, accountId)
  const calls = await readAllowance(db, accountId, terms, delivered)
  const until = 'until midnight (UTC), or until credit is added'
  if (refused >= calls) {
    return [
      `This account has reached today's limit of requested videos without a transcript (${refused}); no more videos are tried ${until}.`,
    ]
  }
  if (listing < calls * ALLOWANCE_NEARLY_USED || !needsListing(order)) return []
  const left = Math.max(0, calls - listing)
  return [
    left === 0
      ? `This account has used up its free listing for today: channels and playlists are not read ${until}.`
      : `This account has ${left} of today's ${calls} free listing requests left. Lists that need more are read ` +
        `in part; send the same URLs again after midnight (UTC), or after adding credit, to continue.`,
  ]
}

/** Returns that no egress route has room for captions today, and when one has; nothing where one has room. */
export async function noticesOfRoutes(db: Db): Promise<string[]> {
  const roomAt = await findRoom(db)
  if (roomAt === null) return []
  return [
    `The platform lets us fetch no more captions today. This job waits for room where that is within its time; else ` +
      `its videos end as blocked_suspect, free of charge. ${roomSentence(roomAt)}`,
  ]
}
