/** API keys: made here, shown once, revoked at once. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type ApiKey, ask, type NewKey } from '../api/account.ts'
import { keysQuery } from '../api/queries.ts'
import { when } from '../format.ts'
import { Confirm } from './confirm.tsx'
import { Button, buttonLook, Field, Notice, Section } from './controls.tsx'
import { CopyButton } from './copy.tsx'
import { fieldsOf, FormError, useFormWork } from './entrance.tsx'
import { Empty, Failed, Loading } from './states.tsx'

export function ApiKeysSection() {
  const client = useQueryClient()
  const { data: keys, error, refetch } = useQuery(keysQuery)
  const [made, setMade] = useState<NewKey | null>(null)
  const form = useFormWork()

  const create = (event: FormEvent<HTMLFormElement>) => {
    const { currentTarget } = event
    const name = fieldsOf(event)('name')
    void form.run(async () => {
      setMade(await ask<NewKey>('POST', '/keys', { name }))
      currentTarget.reset()
      await client.invalidateQueries({ queryKey: ['keys'] })
    })
  }
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
          className="w-full sm:w-72"
        />
        <Button type="submit" isBusy={form.isBusy}>
          Create a key
        </Button>
      </form>
      <FormError error={form.error} />
      {made !== null && <NewKeyShown made={made} onDone={() => setMade(null)} />}
      {error !== null && keys === undefined && (
        <Failed error={error} onRetry={() => void refetch()} />
      )}
      {keys === undefined && error === null && <Loading lines={2} label="Loading the keys" />}
      {keys !== undefined && live.length === 0 && (
        <Empty title="No keys yet">The website needs no key; programs do.</Empty>
      )}
      {live.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {live.map((key) => (
            <KeyLine key={key.id} apiKey={key} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function NewKeyShown({ made, onDone }: { made: NewKey; onDone: () => void }) {
  return (
    <div className="mb-6">
      <Notice title="Copy this key now: it will not be shown again">
        <code
          className="mt-2 block rounded-lg bg-surface px-3 py-2 font-mono text-sm break-all"
          data-testid="new-key"
        >
          {made.apiKey}
        </code>
        <p className="mt-2 text-sm">
          Keep it like a password. Anyone who has it can spend this balance.
        </p>
        <div className="mt-3 flex gap-2">
          <CopyButton text={made.apiKey} label="Copy the key" />
          <Button size="small" onClick={onDone}>
            I have saved it
          </Button>
        </div>
      </Notice>
    </div>
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
        </p>
      </div>
      <Confirm
        title="Revoke this key?"
        action="Revoke"
        isDangerous
        onConfirm={revoke}
        trigger="Revoke"
        triggerLook={buttonLook('danger', 'small')}
      >
        <p>
          Programs that use{' '}
          <strong className="text-ink" dir="auto">
            {apiKey.name}
          </strong>{' '}
          will be refused at once. This cannot be undone.
        </p>
      </Confirm>
    </li>
  )
}
