/** Choosing a new password by the link of a mail; every session ends with it. */
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { resetPassword } from '../api/sign-in.ts'
import { Button, Field, Notice } from '../parts/controls.tsx'
import { Entrance, fieldsOf, FormError, useFormWork } from '../parts/entrance.tsx'

const route = getRouteApi('/reset')

export function ResetPage() {
  const { token } = route.useSearch()
  const navigate = useNavigate()
  const form = useFormWork()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const password = fieldsOf(event)('password')
    void form.run(() => resetPassword(token ?? '', password))
      .then((isDone) => (isDone ? navigate({ to: '/sign-in' }) : undefined))
  }
  return (
    <Entrance title="Choose a new password" about="You are then signed out everywhere, and sign in with it.">
      {token === undefined ? <Notice tone="warn">The link is not complete; open it from the mail again.</Notice> : (
        <form onSubmit={submit} className="space-y-5">
          <Field label="New password" name="password" type="password" autoComplete="new-password"
            hint="At least 10 characters; a sentence is fine." minLength={10} maxLength={128} required />
          <FormError error={form.error} />
          <Button type="submit" kind="primary" isBusy={form.isBusy} className="w-full">Keep this password</Button>
        </form>
      )}
      <p className="mt-8 text-[0.9375rem]"><Link to="/forgot" className="link">Ask for a new link</Link></p>
    </Entrance>
  )
}
