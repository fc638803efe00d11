/** The emails for sign-up, password reset and another address; their links lead to pages of the website. */
import { LIMITS } from '../../kit/config/config.ts'
import type { Outbox } from '../mail/outbox.ts'

export type Emails = {
  confirm(to: string, token: string): Promise<void>
  known(to: string): Promise<void>
  reset(to: string, token: string): Promise<void>
  /** Mails the link to the new address of an account. */
  moving(to: string, token: string): Promise<void>
  /** Mails an address that a customer wanted for their account and that has one already. */
  taken(to: string): Promise<void>
  /** Mails the old address before anything is changed. */
  leaving(to: string, change: { newEmail: string; token: string }): Promise<void>
  /** Mails the old address once it is changed. */
  left(to: string, change: { newEmail: string; token: string }): Promise<void>
}

export function openEmails(outbox: Outbox, publicUrl: string): Emails {
  const link = (page: string, token: string): string =>
    `${publicUrl}/${page}?token=${encodeURIComponent(token)}`
  return {
    confirm: (to, token) =>
      outbox.send({
        to,
        subject: 'Confirm your email address for Scriptorium',
        lines: [
          'Somebody, probably you, signed up for Scriptorium with this email address.',
          'Open the link within an hour. In the browser that signed up, it confirms the address and signs you in;',
          'any other browser asks for the password chosen at sign-up.',
          'If it was not you, ignore this email: no account is created, and the link is useless without that password.',
        ],
        link: link('verify', token),
      }),
    known: (to) =>
      outbox.send({
        to,
        subject: 'You already have a Scriptorium account',
        lines: [
          'Somebody, probably you, tried to sign up with this email address. Your password has not changed. Sign in here:',
        ],
        link: `${publicUrl}/sign-in`,
      }),
    reset: (to, token) =>
      outbox.send({
        to,
        subject: 'Choose a new password for Scriptorium',
        lines: [
          'Open this link within an hour to choose a new password. Doing so signs you out everywhere and lets you revoke all',
          'API keys and passkeys of the account. If you did not ask for this, ignore this email:',
        ],
        link: link('reset', token),
      }),
    ...changes(outbox, { link, publicUrl }),
  }
}

type Changes = Pick<Emails, 'moving' | 'taken' | 'leaving' | 'left'>
type Links = { link: (page: string, token: string) => string; publicUrl: string }

function changes(outbox: Outbox, { link, publicUrl }: Links): Changes {
  const days = LIMITS.addressUndoSeconds / 86_400
  return {
    moving: (to, token) =>
      outbox.send({
        to,
        subject: 'Confirm the new email address of your Scriptorium account',
        lines: [
          'Somebody, probably you, wants to use this email address for their Scriptorium account from now on.',
          'Open the link within an hour, signed in to that account. Nothing changes before.',
          'If it was not you, ignore this email.',
        ],
        link: link('confirm-address', token),
      }),
    taken: (to) =>
      outbox.send({
        to,
        subject: 'You already have a Scriptorium account',
        lines: [
          'Somebody, probably you, wanted to use this email address for another account, but it has one. Nothing was changed. Sign in here:',
        ],
        link: `${publicUrl}/sign-in`,
      }),
    leaving: (to, { newEmail, token }) =>
      outbox.send({
        to,
        subject: 'Your Scriptorium account is to get another email address',
        lines: [
          `Somebody signed in to your account, probably you, asked to use ${newEmail} for it instead of this address.`,
          'Nothing changes before the link that was sent there is opened. If it was not you, open this link: it stops the change,',
          'signs everybody out, and lets you choose a new password.',
        ],
        link: link('keep-address', token),
      }),
    left: (to, { newEmail, token }) =>
      outbox.send({
        to,
        subject: 'Your Scriptorium account has another email address now',
        lines: [
          `The account is used with ${newEmail} from now on, and this address gets no more mail about it.`,
          `If it was not you, open this link within ${days} days: the account gets this address back, everybody is signed out,`,
          'you choose a new password, and API keys, passkeys and apps that came with the change end.',
        ],
        link: link('keep-address', token),
      }),
  }
}
