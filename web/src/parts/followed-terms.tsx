/** The parts of a subscription that its owner may change: the month's limit, and how often it is checked. */
import type { FormEvent } from 'react'
import { changeFollowed, type Subscription } from '../api/following.ts'
import { FIELD_NAMES } from '../words.ts'
import { Button, Field } from './controls.tsx'
import { fieldsOf, FormError, useFormWork } from './entrance.tsx'

const EVERY_HINT = 'Leave it empty to check hourly to daily, depending on how often it publishes.'

export function FollowedTerms({
  subscription,
  onDone,
}: {
  subscription: Subscription
  onDone: () => Promise<void>
}) {
  const { id, monthlyCap, everyHours } = subscription
  const form = useFormWork()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const field = fieldsOf(event)
    const cap = field('cap').trim().replace(/^\$/, '')
    const every = field('every').trim()
    void form.run(async () => {
      await changeFollowed(id, { monthlyCap: cap, everyHours: every === '' ? null : Number(every) })
      await onDone()
    })
  }
  return (
    <details className="mt-2">
      <summary className="cursor-pointer py-0.5 text-sm text-muted">Limit and interval</summary>
      <form
        key={`${monthlyCap} ${everyHours}`}
        onSubmit={submit}
        className="mt-2 max-w-xl space-y-3"
      >
        <Field
          label={FIELD_NAMES.monthlyLimit}
          name="cap"
          required
          inputMode="decimal"
          maxLength={16}
          defaultValue={String(Number(monthlyCap))}
          autoComplete="off"
        />
        <Field
          label={FIELD_NAMES.interval}
          name="every"
          type="number"
          min={1}
          max={168}
          defaultValue={everyHours ?? ''}
          hint={EVERY_HINT}
        />
        <Button type="submit" size="small" isBusy={form.isBusy}>
          Change
        </Button>
        <FormError error={form.error} />
      </form>
    </details>
  )
}
