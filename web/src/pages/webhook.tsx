/** One webhook: its state and secret, a test, and the log of what was sent and answered. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import {
  deleteWebhook,
  rotateSecret,
  sendTest,
  switchWebhook,
  type Webhook,
  webhookQuery,
  webhooksQuery,
} from '../api/webhooks.ts'
import { isMissing } from '../api/problem.ts'
import { when } from '../format.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Button, buttonLook, Notice } from '../parts/controls.tsx'
import { DeliveryLog } from '../parts/delivery-log.tsx'
import { FormError, useFormWork } from '../parts/entrance.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { eventWords, SecretShown, stateWords } from '../parts/webhook-words.tsx'
import { WaitingPage } from './not-found.tsx'
import { TextLink } from '../parts/text-link.tsx'

const route = getRouteApi('/member/webhooks/$id')

export function WebhookPage() {
  const { id } = route.useParams()
  const query = useQuery(webhookQuery(id))
  const { data: webhook, error } = query
  if (webhook === undefined || isMissing(error))
    return <WaitingPage query={query} lines={4} label="Loading the webhook" />
  return (
    <>
      <PageHead
        title={
          <span className="wrap-anywhere" dir="ltr">
            {webhook.url}
          </span>
        }
        name="Webhook"
        about={
          <>
            <TextLink to="/webhooks">All webhooks</TextLink> · {stateWords(webhook)} · created{' '}
            {when(webhook.createdAt)} · sent when {webhook.events.map(inSentence).join(', ')}
          </>
        }
      />
      <Controls webhook={webhook} />
      <DeliveryLog webhook={webhook} />
    </>
  )
}

function Controls({ webhook }: { webhook: Webhook }) {
  const { id, disabledBecause, failingSince, oldSecretUntil } = webhook
  const client = useQueryClient()
  const work = useFormWork()
  const [secret, setSecret] = useState<string | null>(null)
  const isOn = disabledBecause === null
  const isWell = isOn && failingSince === null
  const refresh = () => client.invalidateQueries({ queryKey: webhooksQuery.queryKey })
  const rotate = async () => {
    setSecret((await rotateSecret(id)).secret)
    await refresh()
  }
  return (
    <div className="mb-10 space-y-4">
      {secret !== null && <SecretShown secret={secret} onDone={() => setSecret(null)} />}
      {(!isWell || oldSecretUntil !== null) && (
        <Notice tone={isWell ? 'calm' : 'warn'} title={stateWords(webhook)}>
          {failingSince !== null && (
            <p>No delivery has been accepted since {when(failingSince)}.</p>
          )}
          {oldSecretUntil !== null && (
            <p>The previous secret stays valid until {when(oldSecretUntil)}.</p>
          )}
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          isBusy={work.isBusy}
          disabled={!isOn}
          onClick={() => void work.run(() => sendTest(id).then(refresh))}
        >
          Send a test
        </Button>
        <Confirm
          title="Create a new secret?"
          action="Create a new secret"
          onConfirm={rotate}
          trigger="New secret"
          triggerLook={buttonLook('quiet')}
        >
          <p>
            Both secrets are valid for a day, so that you have time to change it on your server.
          </p>
        </Confirm>
        <Button
          kind="quiet"
          isBusy={work.isBusy}
          onClick={() =>
            void work.run(() => switchWebhook(id, isOn ? 'disabled' : 'active').then(refresh))
          }
        >
          {isOn ? 'Switch off' : 'Switch on'}
        </Button>
        <Delete id={id} />
      </div>
      <FormError error={work.error} />
    </div>
  )
}

function Delete({ id }: { id: string }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const remove = async () => {
    await deleteWebhook(id)
    await client.invalidateQueries({ queryKey: webhooksQuery.queryKey, exact: true }) // not what is gone
    await navigate({ to: '/webhooks', ignoreBlocker: true }) // a new secret on the page is of no further use
  }
  return (
    <Confirm
      title="Delete this webhook?"
      action="Delete"
      isDangerous
      onConfirm={remove}
      triggerLook={buttonLook('danger')}
    >
      <p>Nothing more is sent, and its log is deleted. This cannot be undone.</p>
    </Confirm>
  )
}

/** Returns "a job has finished", within a line. */
function inSentence(type: Webhook['events'][number]): string {
  const words = eventWords(type)
  return words.charAt(0).toLowerCase() + words.slice(1)
}
