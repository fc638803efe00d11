/** Mails to customers: how they are sent, and what they say. */
import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import { type Config, LIMITS } from '../../kit/config/config.ts'

// Sends email for sign-up and password reset: through a mail server or, without one, to files in a folder.

const MAIL_SEND_MS = 15_000
/** A mail written to a folder is removed after this; its link is void long before. */
const MAIL_FILE_KEPT_SECONDS = 24 * 3600
const MAIL_FOLDER_TIDIED_MS = 3_600_000

export type Email = { to: string; subject: string; lines: string[]; link: string | null }

export type Mail = {
  /** Whether emails leave this machine; else they are files for its operator. */
  isSent: boolean
  send(email: Email): Promise<void>
}

type MailConfig = Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'MAIL_DIR'>

/** A failed delivery is logged and never tells the visitor whether the address is known. */
export async function openMail(config: MailConfig, log: Logger): Promise<Mail> {
  if (config.SMTP_URL === null) return openMailFolder(config, log)
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(config.SMTP_URL, {
    from: config.MAIL_FROM,
    connectionTimeout: MAIL_SEND_MS,
    greetingTimeout: MAIL_SEND_MS,
    socketTimeout: MAIL_SEND_MS,
  } as object)
  return {
    isSent: true,
    async send(email) {
      const { to, subject } = email
      await transport
        .sendMail({ from: config.MAIL_FROM, to, subject, text: textOf(email) })
        .catch((error: unknown) => {
          log.error({ err: error, to }, 'the mail server did not accept an email')
        })
    },
  }
}

/**
 * One file for each mail, readable by this user only: a link signs in whoever opens it, so it is in no log
 * that others read or keep.
 */
function openMailFolder({ MAIL_DIR: folder, MAIL_FROM }: MailConfig, log: Logger): Mail {
  let tidiedMs = 0
  return {
    isSent: false,
    async send(email) {
      try {
        await fs.mkdir(folder, { recursive: true, mode: 0o700 })
        const file = path.join(folder, `${randomUUID()}.txt`)
        const head = [`From: ${MAIL_FROM}`, `To: ${email.to}`, `Subject: ${email.subject}`]
        await fs.writeFile(`${file}.new`, `${head.join('\n')}\n\n${textOf(email)}\n`, {
          mode: 0o600,
        })
        await fs.rename(`${file}.new`, file)
        log.info({ file }, 'no mail server is set (SMTP_URL); an email was written to a file')
        const { mtimeMs } = await fs.stat(file)
        if (mtimeMs - tidiedMs < MAIL_FOLDER_TIDIED_MS) return
        tidiedMs = mtimeMs
        await removeOldMails(folder, mtimeMs)
      } catch (error) {
        log.error(
          { err: error, folder },
          'an email could not be written; set SMTP_URL, or set MAIL_DIR to a folder that this user may write',
        )
      }
    },
  }
}

function textOf({ lines, link }: Email): string {
  return [...lines, ...(link === null ? [] : ['', link])].join('\n')
}

/** So that the folder does not grow for ever; `nowMs` is the file system's clock. */
async function removeOldMails(folder: string, nowMs: number): Promise<void> {
  for (const name of await fs.readdir(folder)) {
    const file = path.join(folder, name)
    const changedMs = await fs.stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => nowMs,
    )
    if (nowMs - changedMs > MAIL_FILE_KEPT_SECONDS * 1000) await fs.rm(file, { force: true })
  }
}

// The emails for sign-up, password reset and another address; their links lead to pages of the website.

export type Emails = {
  confirm(to: string, token: string): Promise<void>
  known(to: string): Promise<void>
  reset(to: string, token: string): Promise<void>
  /** To the new address of an account. */
  moving(to: string, token: string): Promise<void>
  /** To an address that somebody wanted for their account, and that has one. */
  taken(to: string): Promise<void>
  /** To the old address, before anything is changed. */
  leaving(to: string, change: { newEmail: string; token: string }): Promise<void>
  /** To the old address, once it is changed. */
  left(to: string, change: { newEmail: string; token: string }): Promise<void>
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
    ...changes(mail, { link, publicUrl }),
  }
}

type Changes = Pick<Emails, 'moving' | 'taken' | 'leaving' | 'left'>
type Links = { link: (page: string, token: string) => string; publicUrl: string }

function changes(mail: Mail, { link, publicUrl }: Links): Changes {
  const days = LIMITS.addressUndoSeconds / 86_400
  return {
    moving: (to, token) =>
      mail.send({
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
      mail.send({
        to,
        subject: 'You already have a Scriptorium account',
        lines: [
          'Somebody, probably you, wanted to use this email address for another account, but it has one. Nothing was changed. Sign in here:',
        ],
        link: `${publicUrl}/sign-in`,
      }),
    leaving: (to, { newEmail, token }) =>
      mail.send({
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
      mail.send({
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
