/** The account's webhooks: servers that are told when a job is final, and about subscriptions. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import {
  type AskedEventType,
  makeWebhook,
  type Webhook,
  webhooksQuery,
  type WebhookWithSecret,
} from '../api/webhooks.ts'
import { counted, recently } from '../format.ts'
import { Button, CheckBox, Field, Section } from '../parts/controls.tsx'
import { FormError, useFormWork } from '../parts/entrance.tsx'
import { Dot, Lines, ListRow } from '../parts/list-row.tsx'
import { PAGE_NAMES } from '../words.ts'
import { PageHead } from '../parts/page-head.tsx'
import { Waiting } from '../parts/states.tsx'
import { EVENT_GROUPS, eventWords, SecretShown, stateWords } from '../parts/webhook-words.tsx'

const EVENTS = EVENT_GROUPS.flatMap(({ events }) => events)
const CHOSEN = EVENT_GROUPS.flatMap(({ events, isChosen }) => (isChosen ? events : []))

export function WebhooksPage() {
  const query = useQuery(webhooksQuery)
  const { data: webhooks, error } = query
  const [made, setMade] = useState<WebhookWithSecret | null>(null)
  return (
    <>
      <PageHead
        name={PAGE_NAMES.webhooks}
        about="We call a URL of yours when a job has ended or a channel that you follow has something new, so that no program has to poll."
      />
      {made !== null && <SecretShown secret={made.secret} onDone={() => setMade(null)} />}
      <Waiting query={query} lines={2} label="Loading the webhooks" />
      <Lines of={webhooks}>{(webhook) => <WebhookLine key={webhook.id} webhook={webhook} />}</Lines>
      {(webhooks !== undefined || error !== null) && (
        <div className="mt-10">
          <NewWebhook onMade={setMade} />
        </div>
      )}
    </>
  )
}

function WebhookLine({ webhook }: { webhook: Webhook }) {
  const { id, url, events, createdAt, disabledBecause, failingSince } = webhook
  const works = failingSince === null ? 'bg-accent' : 'bg-warn'
  return (
    <ListRow
      name={
        <Link
          to="/webhooks/$id"
          params={{ id }}
          className="font-medium wrap-anywhere underline decoration-transparent underline-offset-4 row-link group-hover:text-accent group-hover:decoration-accent"
          dir="ltr"
        >
          {url}
        </Link>
      }
      about={
        <>
          <Dot shade={disabledBecause === null ? works : 'bg-control/55'} />
          {stateWords(webhook)}
        </>
      }
      figure={<p className="numbers text-sm text-muted">{counted(events.length, 'event')}</p>}
      end={
        <p className="numbers text-sm text-muted sm:w-48 sm:text-right">
          created {recently(createdAt)}
        </p>
      }
    />
  )
}

function NewWebhook({ onMade }: { onMade: (made: WebhookWithSecret) => void }) {
  const client = useQueryClient()
  const form = useFormWork()
  const [events, setEvents] = useState<AskedEventType[]>(CHOSEN)
  const turn = (event: AskedEventType, isOn: boolean) =>
    setEvents(EVENTS.filter((one) => (one === event ? isOn : events.includes(one))))

  const create = form.sends(async (field, sent) => {
    onMade(await makeWebhook({ url: field('url').trim(), events }))
    sent.reset()
    await client.invalidateQueries({ queryKey: webhooksQuery.queryKey })
  })
  return (
    <Section
      title="Add a webhook"
      about="It must be reachable from the Internet. Each message is signed with a secret that is shown once."
    >
      <form onSubmit={create} className="max-w-xl space-y-4">
        <Field
          label="URL"
          name="url"
          type="url"
          required
          maxLength={2048}
          placeholder="https://example.org/hooks"
          autoComplete="off"
        />
        <div className="grid gap-4 sm:grid-cols-2">
          {EVENT_GROUPS.map((group) => (
            <fieldset key={group.title}>
              <legend className="mb-1.5 text-sm font-medium">{group.title}</legend>
              {group.events.map((event) => (
                <CheckBox
                  key={event}
                  checked={events.includes(event)}
                  onChange={({ target }) => turn(event, target.checked)}
                >
                  {eventWords(event)}
                </CheckBox>
              ))}
            </fieldset>
          ))}
        </div>
        {events.length === 0 && (
          <p className="text-sm font-medium text-danger">Choose at least one event.</p>
        )}
        <Button type="submit" kind="primary" isBusy={form.isBusy} disabled={events.length === 0}>
          Add the webhook
        </Button>
        <FormError error={form.error} />
      </form>
    </Section>
  )
}
