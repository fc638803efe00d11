/**
 * The page of a mailed link that proves an address; it signs in the browser that signed up, or a visitor with the
 * password.
 */
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { readVisitAfresh } from '../api/queries.ts'
import { ask, type Verified } from '../api/account.ts'
import {
  Entrance,
  FormEnd,
  FormError,
  IncompleteLink,
  PasswordField,
  useFormWork,
} from '../parts/entrance.tsx'

const route = getRouteApi('/verify')

export function VerifyPage() {
  const { token } = route.useSearch()
  const navigate = useNavigate()
  const client = useQueryClient()
  const form = useFormWork()
  const [needsPassword, setNeedsPassword] = useState(false)
  const isAsked = useRef(false)

  /** In another browser than the one that signed up, the password chosen there is needed. */
  const verify = async (password?: string) => {
    const { state } = await ask<Verified>('POST', '/auth/verify-email', { token, password })
    if (state === 'password_needed') return setNeedsPassword(true)
    await readVisitAfresh(client)
    await navigate({ to: '/library' })
  }
  useEffect(() => {
    if (token === undefined || isAsked.current) return
    isAsked.current = true
    void form.run(verify)
  })
  const submit = form.sends((field) => verify(field('password')))
  return (
    <Entrance
      title="Confirming your address"
      about={
        needsPassword
          ? 'This is not the browser that signed up. Enter the password chosen at sign-up. If that was not you, close this page: nothing will happen.'
          : undefined
      }
    >
      {token === undefined && <IncompleteLink />}
      {token !== undefined && !needsPassword && form.error === null && (
        <p role="status" className="text-muted">
          One moment…
        </p>
      )}
      {needsPassword ? (
        <form onSubmit={submit} className="space-y-5">
          <PasswordField label="Password chosen at sign-up" />
          <FormEnd form={form}>Confirm and sign in</FormEnd>
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
