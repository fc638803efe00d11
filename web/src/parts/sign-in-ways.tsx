/** The ways into this account: password, passkeys, and signing out here or everywhere. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { hasVisible } from '../../../src/kit/text/invisible.ts'
import { ask, type SignInMethods } from '../api/account.ts'
import { addPasskey, hasPasskeys } from '../api/passkeys.ts'
import { methodsQuery } from '../api/queries.ts'
import { signOut } from '../api/sign-in.ts'
import { counted, when } from '../format.ts'
import { ChangeAddress } from './change-address.tsx'
import { Confirm } from './confirm.tsx'
import { Button, buttonLook, Field, Notice, Section } from './controls.tsx'
import { FormError, PASSWORD_HINT, PasswordField, useFormWork } from './entrance.tsx'
import { Sessions } from './sessions.tsx'
import { Waiting } from './states.tsx'

export function SignInWays() {
  const query = useQuery(methodsQuery)
  const { data: methods } = query
  return (
    <Section title="Signing in" action={<SignOut sessions={methods?.sessions.length ?? 1} />}>
      <Waiting query={query} lines={2} label="Loading the sign-in methods" />
      {methods !== undefined && (
        <div className="grid gap-x-12 gap-y-10 md:grid-cols-2">
          <Passkeys methods={methods} />
          {methods.hasPassword && <Password />}
          <Sessions sessions={methods.sessions} />
          <ChangeAddress methods={methods} />
        </div>
      )}
    </Section>
  )
}

function Passkeys({ methods }: { methods: SignInMethods }) {
  const client = useQueryClient()
  const form = useFormWork()
  const refresh = () => client.invalidateQueries({ queryKey: ['methods'] })
  const add = form.sends(async (field, sent) => {
    await addPasskey(field('name'))
    sent.reset()
    await refresh()
  })
  return (
    <div>
      <h3 className="font-sans text-base font-semibold">Passkeys</h3>
      <p className="mt-1 mb-4 text-sm text-muted">
        Sign in with your fingerprint, your face or your device’s screen lock, without a password.
      </p>
      {methods.passkeys.length > 0 && (
        <ul className="mb-4 divide-y divide-line border-y border-line">
          {methods.passkeys.map(({ id, name, createdAt }) => (
            <li key={id} className="flex items-center gap-3 py-2.5">
              <div className="min-w-0 flex-1">
                <p className="truncate font-medium" dir="auto">
                  {hasVisible(name ?? '') ? name : 'Passkey'}
                </p>
                <p className="text-sm text-muted">
                  {createdAt === null ? '' : `added ${when(createdAt)}`}
                </p>
              </div>
              <Confirm
                title="Remove this passkey?"
                action="Remove"
                isDangerous
                triggerLook={buttonLook('danger', 'small')}
                onConfirm={() => ask('POST', '/auth/passkey/delete-passkey', { id }).then(refresh)}
              >
                <p>
                  It can no longer be used to sign in here. Your device keeps its part until you
                  delete it there.
                </p>
              </Confirm>
            </li>
          ))}
        </ul>
      )}
      {hasPasskeys() && (
        <form onSubmit={add} className="space-y-3">
          <Field
            label="Name of the new passkey"
            name="name"
            required
            maxLength={60}
            placeholder="this laptop"
            autoComplete="off"
          />
          <FormError error={form.error} />
          <Button type="submit" isBusy={form.isBusy}>
            Add a passkey
          </Button>
        </form>
      )}
    </div>
  )
}

function Password() {
  const form = useFormWork()
  const [isChanged, setChanged] = useState(false)
  const change = form.sends(async (field, sent) => {
    setChanged(false)
    await ask('POST', '/auth/change-password', {
      currentPassword: field('current'),
      newPassword: field('new'),
      revokeOtherSessions: true,
    })
    sent.reset()
    setChanged(true)
  })
  return (
    <form onSubmit={change} className="space-y-4">
      <h3 className="font-sans text-base font-semibold">Password</h3>
      <PasswordField label="Current password" name="current" />
      <PasswordField
        label="New password"
        name="new"
        isNew
        hint={`${PASSWORD_HINT} Other devices are signed out.`}
      />
      <FormError error={form.error} />
      <div aria-live="polite">
        {isChanged && (
          <Notice title="The password is changed">Other devices have been signed out.</Notice>
        )}
      </div>
      <Button type="submit" isBusy={form.isBusy}>
        Change the password
      </Button>
    </form>
  )
}

function SignOut({ sessions }: { sessions: number }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const leave = (everywhere: boolean) => signOut(client, everywhere, () => navigate({ to: '/' }))
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="small" onClick={() => void leave(false)}>
        Sign out
      </Button>
      <Confirm
        title="Sign out everywhere?"
        action="Sign out everywhere"
        triggerLook={buttonLook('plain', 'small')}
        onConfirm={() => leave(true)}
      >
        <p>
          {counted(sessions, 'session')} of this account {sessions === 1 ? 'ends' : 'end'}, this one
          included. API keys keep working.
        </p>
      </Confirm>
    </div>
  )
}
