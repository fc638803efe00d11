/** The page for signing up: address and password, then the link that proves the address. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { visitQuery } from '../api/queries.ts'
import { CheckMail } from '../parts/check-mail.tsx'
import { Button, Field, Notice } from '../parts/controls.tsx'
import { Entrance, FormEnd, FormError, PasswordField, useFormWork } from '../parts/entrance.tsx'
import { firstRunCode, FirstRunForm, FirstRunNotice } from '../parts/first-run.tsx'
import { ask } from '../api/account.ts'
import { ProviderButton } from '../parts/provider-button.tsx'
import { TextLink } from '../parts/text-link.tsx'

/** Kept while the page is open, to send the email again. */
type Wanted = { email: string; password: string }

const send = (wanted: Wanted) => ask('POST', '/auth/sign-up/email', wanted)

export function SignUpPage() {
  const [sent, setSent] = useState<Wanted | null>(null)
  const { data: visit } = useQuery(visitQuery)
  const form = useFormWork()
  const submit = form.sends(async (field) => {
    const wanted = { email: field('email'), password: field('password') }
    await send(wanted)
    setSent(wanted)
  })
  const code = firstRunCode()
  if (visit?.isFirstRun === true && code !== null) return <FirstRunForm code={code} />
  if (sent !== null) return <OneMoreStep sent={sent} />
  return (
    <Entrance title="Create an account">
      <FirstRunNotice />
      {visit?.signUp === 'closed' && (
        <div className="mb-5">
          <Notice tone="warn">
            Only the operator of this server can create accounts. If they have created one for you,
            sign up with the email address that they used.
          </Notice>
        </div>
      )}
      <form onSubmit={submit} className="space-y-5">
        <Field label="Email" name="email" type="email" autoComplete="username" required />
        <PasswordField label="Password" isNew />
        <FormEnd form={form}>Create the account</FormEnd>
      </form>
      <ProviderButton form={form} next="/library" className="mt-4" />
      <p className="mt-8 text-[0.9375rem]">
        <TextLink to="/sign-in">I already have an account</TextLink>
      </p>
    </Entrance>
  )
}

/** Shows that the email was sent, and a button to send it again. */
function OneMoreStep({ sent }: { sent: Wanted }) {
  const form = useFormWork()
  const [isAgain, setAgain] = useState(false)
  const again = () => form.run(() => send(sent).then(() => setAgain(true)))
  return (
    <Entrance title="One more step">
      <CheckMail
        email={sent.email}
        purpose="to confirm your address"
        hint="Open it in this browser."
      />
      <div className="mt-6 space-y-3">
        <FormError error={form.error} />
        <Button isBusy={form.isBusy} onClick={() => void again()}>
          Send it again
        </Button>
        <p role="status" className="text-sm text-muted">
          {isAgain && 'Sent again. Only the newest link works.'}
        </p>
      </div>
      <p className="mt-6 text-[0.9375rem]">
        <TextLink to="/sign-in">Back to sign-in</TextLink>
      </p>
    </Entrance>
  )
}
