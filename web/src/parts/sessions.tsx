/** The account's sessions, each with its device and last use; they are ended one by one. */
import { useQueryClient } from '@tanstack/react-query'
import { ask, type SignInMethods } from '../api/account.ts'
import { forgetBearer } from '../api/client.ts'
import { when } from '../format.ts'
import { Confirm } from './confirm.tsx'
import { buttonLook } from './controls.tsx'

export function Sessions({ sessions }: { sessions: SignInMethods['sessions'] }) {
  const client = useQueryClient()
  const end = async (id: string) => {
    await ask('DELETE', `/sessions/${id}`)
    forgetBearer() // the bearer ended with the session that was ended
    await client.invalidateQueries({ queryKey: ['methods'] })
  }
  return (
    <div>
      <h3 className="font-sans text-base font-semibold">Signed in on</h3>
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {sessions.map(({ id, device, signedInAt, lastUsedAt, isCurrent }) => (
          <li key={id} className="flex items-center gap-3 py-2.5">
            <div className="min-w-0 flex-1">
              <p className="font-medium">{device}</p>
              <p className="text-sm text-muted">
                {isCurrent ? 'this browser' : `last used ${when(lastUsedAt)}`}, since{' '}
                {when(signedInAt)}
              </p>
            </div>
            {!isCurrent && (
              <Confirm
                title="Sign this browser out?"
                action="Sign it out"
                isDangerous
                trigger="Sign out"
                triggerLook={buttonLook('danger', 'small')}
                onConfirm={() => end(id)}
              >
                <p>
                  {device}, signed in {when(signedInAt)}, will be signed out. If you do not
                  recognise it, change your password, too.
                </p>
              </Confirm>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
