/** The page for signing in: by password, by passkey, or by the provider that the operator has set. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { hasPasskeys, signInByPasskey } from '../api/passkeys.ts'
import { readVisitAfresh, visitQuery } from '../api/queries.ts'
import { signInByProvider } from '../api/sign-in.ts'
import { Button, Field, Notice } from '../parts/controls.tsx'
import { Entrance, FormEnd, PasswordField, useFormWork } from '../parts/entrance.tsx'
import { FirstRunNotice } from '../parts/first-run.tsx'
import { KeyIcon } from '../parts/icons.tsx'
import { ask } from '../api/account.ts'

const route = getRouteApi('/sign-in')

/** Reasons for a failed sign-in by the provider, by the code in the address that it led back to. */
const REFUSALS: Record<string, string> = {
  address_not_proven:
    'Your provider has not confirmed your email address; confirm it there, or sign up here with a password.',
  sign_up_closed: 'Only the operator of this server can create accounts.',
}

export function SignInPage() {
  const { next = '/library', error } = route.useSearch()
  const { data: visit } = useQuery(visitQuery)
  const client = useQueryClient()
  const router = useRouter()
  const form = useFormWork()

  const enter = async () => {
    await readVisitAfresh(client)
    router.history.push(next)
  }
  const submit = form.sends(async (field) => {
    const given = { email: field('email'), password: field('password') }
    await ask('POST', '/auth/sign-in/email', given)
    await enter()
  })
  return (
    <Entrance title="Sign in">
      <FirstRunNotice />
      {error !== undefined && <Refusal code={error} />}
      <form onSubmit={submit} className="space-y-5">
        <Field label="Email" name="email" type="email" autoComplete="username" required />
        <PasswordField label="Password" />
        <FormEnd form={form}>Sign in</FormEnd>
      </form>
      <div className="my-6 flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </div>
      <div className="space-y-3">
        {hasPasskeys() && (
          <Button
            className="w-full"
            isBusy={form.isBusy}
            onClick={() => void form.run(() => signInByPasskey().then(enter))}
          >
            <KeyIcon /> Use a passkey
          </Button>
        )}
        {visit?.oidcName != null && (
          <Button className="w-full" onClick={() => void form.run(() => signInByProvider(next))}>
            {visit.oidcName}
          </Button>
        )}
      </div>
      <p className="mt-8 flex flex-wrap justify-between gap-x-6 gap-y-2 text-[0.9375rem]">
        <Link to="/forgot" className="link">
          Forgot your password?
        </Link>
        {visit?.signUp !== 'closed' && (
          <Link to="/sign-up" className="link">
            Create an account
          </Link>
        )}
      </p>
    </Entrance>
  )
}

function Refusal({ code }: { code: string }) {
  return (
    <div className="mb-5">
      <Notice tone="warn">
        {REFUSALS[code] ?? 'The provider did not sign you in; try again, or use your password.'}
      </Notice>
    </div>
  )
}
