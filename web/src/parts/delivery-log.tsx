/** The log of a webhook: events sent in the last 30 days, their answers, and sending them again. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { pageAt } from '../addresses.ts'
import {
  deliveriesQuery,
  DELIVERIES_PAGE,
  type Delivery,
  replayOne,
  replaySince,
  type Webhook,
} from '../api/webhooks.ts'
import { counted, when } from '../format.ts'
import { Button, Field, Notice, Section } from './controls.tsx'
import { FormError, useFormWork } from './entrance.tsx'
import { Lines } from './list-row.tsx'
import { Pager } from './pager.tsx'
import { Empty, Waiting } from './states.tsx'
import { eventWords } from './webhook-words.tsx'
import { TextLink } from './text-link.tsx'

const route = getRouteApi('/member/webhooks/$id')

export function DeliveryLog({ webhook }: { webhook: Webhook }) {
  const { page = 1 } = route.useSearch()
  const navigate = useNavigate({ from: '/webhooks/$id' })
  const offset = (page - 1) * DELIVERIES_PAGE
  const query = useQuery(deliveriesQuery(webhook.id, offset))
  const { data } = query
  return (
    <Section title="Deliveries" about="The last 30 days, newest first.">
      {webhook.state === 'active' && <Replay id={webhook.id} />}
      <Waiting query={query} lines={3} label="Loading the log" />
      {data?.total === 0 && (
        <Empty title="No deliveries yet">Send a test above, or wait for the next event.</Empty>
      )}
      <Lines of={data?.deliveries}>
        {(delivery) => <DeliveryLine key={delivery.id} delivery={delivery} webhook={webhook} />}
      </Lines>
      {data !== undefined && data.total > 0 && (
        <Pager
          offset={offset}
          limit={DELIVERIES_PAGE}
          total={data.total}
          onOffset={(next) =>
            void navigate({ search: pageAt(next, DELIVERIES_PAGE), resetScroll: false })
          }
        />
      )}
    </Section>
  )
}

/** Sends again all events since a day, including jobs that ended while the webhook was disabled. */
function Replay({ id }: { id: string }) {
  const client = useQueryClient()
  const form = useFormWork()
  const [replayed, setReplayed] = useState<number | null>(null)
  const replay = form.sends(async (field) => {
    setReplayed(null)
    const since = new Date(`${field('since')}T00:00:00`)
    const answer = await replaySince(id, since.toISOString())
    setReplayed(answer.replayed)
    await client.invalidateQueries({ queryKey: ['webhooks', id] })
  })
  return (
    <div className="mb-6 space-y-3">
      <form onSubmit={replay} className="flex flex-wrap items-end gap-3">
        <Field label="Send all events again since" name="since" type="date" required />
        <Button type="submit" isBusy={form.isBusy}>
          Replay
        </Button>
      </form>
      <FormError error={form.error} />
      {replayed !== null && <Notice>{counted(replayed, 'message')} will be sent again.</Notice>}
    </div>
  )
}

function DeliveryLine({ delivery, webhook }: { delivery: Delivery; webhook: Webhook }) {
  const client = useQueryClient()
  const work = useFormWork()
  const again = () =>
    work.run(async () => {
      await replayOne(webhook.id, delivery.id)
      await client.invalidateQueries({ queryKey: ['webhooks', webhook.id] })
    })
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1">
          <p className="font-medium">
            <Told delivery={delivery} />
          </p>
          <p className="text-sm text-muted">
            {when(delivery.createdAt)} · {outcomeWords(delivery)}
          </p>
        </div>
        {webhook.state === 'active' && (
          <Button size="small" isBusy={work.isBusy} onClick={() => void again()}>
            Send again
          </Button>
        )}
      </div>
      <FormError error={work.error} />
      <details className="mt-2 text-sm">
        <summary className="cursor-pointer text-muted">Request and answers</summary>
        <Details delivery={delivery} />
      </details>
    </li>
  )
}

/** Shows what a delivery is about, with a link to its job; a test has none. */
function Told({ delivery: { type, jobId } }: { delivery: Delivery }) {
  const words = eventWords(type)
  if (jobId !== null)
    return (
      <TextLink to="/jobs/$id" params={{ id: jobId }}>
        {words}
      </TextLink>
    )
  if (!type.startsWith('subscription.')) return words
  return <TextLink to="/following">{words}</TextLink>
}

function Details({ delivery }: { delivery: Delivery }) {
  return (
    <div className="mt-2 space-y-3">
      <p className="text-muted">
        Sent as <code className="font-mono wrap-anywhere">{delivery.id}</code>, the same for every
        attempt:
      </p>
      <Code label="Request" text={JSON.stringify(delivery.payload, null, 2)} />
      {delivery.attempts.map((attempt) => (
        <div key={attempt.number}>
          <p>
            {when(attempt.at)}: {attempt.status ?? attempt.error ?? 'No answer'} ·{' '}
            {attempt.durationMs} ms · <span className="wrap-anywhere">{attempt.url}</span>
          </p>
          {attempt.reply !== null && attempt.reply !== '' && (
            <Code label="Answer" text={attempt.reply} />
          )}
        </div>
      ))}
    </div>
  )
}

function Code({ label, text }: { label: string; text: string }) {
  return (
    <pre
      tabIndex={0}
      aria-label={label}
      className="max-h-72 overflow-auto rounded-lg bg-sunken p-3 font-mono text-[0.8125rem]"
    >
      <code>{text}</code>
    </pre>
  )
}

function outcomeWords({ state, attempts, nextAttemptAt }: Delivery): string {
  const tries = counted(attempts.length, 'attempt')
  if (state === 'delivered') return `accepted after ${tries}`
  if (state === 'failed') return `given up after ${tries}`
  const last = attempts.at(-1)
  const so = last === undefined ? 'to be sent' : `${last.status ?? last.error ?? 'no answer'}`
  return nextAttemptAt === null ? so : `${so}; next attempt ${when(nextAttemptAt)}`
}
