/** The form that asks for a link to choose a new password. */
import { useState } from 'react'
import { ask } from '../api/account.ts'
import { CheckMail } from '../parts/check-mail.tsx'
import { Field } from '../parts/controls.tsx'
import { Entrance, FormEnd, useFormWork } from '../parts/entrance.tsx'
import { TextLink } from '../parts/text-link.tsx'

export function ForgotPage() {
  const [email, setEmail] = useState<string | null>(null)
  const form = useFormWork()
  const submit = form.sends(async (field) => {
    await ask('POST', '/auth/request-password-reset', { email: field('email') })
    setEmail(field('email'))
  })
  return (
    <Entrance
      title="Reset your password"
      about={email === null ? 'We will send you a link to choose a new one.' : undefined}
    >
      {email === null ? (
        <form onSubmit={submit} className="space-y-5">
          <Field label="Email" name="email" type="email" autoComplete="username" required />
          <FormEnd form={form}>Send the link</FormEnd>
        </form>
      ) : (
        <CheckMail email={email} purpose="to choose a new password" />
      )}
      <p className="mt-8 text-[0.9375rem]">
        <TextLink to="/sign-in">Back to sign-in</TextLink>
      </p>
    </Entrance>
  )
}
