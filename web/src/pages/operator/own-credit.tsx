/** Credit that operators give themselves: an act of the console, behind its second factor, where they need it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { actOnConsole, clearanceQuery } from '../../api/operator.ts'
import { visitQuery } from '../../api/queries.ts'
import { Button, Field } from '../../parts/controls.tsx'
import { FormError, useFormWork } from '../../parts/entrance.tsx'
import { FactorForm } from './factor.tsx'

const REASON = 'the operator’s own account'

export function OwnCredit() {
  const { data: clearance } = useQuery(clearanceQuery)
  const { data: visit } = useQuery(visitQuery)
  const client = useQueryClient()
  const form = useFormWork()
  if (clearance === undefined) return <div className="h-[4.5rem]" />
  if (!clearance.isProven)
    return (
      <div className="max-w-sm">
        <FactorForm isEnrolled={clearance.isEnrolled} action="Continue" />
      </div>
    )
  const give = form.sends(async (field) => {
    const credit = { usd: field('usd'), reason: REASON }
    await actOnConsole(`/accounts/${visit?.accountId}/credit`, credit)
    for (const part of ['funds', 'statement']) void client.invalidateQueries({ queryKey: [part] })
  })
  return (
    <form onSubmit={give} className="max-w-sm space-y-4">
      <div className="flex items-end gap-3">
        <Field
          label="USD"
          name="usd"
          inputMode="decimal"
          maxLength={16}
          defaultValue="10"
          required
        />
        <Button type="submit" kind="primary" isBusy={form.isBusy}>
          Add credit
        </Button>
      </div>
      <FormError error={form.error} />
    </form>
  )
}
