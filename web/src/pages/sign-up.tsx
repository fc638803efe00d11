/** The page for signing up: address and password, then the link that proves the address. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { visitQuery } from '../api/queries.ts'
import { signInByProvider, signUp } from '../api/sign-in.ts'
import { CheckMail } from '../parts/check-mail.tsx'
import { Button, Field, Notice } from '../parts/controls.tsx'
import { Entrance, fieldsOf, FormError, type FormWork, useFormWork } from '../parts/entrance.tsx'
import { firstRunCode, FirstRunForm, FirstRunNotice } from '../parts/first-run.tsx'
import { PASSWORD_HINT, PASSWORD_LENGTH } from '../format.ts'

export function SignUpPage() {
  // Address and password, kept while the page is open, to send the email again.
  const [sent, setSent] = useState<{ email: string; password: string; times: number } | null>(null)
  const { data: visit } = useQuery(visitQuery)
  const form = useFormWork()

  const submit = (event: FormEvent<HTMLFormElement>) => {
    const field = fieldsOf(event)
    void send({ email: field('email'), password: field('password'), times: 1 })
  }
  const send = async (next: NonNullable<typeof sent>) => {
    if (await form.run(() => signUp(next.email, next.password))) setSent(next)
  }
  const code = firstRunCode()
  if (visit?.isFirstRun === true && code !== null) return <FirstRunForm code={code} />
  if (sent !== null)
    return (
      <OneMoreStep
        email={sent.email}
        times={sent.times}
        form={form}
        onAgain={() => void send({ ...sent, times: sent.times + 1 })}
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
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          hint={PASSWORD_HINT}
          {...PASSWORD_LENGTH}
          required
        />
        <FormError error={form.error} />
        <Button type="submit" kind="primary" isBusy={form.isBusy} className="w-full">
          Create the account
        </Button>
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
