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
import { count, hourOf, recently, when } from '../../format.ts'
import { TallyBars } from '../../parts/bars.tsx'
import { Button, Section } from '../../parts/controls.tsx'
import { CopyId } from '../../parts/copy.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { FormError, useFormWork } from '../../parts/entrance.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Waiting } from '../../parts/states.tsx'
import { AccountLink, Detail, Named } from './detail.tsx'

const CHECKS = [
  {
    check: 'ledger',
    title: 'Ledger',
    about:
      "Adds up every account's entries and compares them with balances, chain, jobs, rows and payments.",
    action: 'Verify the ledger',
  },
  {
    check: 'doctor',
    title: 'Doctor',
    about: 'Tries the platform through every route and client profile; may take some minutes.',
    action: 'Run the doctor',
  },
] as const

export function ChecksPart() {
  const { data: checks } = useQuery(checksQuery)
  return (
    <div className="space-y-10">
      {CHECKS.map((one) => (
        <Check key={one.check} {...one} latest={checks?.[one.check] ?? null} />
      ))}
    </div>
  )
}

type CheckProps = (typeof CHECKS)[number] & { latest: OperatorChecks['ledger'] }

function Check({ title, about, check, action, latest }: CheckProps) {
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
      <p className="text-sm text-muted">
        {latest === null ? 'Never run.' : `${when(latest.at)}, by ${latest.by}`}
      </p>
      <pre className="mt-2 font-sans whitespace-pre-wrap wrap-anywhere">{latest?.detail}</pre>
    </Section>
  )
}

const DELIVERIES = [
  { of: 'delivered', word: 'delivered', look: 'bg-accent' },
  { of: 'waiting', word: 'waiting', look: 'bg-control' },
  { of: 'failing', word: 'not accepted so far', look: 'bg-danger' },
] as const

export function DeliveriesPart() {
  const query = useQuery(failingWebhooksQuery)
  const { data } = query
  if (data === undefined) return <Waiting query={query} lines={4} />
  return (
    <div className="space-y-10">
      <Section title="Deliveries of the last 24 hours" about="By the hour in which they were made.">
        <TallyBars
          name="Deliveries of the last 24 hours"
          kinds={DELIVERIES}
          bars={data.hours.map(({ at, ...states }) => ({ ...states, label: hourOf(at) }))}
        />
      </Section>
      <Section title="Failing webhooks">
        <DataTable
          name="Failing webhooks"
          rows={data.webhooks}
          keyOf={({ webhookId }) => webhookId}
          columns={({ figure }) => ({
            Webhook: ({ url }) => (
              <span className="block min-w-40 wrap-anywhere">{url ?? 'mail'}</span>
            ),
            Account: ({ accountId, email }) => <AccountLink id={accountId} email={email} />,
            'Failing since': ({ failingSince, disabledBecause }) => (
              <>
                {failingSince !== null && recently(failingSince)}
                {disabledBecause !== null && (
                  <p className="text-sm text-muted">off: {disabledBecause}</p>
                )}
              </>
            ),
            'Last answer': ({ error, status, outcome }) => error ?? status ?? outcome,
            Waiting: figure(({ pending }) => count(pending)),
          })}
          none="No webhook is failing."
        />
      </Section>
    </div>
  )
}

export function SettingsPart() {
  const query = useQuery(settingsQuery)
  const { data } = query
  if (data === undefined) return <Waiting query={query} lines={4} />
  const shown = ({ isSecret, isSet, value }: (typeof data.settings)[number]) =>
    isSecret ? (isSet ? 'set, hidden' : 'not set') : (value ?? 'none')
  return (
    <DataTable
      name="Settings"
      rows={data.settings}
      keyOf={({ name }) => name}
      columns={({ wide }) => ({
        Setting: ({ name }) => <code className="font-mono text-sm">{name}</code>,
        Value: (setting) => <span className="wrap-anywhere">{shown(setting)}</span>,
        'What it sets': wide(({ about }) => (
          <span className="text-sm text-muted">
            <Spoken text={about} />
          </span>
        )),
      })}
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
  /** The acts before which the pages up to this one begin. */
  const [befores, setBefores] = useState<readonly (number | null)[]>([null])
  const query = useQuery(logQuery(befores.at(-1) ?? null))
  const { data } = query
  if (data === undefined) return <Waiting query={query} lines={4} />
  return (
    <>
      <DataTable
        name="Log"
        rows={data.acts}
        keyOf={({ id }) => String(id)}
        columns={({ wide }) => ({
          When: ({ at }) => <span className="whitespace-nowrap">{recently(at)}</span>,
          What: ({ act, by }) => (
            <div className="min-w-32">
              <Named name={act} />
              <p className="text-sm wrap-anywhere text-muted">by {by}</p>
            </div>
          ),
          'Account or job': wide(({ accountId, email, jobId }) => (
            <>
              {accountId !== null && <AccountLink id={accountId} email={email ?? accountId} />}
              {accountId === null && email}
              {jobId !== null && (
                <p className="text-sm text-muted">
                  Job <CopyId id={jobId} />
                </p>
              )}
            </>
          )),
          Why: wide(({ reason }) => reason),
          Detail: wide(({ detail }) => <Detail text={detail} />),
        })}
        none="No actions yet."
      />
      <Pager
        offset={befores.length - 1}
        limit={1}
        hasNext={data.nextBefore !== null && !query.isPlaceholderData}
        onOffset={(page) => setBefores([...befores, data.nextBefore].slice(0, page + 1))}
      />
    </>
  )
}
