/** API keys: made here, shown once, revoked at once. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiKey, ask, type NewKey } from '../api/account.ts'
import { keysQuery } from '../api/queries.ts'
import { usd, when } from '../format.ts'
import { Confirm } from './confirm.tsx'
import { Button, buttonLook, Choice, Field, Section } from './controls.tsx'
import { FormError, useFormWork } from './entrance.tsx'
import { Lines } from './list-row.tsx'
import { ShownOnce } from './shown-once.tsx'
import { Empty, Waiting } from './states.tsx'
import { dollarsOf, MonthlyLimit } from './terms.tsx'

/** Usual rights of keys: their scopes, and in words. */
const RIGHTS = [
  ['', 'full access'],
  ['transcripts:read jobs:write account:read', 'read, start jobs, see the balance'],
  ['transcripts:read', 'read transcripts only'],
] as const

export function ApiKeysSection() {
  const client = useQueryClient()
  const query = useQuery(keysQuery)
  const { data: keys } = query
  const [made, setMade] = useState<NewKey | null>(null)
  const form = useFormWork()

  const create = form.sends(async (field, sent) => {
    const [name, may, monthlyCap] = [field('name'), field('may'), dollarsOf(field)]
    const limits = {
      ...(may === '' ? {} : { scopes: may.split(' ') }),
      ...(monthlyCap === '' ? {} : { monthlyCap }),
    }
    setMade(await ask<NewKey>('POST', '/keys', { name, ...limits }))
    sent.reset()
    await client.invalidateQueries({ queryKey: ['keys'] })
  })
  const live = keys?.filter((key) => key.revokedAt === null) ?? []
  return (
    <Section
      title="API keys"
      about="A key lets a program use this account. Give each program its own key, so that you can revoke each one separately."
    >
      <form onSubmit={create} className="mb-6 flex flex-wrap items-end gap-3">
        <Field
          label="Name of the new key"
          name="name"
          required
          maxLength={80}
          placeholder="my program"
          autoComplete="off"
          className="w-full sm:w-52"
        />
        <Choice label="Permissions" name="may" className="max-w-full">
          {RIGHTS.map(([scopes, words]) => (
            <option key={scopes} value={scopes}>
              {words}
            </option>
          ))}
        </Choice>
        <MonthlyLimit placeholder="none" className="w-full sm:w-44" />
        <Button type="submit" isBusy={form.isBusy}>
          Create a key
        </Button>
      </form>
      <FormError error={form.error} />
      {made !== null && (
        <ShownOnce what="key" text={made.apiKey} onDone={() => setMade(null)}>
          Keep it like a password. Anyone who has it can spend this balance.
        </ShownOnce>
      )}
      <Waiting query={query} lines={2} label="Loading the keys" />
      {keys !== undefined && live.length === 0 && (
        <Empty title="No keys yet">The website needs no key; programs do.</Empty>
      )}
      <Lines of={live}>{(key) => <KeyLine key={key.id} apiKey={key} />}</Lines>
    </Section>
  )
}

function KeyLine({ apiKey }: { apiKey: ApiKey }) {
  const client = useQueryClient()
  const revoke = async () => {
    await ask('DELETE', `/keys/${apiKey.id}`)
    await client.invalidateQueries({ queryKey: ['keys'] })
  }
  return (
    <li className="flex items-center gap-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium" dir="auto">
          {apiKey.name}
        </p>
        <p className="text-sm text-muted">
          <code className="font-mono text-[0.8125rem]">{apiKey.prefix}…</code> · created{' '}
          {when(apiKey.createdAt)} ·{' '}
          {apiKey.lastUsedAt === null ? 'never used' : `last used ${when(apiKey.lastUsedAt)}`}
          {limitWords(apiKey)}
        </p>
        {apiKey.sentInClearAt !== null && (
          <p className="text-sm text-danger">
            Sent without encryption on {when(apiKey.sentInClearAt)}: others may have read it.
            Replace it.
          </p>
        )}
      </div>
      <Confirm
        title="Revoke this key?"
        action="Revoke"
        isDangerous
        onConfirm={revoke}
        triggerLook={buttonLook('danger', 'small')}
      >
        <p>
          Programs that use{' '}
          <strong className="text-ink" dir="auto">
            {apiKey.name}
          </strong>{' '}
          will be refused at once. The key begins with{' '}
          <code className="font-mono text-[0.8125rem] text-ink">{apiKey.prefix}</code>. This cannot
          be undone.
        </p>
      </Confirm>
    </li>
  )
}

function limitWords({ scopes, monthlyCap, spentThisMonth }: ApiKey): string {
  const may =
    scopes === null
      ? ''
      : ` · ${RIGHTS.find(([known]) => known === scopes.join(' '))?.[1] ?? scopes.join(', ')}`
  if (monthlyCap === null) return may
  return `${may} · ${usd(spentThisMonth ?? '0.00')} of ${usd(monthlyCap)} this month`
}
