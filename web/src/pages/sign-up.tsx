/** Signing up: address and password, then the link that proves the address. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { visitQuery } from '../api/queries.ts'
import { signUp } from '../api/sign-in.ts'
import { CheckMail } from '../parts/check-mail.tsx'
import { Button, Field, Notice } from '../parts/controls.tsx'
import { Entrance, fieldsOf, FormError, useFormWork } from '../parts/entrance.tsx'
import { PASSWORD_HINT, PASSWORD_LENGTH } from '../format.ts'

export function SignUpPage() {
  const [email, setEmail] = useState<string | null>(null)
  const { data: visit } = useQuery(visitQuery)
  const form = useFormWork()

  const submit = (event: FormEvent<HTMLFormElement>) => {
    const field = fieldsOf(event)
    const address = field('email')
    void form
      .run(() => signUp(address, field('password')))
      .then((isDone) => isDone && setEmail(address))
  }
  if (email !== null) {
    return (
      <Entrance title="One more step">
        <CheckMail
          email={email}
          purpose="to confirm your address"
          hint="Open it in this browser."
        />
        <p className="mt-6 text-[0.9375rem]">
          <Link to="/sign-in" className="link">
            Back to sign-in
          </Link>
        </p>
      </Entrance>
    )
  }
  return (
    <Entrance title="Create an account">
      {visit?.signUp === 'closed' && (
        <div className="mb-5">
          <Notice tone="warn">
            Only the operator of this server can create accounts; sign up with the email address
            they gave one.
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
      <p className="mt-8 text-[0.9375rem]">
        <Link to="/sign-in" className="link">
          I already have an account
        </Link>
      </p>
    </Entrance>
  )
}
