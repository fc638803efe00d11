/**
 * The page of a mailed link that proves an address; it signs in the browser that signed up, or a visitor with the
 * password.
 */
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { readVisitAfresh } from '../api/queries.ts'
import { verifyEmail } from '../api/sign-in.ts'
import { Button, Field, Notice } from '../parts/controls.tsx'
import { Entrance, fieldsOf, FormError, useFormWork } from '../parts/entrance.tsx'

const route = getRouteApi('/verify')

export function VerifyPage() {
  const { token } = route.useSearch()
  const navigate = useNavigate()
  const client = useQueryClient()
  const form = useFormWork()
  const [needsPassword, setNeedsPassword] = useState(false)
  const isAsked = useRef(false)

  const verify = (password?: string) =>
    form.run(async () => {
      const { state } = await verifyEmail(token ?? '', password)
      if (state === 'password_needed') return setNeedsPassword(true)
      await readVisitAfresh(client)
      await navigate({ to: '/library' })
    })
  useEffect(() => {
    if (token === undefined || isAsked.current) return
    isAsked.current = true
    void verify()
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const password = fieldsOf(event)('password')
    void verify(password)
  }
  return (
    <Entrance
      title="Confirming your address"
      about={
        needsPassword
          ? 'This is not the browser that signed up. Enter the password chosen at sign-up. If that was not you, close this page: nothing will happen.'
          : undefined
      }
    >
      {token === undefined && (
        <Notice tone="warn">This link is incomplete. Open it from the email again.</Notice>
      )}
      {token !== undefined && !needsPassword && form.error === null && (
        <p role="status" className="text-muted">
          One moment…
        </p>
      )}
      {needsPassword ? (
        <form onSubmit={submit} className="space-y-5">
          <Field
            label="Password chosen at sign-up"
            name="password"
            type="password"
            autoComplete="current-password"
            required
          />
          <FormError error={form.error} />
          <Button type="submit" kind="primary" isBusy={form.isBusy} className="w-full">
            Confirm and sign in
          </Button>
        </form>
      ) : (
        <FormError error={form.error} />
      )}
      {form.error !== null && (
        <p className="mt-6 text-[0.9375rem]">
          <Link to="/sign-up" className="link">
            Sign up again
          </Link>{' '}
          for a new link.
        </p>
      )}
    </Entrance>
  )
}
