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

// Mails about a subscription: that the balance is empty, and that the followed list is gone.

export type FollowMail = { to: string; subject: string; lines: string[]; link: string | null }

const LINE_CHARS_SHOWN = 120

export function mailOfSubscription(told: {
  email: string
  kind: 'out_of_money' | 'gone'
  line: string
  title: string | null
  publicUrl: string
}): FollowMail {
  const { email: to, kind, line, title, publicUrl } = told
  const name = (title ?? line).slice(0, LINE_CHARS_SHOWN)
  const link = `${publicUrl}/following`
  if (kind === 'gone') {
    return {
      to,
      subject: `What you follow does not exist any more: ${name}`,
      lines: [
        `The platform says that ${line.slice(0, LINE_CHARS_SHOWN)} does not exist any more, or that nobody may see it.`,
        'It is not looked at any more. What was delivered stays yours.',
      ],
      link,
    }
  }
  return {
    to,
    subject: 'Your balance is empty: new videos wait',
    lines: [
      `There are new videos of ${name}, and your balance covers none of them.`,
      'They wait, and so do those of everything else you follow: within an hour after you add credit they are bought, within the caps you set.',
      'You get this mail once, not every day.',
    ],
    link,
  }
}
