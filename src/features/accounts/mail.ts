/** The emails for sign-up, password reset and another address; their links lead to pages of the website. */
import { LIMITS } from '../../config/config.ts'
import { mailLine, type MailLine, ours } from '../../model/mail/email.ts'
import type { Outbox } from '../mail/outbox.ts'

/** The emails, each sent by a function of its own to the address that it takes first. */
export type Emails = ReturnType<typeof openEmails>

type AddressMove = { newEmail: string; token: string }

export function openEmails(outbox: Outbox, publicUrl: string) {
  const linkTo = (page: string, token: string): string =>
    `${publicUrl}/${page}?token=${encodeURIComponent(token)}`
  const signIn = `${publicUrl}/sign-in`
  const days = LIMITS.addressUndoSeconds / 86_400
  const send = (to: string, subject: MailLine, link: string, lines: MailLine[]): Promise<void> =>
    outbox.send({ to, subject, lines, link })

  return {
    confirm: (to: string, token: string) =>
      send(to, mailLine`Confirm your email address for Scriptorium`, linkTo('verify', token), [
        mailLine`Someone, probably you, signed up for Scriptorium with this email address.`,
        mailLine`Open this link within an hour. In the browser you signed up with, it confirms your address and signs you in;`,
        mailLine`any other browser asks for the password you chose.`,
        mailLine`If this was not you, ignore this email: no account is created, and the link does nothing without that password.`,
      ]),
    known: (to: string) =>
      send(to, mailLine`You already have a Scriptorium account`, signIn, [
        mailLine`Someone, probably you, tried to sign up with this email address. Your password has not changed. Sign in here:`,
      ]),
    reset: (to: string, token: string) =>
      send(to, mailLine`Choose a new password for Scriptorium`, linkTo('reset', token), [
        mailLine`Open this link within an hour to choose a new password. Doing so signs you out everywhere and lets you revoke all`,
        mailLine`API keys and passkeys of the account. If you did not ask for this, ignore this email:`,
      ]),
    /** Mails the link to the new address of an account. */
    moving: (to: string, token: string) =>
      send(
        to,
        mailLine`Confirm the new email address of your Scriptorium account`,
        linkTo('confirm-address', token),
        [
          mailLine`Someone, probably you, wants to use this email address for their Scriptorium account.`,
          mailLine`Open this link within an hour while signed in to that account. Nothing changes until then.`,
          mailLine`If this was not you, ignore this email.`,
        ],
      ),
    /** Mails an address that a customer wanted for their account and that has one already. */
    taken: (to: string) =>
      send(to, mailLine`You already have a Scriptorium account`, signIn, [
        mailLine`Someone, probably you, tried to use this email address for another account, but it already has one. Nothing was changed. Sign in here:`,
      ]),
    /** Mails the old address before anything is changed. */
    leaving: (to: string, { newEmail, token }: AddressMove) =>
      send(
        to,
        mailLine`A new email address was requested for your Scriptorium account`,
        linkTo('keep-address', token),
        [
          mailLine`Someone signed in to your account, probably you, asked to change its email address from this one to ${ours(newEmail)}.`,
          mailLine`Nothing changes until the link we sent there is opened. If this was not you, open this link: it stops the change,`,
          mailLine`signs everyone out and lets you choose a new password.`,
        ],
      ),
    /** Mails the old address once it is changed. */
    left: (to: string, { newEmail, token }: AddressMove) =>
      send(
        to,
        mailLine`The email address of your Scriptorium account was changed`,
        linkTo('keep-address', token),
        [
          mailLine`From now on the account uses ${ours(newEmail)}, and this address gets no more mail about it.`,
          mailLine`If this was not you, open this link within ${days} days: the account gets this address back, everyone is signed out,`,
          mailLine`you choose a new password, and API keys, passkeys and apps added with the change are removed.`,
        ],
      ),
  }
}
