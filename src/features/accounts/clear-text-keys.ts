/**
 * Tells the owner of a key that it came by plain http: whoever was on its way could read it, so it should be replaced,
 * however it is used from now on.
 */
import { transact } from '../../kit/postgres/database.ts'
import { type ExposedKey, markSentInClear } from '../../store/authentication.ts'
import type { Db } from '../../store/database.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Email } from '../mail/transport.ts'

/** Notes when the key first came so, and mails its owner then: once about a key, and once about an app. */
export async function tellOwnerOfClearText(
  { db, outbox, publicUrl }: { db: Db; outbox: Outbox; publicUrl: string },
  keyId: string,
): Promise<void> {
  await transact(db, async (tx) => {
    const key = await markSentInClear(tx, keyId)
    if (key !== null) await outbox.post(tx, mailOf(key, publicUrl))
  })
}

function mailOf({ email, name, prefix, kind }: ExposedKey, publicUrl: string): Email {
  const isApp = kind === 'app'
  const what = isApp
    ? `The app “${name}” sent its token`
    : `Your key “${name}” (${prefix}…) was sent`
  const remedy = isApp
    ? `Disconnect the app here, and tell its maker to use ${publicUrl}:`
    : `Make another key here, use it with ${publicUrl} alone, and revoke this one:`
  return {
    to: email,
    subject: `${isApp ? 'A token' : 'A key'} of your Scriptorium account was sent without encryption`,
    lines: [
      `${what} to us by plain http, so anyone on the way could read it. We did nothing for that request, and refuse every one like it.`,
      'Nothing else has changed: by https it still works, for whoever has it.',
      remedy,
    ],
    link: `${publicUrl}/settings/${isApp ? 'apps' : 'keys'}`,
  }
}
