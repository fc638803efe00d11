/** Names of webhooks' states, events and deliveries, and the secret that is shown once. */
import type { AskedEventType, Delivery, Webhook } from '../api/webhooks.ts'
import { ShownOnce } from './shown-once.tsx'

const EVENT_WORDS: Record<AskedEventType, string> = {
  'job.finished': 'A job has finished',
  'job.cancelled': 'A job was cancelled',
  'job.failed': 'A job has failed',
  'job.interrupted': 'A job was interrupted',
  'subscription.found': 'New videos were found',
  'subscription.active': 'Following resumed',
  'subscription.paused': 'Following was paused',
  'subscription.out_of_money': 'New videos are waiting for credit',
  'subscription.cap_reached': 'New videos are waiting for the next month',
  'subscription.gone': 'Channel or playlist removed',
}

/** Groups of events in a form. Events of jobs are chosen from the start. */
export const EVENT_GROUPS = [
  { title: 'Jobs', events: eventsOf('job.'), isChosen: true },
  { title: 'Following', events: eventsOf('subscription.'), isChosen: false },
]

function eventsOf(start: string): AskedEventType[] {
  return (Object.keys(EVENT_WORDS) as AskedEventType[]).filter((type) => type.startsWith(start))
}

export function eventWords(type: Delivery['type']): string {
  return type === 'webhook.test' ? 'A test' : EVENT_WORDS[type]
}

const DISABLED_WORDS: Record<NonNullable<Webhook['disabledBecause']>, string> = {
  asked: 'Switched off',
  gone: 'Switched off: the server says the address no longer exists',
  failing: 'Switched off: nothing was accepted for five days',
  secret_lost: 'Switched off: its secret was lost when the database was restored; create a new one',
}

export function stateWords({ disabledBecause, failingSince }: Webhook): string {
  if (disabledBecause !== null) return DISABLED_WORDS[disabledBecause]
  return failingSince === null ? 'On' : 'On, but the latest delivery was not accepted'
}

export function SecretShown({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <ShownOnce what="secret" text={secret} onDone={onDone}>
      Your server uses it to check that a message is from us. Libraries for Standard Webhooks do
      that in one line.
    </ShownOnce>
  )
}
