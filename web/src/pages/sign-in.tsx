/** The page for signing in: by password, by passkey, or by the provider that the operator has set. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { hasPasskeys, signInByPasskey } from '../api/passkeys.ts'
import { readVisitAfresh, visitQuery } from '../api/queries.ts'
import { Button, Field, Notice } from '../parts/controls.tsx'
import { Entrance, FormEnd, PasswordField, useFormWork } from '../parts/entrance.tsx'
import { FirstRunNotice } from '../parts/first-run.tsx'
import { KeyIcon } from '../parts/icons.tsx'
import { ask } from '../api/account.ts'
import { ProviderButton } from '../parts/provider-button.tsx'
import { TextLink } from '../parts/text-link.tsx'

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
        <ProviderButton form={form} next={next} />
      </div>
      <p className="mt-8 flex flex-wrap justify-between gap-x-6 gap-y-2 text-[0.9375rem]">
        <TextLink to="/forgot">Forgot your password?</TextLink>
        {visit?.signUp !== 'closed' && <TextLink to="/sign-up">Create an account</TextLink>}
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
