/**
 * Tells the owner of a key or an app that one of its secrets came by plain http: whoever was on its way could read it,
 * so it should be replaced, however it is used from now on.
 */
import type pg from 'pg'
import { transact } from '../../kit/postgres/database.ts'
import { hashSecret, isToken } from '../../model/accounts/tokens.ts'
import { type Email, mailLine, ours } from '../../model/mail/email.ts'
import { markAppSentInClear } from '../../store/app-connections.ts'
import {
  type AuthenticatedKey,
  type ExposedKey,
  markKeySentInClear,
} from '../../store/authentication.ts'
import type { Db, Tx } from '../../store/database.ts'
import { deleteDeviceLogin } from '../../store/oauth-clients.ts'
import { deleteGrant, lockGrantOf } from '../../store/oauth-grants.ts'
import type { Outbox } from '../mail/outbox.ts'
import { authenticate } from './keys.ts'

export type ClearTextDeps = { pool: pg.Pool; db: Db; outbox: Outbox; publicUrl: string }

/** Notes when the key first came so, and mails its owner then: once about a key, and once about an app. */
export async function tellOwnerOfClearText(
  deps: ClearTextDeps,
  { keyId, app }: AuthenticatedKey,
): Promise<void> {
  await transact(deps.db, async (tx) =>
    app === null
      ? tell(deps, tx, await markKeySentInClear(tx, keyId))
      : tell(deps, tx, await markAppSentInClear(tx, app.connectionId)),
  )
}

/**
 * Does the same for what an app sends in a form: a token, or a code. A code is good once and soon replaced, so it is
 * ended before whoever read it can bring it.
 */
export async function tellOwnerOfAppSecret(deps: ClearTextDeps, secret: string): Promise<void> {
  const key = await authenticate(deps.pool, `Bearer ${secret}`)
  if (key !== null) return tellOwnerOfClearText(deps, key)
  if (!isToken(secret)) return
  const hash = hashSecret(secret)
  await transact(deps.db, async (tx) => {
    await deleteDeviceLogin(tx, hash)
    const coded = await lockGrantOf(tx, { table: 'oauth_code', hash })
    if (coded !== null) await deleteGrant(tx, coded.grantId)
    const grant = coded ?? (await lockGrantOf(tx, { table: 'oauth_refresh_token', hash }))
    if (grant !== null) await tell(deps, tx, await markAppSentInClear(tx, grant.connectionId))
  })
}

async function tell(
  { outbox, publicUrl }: ClearTextDeps,
  tx: Tx,
  exposed: ExposedKey | null,
): Promise<void> {
  if (exposed !== null) await outbox.post(tx, mailOfClearText(exposed, publicUrl))
}

export function mailOfClearText({ email, name, prefix }: ExposedKey, publicUrl: string): Email {
  const isApp = prefix === null
  const here = ours(publicUrl)
  const remedy = isApp
    ? mailLine`Disconnect the app here, and tell its maker to use ${here}:`
    : mailLine`Create another key here, use it with ${here} alone, and revoke this one:`
  return {
    to: email,
    subject: mailLine`${isApp ? 'A token' : 'A key'} of your Scriptorium account was sent without encryption`,
    lines: [
      isApp
        ? mailLine`The app “${name}” sent its token to us by plain http.`
        : mailLine`Your key “${name}” (${prefix}…) was sent to us by plain http.`,
      mailLine`Anyone on the way could read it. We did nothing for that request, and refuse every one like it.`,
      mailLine`Nothing else has changed: by https it still works, for whoever has it.`,
      remedy,
    ],
    link: `${publicUrl}/settings/${isApp ? 'apps' : 'keys'}`,
  }
}
