/** The form that asks for a link to choose a new password. */
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { askForReset } from '../api/sign-in.ts'
import { CheckMail } from '../parts/check-mail.tsx'
import { Button, Field } from '../parts/controls.tsx'
import { Entrance, fieldsOf, FormError, useFormWork } from '../parts/entrance.tsx'

export function ForgotPage() {
  const [email, setEmail] = useState<string | null>(null)
  const form = useFormWork()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const address = fieldsOf(event)('email')
    void form.run(() => askForReset(address)).then((isDone) => isDone && setEmail(address))
  }
  return (
    <Entrance
      title="A new password"
      about={email === null ? 'We will send you a link to choose one.' : undefined}
    >
      {email === null ? (
        <form onSubmit={submit} className="space-y-5">
          <Field label="Email" name="email" type="email" autoComplete="username" required />
          <FormError error={form.error} />
          <Button type="submit" kind="primary" isBusy={form.isBusy} className="w-full">
            Send the link
          </Button>
        </form>
      ) : (
        <CheckMail email={email} purpose="to choose a new password" />
      )}
      <p className="mt-8 text-[0.9375rem]">
        <Link to="/sign-in" className="link">
          Back to sign-in
        </Link>
      </p>
    </Entrance>
  )
}
