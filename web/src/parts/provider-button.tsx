/** Leaves the site for the page of the provider that the operator has set, which leads back; nothing without one. */
import { useQuery } from '@tanstack/react-query'
import { ask } from '../api/account.ts'
import { visitQuery } from '../api/queries.ts'
import { Button } from './controls.tsx'
import type { FormWork } from './entrance.tsx'

type Props = { form: FormWork; next: string; className?: string }

export function ProviderButton({ form, next, className = '' }: Props) {
  const { data: visit } = useQuery(visitQuery)
  if (visit?.oidcName == null) return null
  const leave = async () => {
    const { url } = await ask<{ url: string }>('POST', '/auth/sign-in/social', {
      provider: 'oidc',
      callbackURL: next,
      errorCallbackURL: '/sign-in',
    })
    location.assign(url)
  }
  return (
    <Button className={`w-full ${className}`} onClick={() => void form.run(leave)}>
      {visit.oidcName}
    </Button>
  )
}
