/** The emails for sign-up, password reset and another address; their links lead to pages of the website. */
import { LIMITS } from '../../kit/config/config.ts'
import type { Outbox } from '../mail/outbox.ts'

/** The emails, each sent by a function of its own to the address that it takes first. */
export type Emails = ReturnType<typeof openEmails>

type AddressMove = { newEmail: string; token: string }

export function openEmails(outbox: Outbox, publicUrl: string) {
  const linkTo = (page: string, token: string): string =>
    `${publicUrl}/${page}?token=${encodeURIComponent(token)}`
  const signIn = `${publicUrl}/sign-in`
  const days = LIMITS.addressUndoSeconds / 86_400
  const send = (to: string, subject: string, link: string, lines: string[]): Promise<void> =>
    outbox.send({ to, subject, lines, link })

  return {
    confirm: (to: string, token: string) =>
      send(to, 'Confirm your email address for Scriptorium', linkTo('verify', token), [
        'Somebody, probably you, signed up for Scriptorium with this email address.',
        'Open the link within an hour. In the browser that signed up, it confirms the address and signs you in;',
        'any other browser asks for the password chosen at sign-up.',
        'If it was not you, ignore this email: no account is created, and the link is useless without that password.',
      ]),
    known: (to: string) =>
      send(to, 'You already have a Scriptorium account', signIn, [
        'Somebody, probably you, tried to sign up with this email address. Your password has not changed. Sign in here:',
      ]),
    reset: (to: string, token: string) =>
      send(to, 'Choose a new password for Scriptorium', linkTo('reset', token), [
        'Open this link within an hour to choose a new password. Doing so signs you out everywhere and lets you revoke all',
        'API keys and passkeys of the account. If you did not ask for this, ignore this email:',
      ]),
    /** Mails the link to the new address of an account. */
    moving: (to: string, token: string) =>
      send(
        to,
        'Confirm the new email address of your Scriptorium account',
        linkTo('confirm-address', token),
        [
          'Somebody, probably you, wants to use this email address for their Scriptorium account from now on.',
          'Open the link within an hour, signed in to that account. Nothing changes until then.',
          'If it was not you, ignore this email.',
        ],
      ),
    /** Mails an address that a customer wanted for their account and that has one already. */
    taken: (to: string) =>
      send(to, 'You already have a Scriptorium account', signIn, [
        'Somebody, probably you, wanted to use this email address for another account, but it has one. Nothing was changed. Sign in here:',
      ]),
    /** Mails the old address before anything is changed. */
    leaving: (to: string, { newEmail, token }: AddressMove) =>
      send(
        to,
        'Your Scriptorium account is to get another email address',
        linkTo('keep-address', token),
        [
          `Somebody signed in to your account, probably you, asked to use ${newEmail} for it instead of this address.`,
          'Nothing changes until the link that was sent there is opened. If it was not you, open this link: it stops the change,',
          'signs everybody out, and lets you choose a new password.',
        ],
      ),
    /** Mails the old address once it is changed. */
    left: (to: string, { newEmail, token }: AddressMove) =>
      send(
        to,
        'Your Scriptorium account has another email address now',
        linkTo('keep-address', token),
        [
          `The account is used with ${newEmail} from now on, and this address gets no more mail about it.`,
          `If it was not you, open this link within ${days} days: the account gets this address back, everybody is signed out,`,
          'you choose a new password, and API keys, passkeys and apps that came with the change end.',
        ],
      ),
  }
}
