/**
 * A subscription: a channel or playlist whose new videos an account has bought by itself.
 *
 *     active ◀──money──── out_of_money   the balance covers none of what waits: one mail
 *       │ ▲ ◀──month───── cap_reached    the month's cap is used up, or was lowered
 *       │ └───resume───── paused         its owner asked; what is published meanwhile is not bought
 *       └──no such list─▶ gone           the platform said so three times in two days: one mail
 *
 * Each change of state is a webhook event, and so is a look that found new videos.
 *
 * What new videos cost never exceeds the cap of the month (UTC) in which their job starts. Looks at a list
 * go on while the cap is reached, so that nothing is missed; what waits is bought in order of age.
 */
export const SUBSCRIPTION_STATES = [
  'active',
  'paused',
  'out_of_money',
  'cap_reached',
  'gone',
] as const

export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number]

const STATE_EVENTS = SUBSCRIPTION_STATES.map((state) => `subscription.${state}` as const)
export const SUBSCRIPTION_EVENT_TYPES = ['subscription.found', ...STATE_EVENTS] as const

export type SubscriptionEventType = (typeof SUBSCRIPTION_EVENT_TYPES)[number]

/** What webhooks are told of; `found`: new videos, bought at once or not. */
export function subscriptionEvents(
  before: SubscriptionState,
  { state, found }: { state: SubscriptionState; found: number },
): SubscriptionEventType[] {
  const news: SubscriptionEventType[] = found > 0 ? ['subscription.found'] : []
  return state === before ? news : [...news, `subscription.${state}`]
}

/** Of these nobody looks. */
export type RestingState = 'paused' | 'gone'

/** Looks in a row that are told there is no such list before that is believed. */
export const MISSING_LOOKS_MAX = 3
/** Videos that may wait for money or for the next month; newer ones are passed over. */
export const WAITING_VIDEOS_MAX = 500
