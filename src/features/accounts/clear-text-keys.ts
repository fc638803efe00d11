/**
 * Tells the owner of a key that it came by plain http: whoever was on its way could read it, so it should be replaced,
 * however it is used from now on.
 */
import { transact } from '../../kit/postgres/database.ts'
import { type ExposedKey, markSentInClear } from '../../store/authentication.ts'
import type { Db } from '../../store/database.ts'
import { type Email, mailLine, ours } from '../../model/mail/email.ts'
import type { Outbox } from '../mail/outbox.ts'

/** Notes when the key first came so, and mails its owner then: once about a key, and once about an app. */
export async function tellOwnerOfClearText(
  { db, outbox, publicUrl }: { db: Db; outbox: Outbox; publicUrl: string },
  keyId: string,
): Promise<void> {
  await transact(db, async (tx) => {
    const key = await markSentInClear(tx, keyId)
    if (key !== null) await outbox.post(tx, mailOfClearText(key, publicUrl))
  })
}

export function mailOfClearText(
  { email, name, prefix, kind }: ExposedKey,
  publicUrl: string,
): Email {
  const isApp = kind === 'app'
  const here = ours(publicUrl)
  const remedy = isApp
    ? mailLine`Disconnect the app here, and tell its maker to use ${here}:`
    : mailLine`Make another key here, use it with ${here} alone, and revoke this one:`
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
