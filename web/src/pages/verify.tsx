/** Proving an address by the link of a mail; it signs in. */
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { readVisitAfresh } from '../api/queries.ts'
import { verifyEmail } from '../api/sign-in.ts'
import { Notice } from '../parts/controls.tsx'
import { Entrance, FormError, useFormWork } from '../parts/entrance.tsx'

const route = getRouteApi('/verify')

export function VerifyPage() {
  const { token } = route.useSearch()
  const navigate = useNavigate()
  const client = useQueryClient()
  const form = useFormWork()
  const isAsked = useRef(false)

  useEffect(() => {
    if (token === undefined || isAsked.current) return
    isAsked.current = true
    void form.run(async () => {
      await verifyEmail(token)
      const visit = await readVisitAfresh(client)
      await navigate(visit.email === null ? { to: '/sign-in' } : { to: '/jobs' })
    })
  })
  return (
    <Entrance title="Confirming your address">
      {token === undefined && <Notice tone="warn">The link is not complete; open it from the mail again.</Notice>}
      {token !== undefined && form.error === null && <p role="status" className="text-muted">One moment…</p>}
      <FormError error={form.error} />
      {form.error !== null && (
        <p className="mt-6 text-[0.9375rem]">
          <Link to="/sign-in" className="link">Sign in</Link>: with the right password you get a new link.
        </p>
      )}
    </Entrance>
  )
}
