/** The emails for sign-up and password reset; their links lead to pages of the website. */
import type { Mail } from './mail.ts'

export type Emails = {
  confirm(to: string, token: string): Promise<void>
  known(to: string): Promise<void>
  reset(to: string, token: string): Promise<void>
}

export function openEmails(mail: Mail, publicUrl: string): Emails {
  const link = (page: string, token: string): string =>
    `${publicUrl}/${page}?token=${encodeURIComponent(token)}`
  return {
    confirm: (to, token) =>
      mail.send({
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
      mail.send({
        to,
        subject: 'You already have a Scriptorium account',
        lines: [
          'Somebody, probably you, tried to sign up with this email address. Your password has not changed. Sign in here:',
        ],
        link: `${publicUrl}/sign-in`,
      }),
    reset: (to, token) =>
      mail.send({
        to,
        subject: 'Choose a new password for Scriptorium',
        lines: [
          'Open this link within an hour to choose a new password. Doing so signs you out everywhere and lets you revoke all',
          'API keys and passkeys of the account. If you did not ask for this, ignore this email:',
        ],
        link: link('reset', token),
      }),
  }
}
