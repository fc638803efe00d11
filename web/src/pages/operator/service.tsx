/** The console's view of the whole service: checks, deliveries, settings, and the log of acts. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { OperatorChecks } from '../../api/account.ts'
import {
  actOnConsole,
  checksQuery,
  failingWebhooksQuery,
  logQuery,
  readAnew,
  settingsQuery,
} from '../../api/operator.ts'
import { count, when } from '../../format.ts'
import { Button, Section } from '../../parts/controls.tsx'
import { FormError, useFormWork } from '../../parts/entrance.tsx'
import { Waiting } from '../../parts/states.tsx'
import { AccountLink } from './account-link.tsx'
import { ConsoleTable } from './table.tsx'

export function ChecksPart() {
  const { data: checks } = useQuery(checksQuery)
  return (
    <div className="space-y-10">
      <Check
        title="Ledger"
        about="Adds up every account's entries and compares them with balances, chain, jobs, rows and payments."
        check="ledger"
        action="Verify the ledger"
        latest={checks?.ledger ?? null}
      />
      <Check
        title="Doctor"
        about="Tries the platform through every route and client profile; may take some minutes."
        check="doctor"
        action="Run the doctor"
        latest={checks?.doctor ?? null}
      />
    </div>
  )
}

function Check({
  title,
  about,
  check,
  action,
  latest,
}: {
  title: string
  about: string
  check: 'ledger' | 'doctor'
  action: string
  latest: OperatorChecks['ledger']
}) {
  const client = useQueryClient()
  const form = useFormWork()
  const run = () =>
    void form.run(async () => {
      await actOnConsole(`/checks/${check}`)
      await readAnew(client)
    })
  const button = (
    <Button isBusy={form.isBusy} onClick={run}>
      {form.isBusy ? 'Under way…' : action}
    </Button>
  )
  return (
    <Section title={title} about={about} action={button}>
      <FormError error={form.error} />
      {latest === null ? (
        <p className="text-muted">Never run.</p>
      ) : (
        <>
          <p className="text-sm text-muted">
            {when(latest.at)}, by {latest.by}
          </p>
          <pre className="mt-2 font-sans whitespace-pre-wrap wrap-anywhere">{latest.detail}</pre>
        </>
      )}
    </Section>
  )
}

export function DeliveriesPart() {
  const query = useQuery(failingWebhooksQuery)
  const { data } = query
  if (data === undefined) return <Waiting query={query} lines={4} />
  return (
    <ConsoleTable
      name="Failing webhooks"
      columns={['Webhook', 'Account', 'Failing since', 'Last answer', 'Waiting']}
      rows={data.webhooks.map((webhook) => ({
        key: webhook.webhookId,
        cells: [
          <span key="url" className="block min-w-40 wrap-anywhere">
            {webhook.url ?? 'mail'}
          </span>,
          <AccountLink key="account" id={webhook.accountId} email={webhook.email} />,
          <span key="since">
            {webhook.failingSince === null ? '' : when(webhook.failingSince)}
            {webhook.disabledBecause !== null && (
              <span className="block text-sm text-muted">off: {webhook.disabledBecause}</span>
            )}
          </span>,
          webhook.error ?? webhook.status ?? webhook.outcome,
          count(webhook.pending),
        ],
      }))}
      none="No webhook is failing."
    />
  )
}

export function SettingsPart() {
  const query = useQuery(settingsQuery)
  const { data } = query
  if (data === undefined) return <Waiting query={query} lines={4} />
  const shown = ({ isSecret, isSet, value }: (typeof data.settings)[number]) =>
    isSecret ? (isSet ? 'set, hidden' : 'not set') : (value ?? 'none')
  return (
    <ConsoleTable
      name="Settings"
      columns={['Setting', 'Value', 'What it sets']}
      rows={data.settings.map((setting) => ({
        key: setting.name,
        cells: [
          <code key="name" className="font-mono text-sm">
            {setting.name}
          </code>,
          <span key="value" className="wrap-anywhere">
            {shown(setting)}
          </span>,
          <span key="about" className="text-sm text-muted">
            <Spoken text={setting.about} />
          </span>,
        ],
      }))}
    />
  )
}

/** Shows a sentence; text between backticks is set as code. */
function Spoken({ text }: { text: string }) {
  return text.split('`').map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <code key={at} className="font-mono wrap-anywhere">
        {part}
      </code>
    ),
  )
}

export function LogPart() {
  const [before, setBefore] = useState<number | null>(null)
  const query = useQuery(logQuery(before))
  const { data } = query
  if (data === undefined) return <Waiting query={query} lines={4} />
  return (
    <>
      <ConsoleTable
        name="Log"
        columns={['When', 'Who', 'What', 'Account or job', 'Why', 'Detail']}
        rows={data.acts.map((act) => ({
          key: String(act.id),
          cells: [
            <span key="at" className="whitespace-nowrap">
              {when(act.at)}
            </span>,
            <span key="by" className="block min-w-40 wrap-anywhere">
              {act.by}
            </span>,
            act.act.replaceAll('_', ' '),
            <span key="of" className="wrap-anywhere">
              {act.accountId === null ? (
                act.email
              ) : (
                <AccountLink id={act.accountId} email={act.email ?? act.accountId} />
              )}
              {act.jobId !== null && <span className="block text-sm text-muted">{act.jobId}</span>}
            </span>,
            act.reason,
            <span key="detail" className="line-clamp-6 text-sm">
              {act.detail}
            </span>,
          ],
        }))}
        none="No actions yet."
      />
      <div className="mt-6 flex justify-between">
        <Button size="small" disabled={before === null} onClick={() => setBefore(null)}>
          Newest
        </Button>
        <Button
          size="small"
          disabled={data.nextBefore === null}
          onClick={() => setBefore(data.nextBefore)}
        >
          Older
        </Button>
      </div>
    </>
  )
}
