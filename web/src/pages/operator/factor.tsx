/** The second factor: set up at the first visit, then asked for once in each session. */
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { NewFactor } from '../../api/account.ts'
import { actOnConsole, readAnew } from '../../api/operator.ts'
import { signOut } from '../../api/sign-in.ts'
import { Button, Field } from '../../parts/controls.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Entrance, FormEnd, FormError, useFormWork } from '../../parts/entrance.tsx'
import { QrCode } from '../../parts/qr-code.tsx'

export function FactorPage({ isEnrolled }: { isEnrolled: boolean }) {
  return (
    <Entrance
      title="Second factor"
      about={
        isEnrolled
          ? 'Type the code that your authenticator app shows now.'
          : 'The console asks for a code of an authenticator app, once in each session.'
      }
    >
      <FactorForm isEnrolled={isEnrolled} action="Open the console" />
    </Entrance>
  )
}

/** Asks for the code, of an app that it sets up first; `action` is what the code opens. */
export function FactorForm({ isEnrolled, action }: { isEnrolled: boolean; action: string }) {
  const form = useFormWork()
  const [made, setMade] = useState<NewFactor | null>(null)
  if (isEnrolled) return <CodeForm action={action} />
  if (made === null) {
    return (
      <div className="space-y-4">
        <Button
          kind="primary"
          className="w-full"
          isBusy={form.isBusy}
          onClick={() =>
            void form.run(async () => setMade(await actOnConsole<NewFactor>('/factor')))
          }
        >
          Set up an app
        </Button>
        <FormError error={form.error} />
        {form.status === 403 && <SignInAgain />}
      </div>
    )
  }
  return (
    <div className="space-y-6">
      <div>
        <p className="text-sm font-medium">Scan this with the app</p>
        <QrCode text={made.uri} label="The secret, to be scanned" />
        <p className="text-sm font-medium">or type the secret into it</p>
        <p className="my-2 font-mono text-sm wrap-anywhere" data-testid="factor-secret">
          {made.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
        </p>
        <div className="flex flex-wrap items-center gap-4">
          <CopyButton text={made.secret} label="Copy the secret" />
          <a href={made.uri} className="link text-sm">
            Open in an app of this device
          </a>
        </div>
        <p className="mt-2 text-sm text-muted">It is shown only now.</p>
      </div>
      <CodeForm action={action} />
    </div>
  )
}

/** Ends this session and leads to a new one, which leads back here. */
function SignInAgain() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const form = useFormWork()
  const leave = () => navigate({ to: '/sign-in', search: { next: location.pathname } })
  return (
    <Button
      className="w-full"
      isBusy={form.isBusy}
      onClick={() => void form.run(() => signOut(client, false, leave))}
    >
      Sign in again
    </Button>
  )
}

function CodeForm({ action }: { action: string }) {
  const client = useQueryClient()
  const form = useFormWork()
  return (
    <form
      className="space-y-4"
      onSubmit={form.sends(async (field) => {
        await actOnConsole('/proof', { code: field('code').replaceAll(' ', '') })
        await readAnew(client)
      })}
    >
      <Field
        label="Code"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="[0-9 ]{6,7}"
        title="Six digits"
        required
      />
      <FormEnd form={form}>{action}</FormEnd>
    </form>
  )
}
