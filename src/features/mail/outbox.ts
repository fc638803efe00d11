/**
 * The outbox: an email is written in the transaction that causes it, its words sealed, since a link in it may sign its
 * reader in. Any process sends it, and tries again where the mail server is away.
 */
import { transact } from '../../kit/postgres/database.ts'
import type { Email, EmailWords } from '../../model/mail/email.ts'
import type { Db, Tx } from '../../store/database.ts'
import { deleteMail, insertMail, type WaitingMail } from '../../store/mails.ts'
import { signal } from '../../store/signals.ts'
import type { SecretBox } from './secret-box.ts'
import { isRefusedForGood, type Transport } from './transport.ts'

/** Number of tries, over some twenty hours: a link is void by then, a notice still of use. */
const ATTEMPTS_MAX = 24

export type Outbox = ReturnType<typeof openOutbox>

export function openOutbox(db: Db, box: SecretBox) {
  /** Sends the email once the transaction has committed. */
  async function post(tx: Tx, { to, ...words }: Email): Promise<void> {
    await insertMail(tx, { to, sealed: box.seal(JSON.stringify(words), boundTo(to)) })
    signal(tx, 'scriptorium_mail', '')
  }
  /** Sends the email in a transaction of its own. */
  const send = (email: Email): Promise<void> => transact(db, (tx) => post(tx, email))
  return { post, send }
}

/** Outcome of an attempt; after `given_up` the email is not tried again. */
type MailAttempt = { outcome: 'sent' | 'failed' | 'given_up'; to: string; error: unknown }

/**
 * Tries to send an email that was claimed. It is sent twice where the process or the database dies after the mail
 * server took it.
 */
export async function sendMail(
  db: Db,
  { box, transport }: { box: SecretBox; transport: Transport },
  { id, to, sealed, attempts }: WaitingMail,
): Promise<MailAttempt> {
  const words = box.open(sealed, boundTo(to))
  try {
    if (words === null) throw new SealBroken('it was sealed with another key')
    await transport.send({ to, ...(JSON.parse(words) as EmailWords) })
  } catch (error) {
    const isOver =
      attempts >= ATTEMPTS_MAX || isRefusedForGood(error) || error instanceof SealBroken
    if (isOver) await deleteMail(db, id)
    return { outcome: isOver ? 'given_up' : 'failed', to, error }
  }
  await deleteMail(db, id)
  return { outcome: 'sent', to, error: null }
}

class SealBroken extends Error {}

/** Returns what an email's words are sealed for, so that they cannot be put in another's place. */
function boundTo(to: string): string {
  return `mail to ${to}`
}
