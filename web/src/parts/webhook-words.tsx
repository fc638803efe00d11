/** Names of webhooks' states, events and deliveries, and the secret that is shown once. */
import type { AskedEventType, Delivery, Webhook } from '../api/webhooks.ts'
import { EVENT_WORDS } from '../../../src/model/webhooks/event-words.ts'
import { DISABLED_WORDS, PAGE_NAMES } from '../words.ts'
import { ShownOnce } from './shown-once.tsx'

/** Groups of events in a form. Events of jobs are chosen from the start. */
export const EVENT_GROUPS = [
  { title: PAGE_NAMES.jobs, events: eventsOf('job.'), isChosen: true },
  { title: PAGE_NAMES.following, events: eventsOf('subscription.'), isChosen: false },
]

function eventsOf(start: string): AskedEventType[] {
  return (Object.keys(EVENT_WORDS) as AskedEventType[]).filter((type) => type.startsWith(start))
}

export function eventWords(type: Delivery['type']): string {
  return EVENT_WORDS[type].label
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
