/** Asks for another address of the account, which is used once the link mailed there was opened. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ask, type SignInMethods } from '../api/account.ts'
import { visitQuery } from '../api/queries.ts'
import { when } from '../format.ts'
import { Button, Field, Notice } from './controls.tsx'
import { FormError, PasswordField, useFormWork } from './entrance.tsx'

export function ChangeAddress({ methods }: { methods: SignInMethods }) {
  const client = useQueryClient()
  const form = useFormWork()
  const submit = form.sends(async (field, sent) => {
    const password = methods.hasPassword ? { password: field('password') } : {}
    await ask('POST', '/address', { email: field('email'), ...password })
    sent.reset()
    await client.invalidateQueries({ queryKey: ['methods'] })
  })
  return (
    <form onSubmit={submit} className="space-y-4" aria-labelledby="change-address">
      <h3 id="change-address" className="font-sans text-base font-semibold">
        Email address
      </h3>
      <div aria-live="polite">
        {methods.nextAddress !== null && <Pending {...methods.nextAddress} />}
      </div>
      <Field
        label="New email address"
        name="email"
        type="email"
        autoComplete="email"
        required
        hint="Keys, jobs and invoices stay. We tell your current address, which can undo the change for a week."
      />
      {methods.hasPassword && <PasswordField label="Your password" />}
      <FormError error={form.error} />
      <Button type="submit" isBusy={form.isBusy}>
        Change the address
      </Button>
    </form>
  )
}

function Pending({ email, expiresAt }: NonNullable<SignInMethods['nextAddress']>) {
  const { data: visit } = useQuery(visitQuery)
  const where =
    visit?.sendsMail === false ? 'is in the server’s mail folder (MAIL_DIR)' : 'is on its way there'
  return (
    <Notice title={`${email} is not confirmed yet`}>
      A link {where}. Open it in this browser before {when(expiresAt)}. Until then nothing changes.
    </Notice>
  )
}
