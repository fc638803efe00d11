/**
 * The page that sets a new password by a mailed link. Every session ends with it; keys, passkeys and apps on demand.
 */
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { type Access, type AfterReset, ask } from '../api/account.ts'
import { Button, Notice } from '../parts/controls.tsx'
import {
  Entrance,
  FormEnd,
  FormError,
  IncompleteLink,
  PasswordField,
  useFormWork,
} from '../parts/entrance.tsx'
import { accessWords } from '../format.ts'
import { TextLink } from '../parts/text-link.tsx'

const route = getRouteApi('/reset')

export function ResetPage() {
  const { token } = route.useSearch()
  const [reset, setReset] = useState<AfterReset | null>(null)
  if (reset !== null) return <AfterResetPage reset={reset} />
  return (
    <Entrance
      title="Choose a new password"
      about="You will be signed out everywhere and sign in with the new password."
    >
      {token === undefined ? <IncompleteLink /> : <NewPassword token={token} onDone={setReset} />}
      <p className="mt-8 text-[0.9375rem]">
        <TextLink to="/forgot">Ask for a new link</TextLink>
      </p>
    </Entrance>
  )
}

function NewPassword({ token, onDone }: { token: string; onDone: (reset: AfterReset) => void }) {
  const form = useFormWork()
  const submit = form.sends(async (field) =>
    onDone(await ask('POST', '/auth/reset-password', { token, newPassword: field('password') })),
  )
  return (
    <form onSubmit={submit} className="space-y-5">
      <PasswordField label="New password" isNew />
      <FormEnd form={form}>Save this password</FormEnd>
    </form>
  )
}

function AfterResetPage({ reset }: { reset: AfterReset }) {
  const form = useFormWork()
  const [revoked, setRevoked] = useState<Access | null>(null)
  const ways = reset.keys + reset.passkeys + reset.apps
  const revoke = () =>
    form.run(async () =>
      setRevoked(await ask('POST', '/auth/revoke-access', { grant: reset.grant })),
    )
  return (
    <Entrance title="Your new password is saved" about="All sessions of the account have ended.">
      {ways > 0 && revoked === null && (
        <div className="mb-6 space-y-4">
          <Notice tone="warn" title="Other ways into this account are open">
            <p className="mt-1">
              {accessWords(reset)} still {ways === 1 ? 'works' : 'work'}. If somebody else may have
              used this account, revoke them all; programs then need new keys.
            </p>
          </Notice>
          <FormError error={form.error} />
          <Button
            kind="danger"
            isBusy={form.isBusy}
            className="w-full"
            onClick={() => void revoke()}
          >
            Revoke them all
          </Button>
        </div>
      )}
      {revoked !== null && (
        <div className="mb-6">
          <Notice title="Revoked">{accessWords(revoked)} revoked.</Notice>
        </div>
      )}
      <p className="text-[0.9375rem]">
        <TextLink to="/sign-in">Sign in with the new password</TextLink>
      </p>
    </Entrance>
  )
}
