/** The page for signing up: address and password, then the link that proves the address. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { visitQuery } from '../api/queries.ts'
import { signInByProvider } from '../api/sign-in.ts'
import { CheckMail } from '../parts/check-mail.tsx'
import { Button, Field, Notice } from '../parts/controls.tsx'
import {
  Entrance,
  FormEnd,
  FormError,
  type FormWork,
  PasswordField,
  useFormWork,
} from '../parts/entrance.tsx'
import { firstRunCode, FirstRunForm, FirstRunNotice } from '../parts/first-run.tsx'
import { ask } from '../api/account.ts'

export function SignUpPage() {
  // Address and password, kept while the page is open, to send the email again.
  const [sent, setSent] = useState<{ email: string; password: string; times: number } | null>(null)
  const { data: visit } = useQuery(visitQuery)
  const form = useFormWork()

  const send = async ({ email, password, times }: NonNullable<typeof sent>) => {
    await ask('POST', '/auth/sign-up/email', { email, password })
    setSent({ email, password, times })
  }
  const submit = form.sends((field) =>
    send({ email: field('email'), password: field('password'), times: 1 }),
  )
  const code = firstRunCode()
  if (visit?.isFirstRun === true && code !== null) return <FirstRunForm code={code} />
  if (sent !== null)
    return (
      <OneMoreStep
        email={sent.email}
        times={sent.times}
        form={form}
        onAgain={() => void form.run(() => send({ ...sent, times: sent.times + 1 }))}
      />
    )
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
      {visit?.oidcName != null && (
        <div className="mt-4">
          <Button
            className="w-full"
            onClick={() => void form.run(() => signInByProvider('/library'))}
          >
            {visit.oidcName}
          </Button>
        </div>
      )}
      <p className="mt-8 text-[0.9375rem]">
        <Link to="/sign-in" className="link">
          I already have an account
        </Link>
      </p>
    </Entrance>
  )
}

/** Shows that the email was sent, and a button to send it again. */
function OneMoreStep({
  email,
  times,
  form,
  onAgain,
}: {
  email: string
  times: number
  form: FormWork
  onAgain: () => void
}) {
  return (
    <Entrance title="One more step">
      <CheckMail email={email} purpose="to confirm your address" hint="Open it in this browser." />
      <div className="mt-6 space-y-3">
        <FormError error={form.error} />
        <Button isBusy={form.isBusy} onClick={onAgain}>
          Send it again
        </Button>
        <p role="status" className="text-sm text-muted">
          {times > 1 && 'Sent again. Only the newest link works.'}
        </p>
      </div>
      <p className="mt-6 text-[0.9375rem]">
        <Link to="/sign-in" className="link">
          Back to sign-in
        </Link>
      </p>
    </Entrance>
  )
}
