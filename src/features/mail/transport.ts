/** Sends emails through a mail server or, without one, into files of a folder. */
import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { terminalText } from '../../kit/text/controls.ts'
import type { Email } from '../../model/mail/email.ts'

const MAIL_SEND_MS = 15_000
/** Time after which a mail written to a folder is removed; its link is void long before. */
const MAIL_FILE_KEPT_SECONDS = 24 * 3600
const MAIL_FOLDER_TIDIED_MS = 3_600_000

export type Transport = {
  /** Sends the email. Rejects where it was not accepted. */
  send(email: Email): Promise<void>
}

type MailConfig = Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'MAIL_DIR'>

export async function openTransport(config: MailConfig, log: Logger): Promise<Transport> {
  if (config.SMTP_URL === null) return openMailFolder(config, log)
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(config.SMTP_URL, {
    from: config.MAIL_FROM,
    connectionTimeout: MAIL_SEND_MS,
    greetingTimeout: MAIL_SEND_MS,
    socketTimeout: MAIL_SEND_MS,
  } as object)
  return {
    async send(email) {
      const { to } = email
      const subject = terminalText(email.subject)
      await transport.sendMail({ from: config.MAIL_FROM, to, subject, text: textOf(email) })
    },
  }
}

/** Returns whether the mail server will never accept the email: it answered with a code of 500 or more. */
export function isRefusedForGood(error: unknown): boolean {
  const code = (error as { responseCode?: unknown }).responseCode
  return typeof code === 'number' && code >= 500
}

/**
 * Opens a folder with one file for each mail, readable by this user only: a link signs its reader in, so it is in no
 * log that others read or keep.
 */
function openMailFolder({ MAIL_DIR: folder, MAIL_FROM }: MailConfig, log: Logger): Transport {
  let tidiedMs = 0
  return {
    async send(email) {
      const file = path.join(folder, `${randomUUID()}.txt`)
      const head = [`From: ${MAIL_FROM}`, `To: ${email.to}`, `Subject: ${email.subject}`]
      try {
        await fs.mkdir(folder, { recursive: true, mode: 0o700 })
        const text = `${terminalText(head.join('\n'))}\n\n${textOf(email)}\n`
        await fs.writeFile(`${file}.new`, text, { mode: 0o600, flag: 'wx' })
        await fs.rename(`${file}.new`, file)
      } catch (error) {
        throw new Error(
          `an email could not be written to ${folder}; set SMTP_URL, or set MAIL_DIR to a folder that this user may write`,
          { cause: error },
        )
      }
      log.info({ file }, 'no mail server is set (SMTP_URL); an email was written to a file')
      const { mtimeMs } = await fs.stat(file)
      if (mtimeMs - tidiedMs < MAIL_FOLDER_TIDIED_MS) return
      tidiedMs = mtimeMs
      await removeOldMails(folder, mtimeMs)
    },
  }
}

function textOf({ lines, link }: Email): string {
  return terminalText([...lines, ...(link === null ? [] : ['', link])].join('\n'))
}

/** Removes old mails, so that the folder does not grow for ever; `nowMs` is the file system's clock. */
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
