/** The parts of a subscription that its owner may change: the month's limit, and how often it is checked. */
import { changeFollowed, type Subscription } from '../api/following.ts'
import { Button } from './controls.tsx'
import { FormError, useFormWork } from './entrance.tsx'
import { dollarsOf, Interval, MonthlyLimit } from './terms.tsx'

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
  const submit = form.sends(async (field) => {
    const every = field('every').trim()
    const everyHours = every === '' ? null : Number(every)
    await changeFollowed(id, { monthlyCap: dollarsOf(field), everyHours })
    await onDone()
  })
  return (
    <details className="mt-2">
      <summary className="cursor-pointer py-0.5 text-sm text-muted">Limit and interval</summary>
      <form
        key={`${monthlyCap} ${everyHours}`}
        onSubmit={submit}
        className="mt-2 max-w-xl space-y-3"
      >
        <MonthlyLimit required defaultValue={String(Number(monthlyCap))} />
        <Interval defaultValue={everyHours ?? ''} hint={EVERY_HINT} />
        <Button type="submit" size="small" isBusy={form.isBusy}>
          Change
        </Button>
        <FormError error={form.error} />
      </form>
    </details>
  )
}
