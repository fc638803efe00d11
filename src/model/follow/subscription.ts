/**
 * A subscription: a channel or playlist whose new videos an account has bought by itself, within a cap for each month.
 */
import { type Email, mailLine } from '../mail/email.ts'
import { affordable } from '../money/money.ts'

// The monthly cap: what the jobs of a subscription may cost in one calendar month (UTC). A job counts against
// the month in which it was started, by the database's clock: with its reserve while it is open, with its charge
// once it is final. The sum is read from the jobs, under the subscription's lock, so no counter can drift, and a
// clock that jumps only changes which month pays: no month pays more than its cap.

/** Returns the name of the month in UTC, such as `2026-11`. */
export function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7)
}

/** Returns the first instant of the month after. */
export function nextMonthOf(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))
}

/** Returns whether less than the price of a transcript is left of the cap, by what the month's final jobs charged. */
export function isCapUsed({ capMicros, chargedMicros }: CapUse): boolean {
  return affordable(capMicros - chargedMicros) === 0
}

/** A monthly cap, and what was charged of it. Reserves of open jobs are not charged: they may come back. */
export type CapUse = { capMicros: bigint; chargedMicros: bigint }

export const SUBSCRIPTION_STATES = [
  'active',
  'paused', // by its owner: what is published meanwhile is not bought
  'out_of_money', // the balance covers none of what waits; active again with credit
  'cap_reached', // looks go on, and what waits is bought in the next month, or with a higher cap
  'gone', // the platform said so three times in two days
] as const

export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number]

const STATE_EVENTS = SUBSCRIPTION_STATES.map((state) => `subscription.${state}` as const)
export const SUBSCRIPTION_EVENT_TYPES = ['subscription.found', ...STATE_EVENTS] as const

export type SubscriptionEventType = (typeof SUBSCRIPTION_EVENT_TYPES)[number]

/** Notice of a subscription whose cap is used up. */
export const CAP_NOTICE =
  'This month’s limit is used up; new videos wait for the next month or a higher limit.'

/**
 * Returns a subscription as it is told at any instant: its row learns of a cap that was used up, of a higher one and of
 * a new month with the next look.
 */
export function withCapTold<
  Told extends CapUse & { state: SubscriptionState; notice: string | null },
>(told: Told): Told {
  if (told.state === 'active' && isCapUsed(told))
    return { ...told, state: 'cap_reached', notice: CAP_NOTICE }
  const isOver = told.state === 'cap_reached' && !isCapUsed(told)
  return isOver ? { ...told, state: 'active', notice: null } : told
}

/** Returns the events to send to webhooks; `found` is the number of new videos, bought at once or not. */
export function subscriptionEvents(
  before: SubscriptionState,
  { state, found }: { state: SubscriptionState; found: number },
): SubscriptionEventType[] {
  const news: SubscriptionEventType[] = found > 0 ? ['subscription.found'] : []
  return state === before ? news : [...news, `subscription.${state}`]
}

/** Number of looks in a row that are told there is no such list before that is believed. */
export const MISSING_LOOKS_MAX = 3
/** Number of videos that may wait for money or for the next month; newer ones are passed over. */
export const WAITING_VIDEOS_MAX = 500

export function mailOfSubscription(told: {
  email: string
  kind: 'out_of_money' | 'gone'
  line: string
  title: string | null
  publicUrl: string
}): Email {
  const { email: to, kind, line, title, publicUrl } = told
  const name = title ?? line
  const link = `${publicUrl}/following`
  if (kind === 'gone') {
    return {
      to,
      subject: mailLine`A channel or playlist you follow no longer exists: ${name}`,
      lines: [
        mailLine`The platform says that ${line} no longer exists or is no longer public.`,
        mailLine`We have stopped checking it. Your transcripts stay yours.`,
      ],
      link,
    }
  }
  return {
    to,
    subject: mailLine`Your balance is empty: new videos are waiting`,
    lines: [
      mailLine`${name} has new videos, and your balance does not cover any of them.`,
      mailLine`Once you add credit, they are bought within an hour, as are new videos of everything else you follow, up to your monthly limits.`,
      mailLine`We send this email once, not every day.`,
    ],
    link,
  }
}
