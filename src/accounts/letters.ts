/** What is mailed to those who sign up or forgot their password; links lead to pages of the website. */
import type { Mail } from './mail.ts'

export type Letters = {
  confirm(to: string, token: string): Promise<void>
  known(to: string): Promise<void>
  reset(to: string, token: string): Promise<void>
}

export function openLetters(mail: Mail, publicUrl: string): Letters {
  const link = (page: string, token: string): string =>
    `${publicUrl}/${page}?token=${encodeURIComponent(token)}`
  return {
    confirm: (to, token) =>
      mail.send({
        to,
        subject: 'Confirm your address for Scriptorium',
        lines: [
          'Somebody, probably you, signed up at Scriptorium with this address and a password.',
          'Open the link within an hour. In the browser that signed up it confirms the address and signs you in;',
          'in any other one you are asked for the password that was chosen.',
          'If it was not you, do nothing: no account is made, and the link is of no use without that password.',
        ],
        link: link('verify', token),
      }),
    known: (to) =>
      mail.send({
        to,
        subject: 'You have an account at Scriptorium already',
        lines: [
          'Somebody, probably you, tried to sign up with this address. Your password is as it was. You can sign in here:',
        ],
        link: `${publicUrl}/sign-in`,
      }),
    reset: (to, token) =>
      mail.send({
        to,
        subject: 'Choose a new password for Scriptorium',
        lines: [
          'Open this link within an hour to choose a new password. Every session then ends, and you can revoke all',
          'API keys and passkeys of the account. If you did not ask for it, do nothing:',
        ],
        link: link('reset', token),
      }),
  }
}
