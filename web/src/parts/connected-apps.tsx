/** Connected apps: what each may do and spend, to be changed or ended at once. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type App, ask } from '../api/account.ts'
import { appsQuery } from '../api/queries.ts'
import { usd, when } from '../format.ts'
import { SCOPE_NAMES } from './app-words.ts'
import { Confirm } from './confirm.tsx'
import { Button, buttonLook, Section } from './controls.tsx'
import { FormError, useFormWork } from './entrance.tsx'
import { Lines } from './list-row.tsx'
import { Empty, Waiting } from './states.tsx'
import { dollarsOf, MonthlyLimit } from './terms.tsx'

export function ConnectedApps() {
  const query = useQuery(appsQuery)
  const { data: apps } = query
  return (
    <Section
      title="Connected apps"
      about="Apps and agents that you allowed to use this account, each with a monthly spending limit."
    >
      <Waiting query={query} lines={2} label="Loading the apps" />
      {apps?.length === 0 && (
        <Empty title="No connected apps">An app that wants to connect leads you here itself.</Empty>
      )}
      <Lines of={apps}>{(app) => <AppLine key={app.id} app={app} />}</Lines>
    </Section>
  )
}

function AppLine({ app }: { app: App }) {
  const client = useQueryClient()
  const renew = () => client.invalidateQueries({ queryKey: appsQuery.queryKey })
  const revoke = async () => {
    await ask('DELETE', `/apps/${app.id}`)
    await renew()
  }
  const may = app.scopes.map((scope) => SCOPE_NAMES[scope]).join(', ')
  const used = app.lastUsedAt === null ? 'never used' : `last used ${when(app.lastUsedAt)}`
  return (
    <li className="flex flex-wrap items-end gap-4 py-4">
      <div className="min-w-0 flex-1 basis-72">
        <p className="truncate font-medium">
          <bdi>{app.name}</bdi>
          {app.publisher !== null && <span className="text-muted"> from {app.publisher}</span>}
        </p>
        <p className="text-sm text-muted">
          {may === '' ? 'its access has expired' : may} · {used}
        </p>
        <p className="numbers text-sm text-muted">
          {usd(app.spentThisMonth)} of {usd(app.monthlyCap)} spent or reserved this month
        </p>
      </div>
      <CapForm app={app} onDone={renew} />
      <Confirm
        title="Disconnect this app?"
        action="Disconnect"
        isDangerous
        onConfirm={revoke}
        triggerLook={buttonLook('danger')}
      >
        <p>
          <strong className="text-ink">
            <bdi>{app.name}</bdi>
          </strong>{' '}
          will be refused at once. Jobs that it started continue.
        </p>
      </Confirm>
    </li>
  )
}

function CapForm({ app, onDone }: { app: App; onDone: () => Promise<void> }) {
  const form = useFormWork()
  const submit = form.sends(async (field) => {
    await ask('PATCH', `/apps/${app.id}`, { monthlyCap: dollarsOf(field) })
    await onDone()
  })
  return (
    <form onSubmit={submit}>
      <div className="flex items-end gap-2">
        <MonthlyLimit
          key={app.monthlyCap}
          required
          defaultValue={String(Number(app.monthlyCap))}
          className="w-40"
        />
        <Button type="submit" isBusy={form.isBusy}>
          Change
        </Button>
      </div>
      <FormError error={form.error} />
    </form>
  )
}
