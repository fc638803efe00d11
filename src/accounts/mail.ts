/** Mails to those who sign up or lost their password; without a mail server the link is logged. */
import type { Logger } from 'pino'
import { LIMITS, type Config } from '../config.ts'

export type Letter = { to: string; subject: string; lines: string[]; link: string | null }

export type Mail = {
  /** Whether letters leave this machine; else their links are logged. */
  isSent: boolean
  send(letter: Letter): Promise<void>
}

type MailConfig = Pick<Config, 'SMTP_URL' | 'MAIL_FROM'>

/** A failed delivery is logged and never tells the visitor whether the address is known. */
export async function openMail(config: MailConfig, log: Logger): Promise<Mail> {
  if (config.SMTP_URL === null) {
    return {
      isSent: false,
      async send({ to, subject, link }) {
        log.info({ to, link }, `no mail server is set (SMTP_URL); this would be mailed: ${subject}`)
      },
    }
  }
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(config.SMTP_URL, {
    from: config.MAIL_FROM,
    connectionTimeout: LIMITS.mailSendMs,
    greetingTimeout: LIMITS.mailSendMs,
    socketTimeout: LIMITS.mailSendMs,
  } as object)
  return {
    isSent: true,
    async send({ to, subject, lines, link }) {
      const text = [...lines, ...(link === null ? [] : ['', link])].join('\n')
      await transport.sendMail({ from: config.MAIL_FROM, to, subject, text }).catch((error: unknown) => {
        log.error({ err: error, to }, 'a mail was not accepted by the mail server')
      })
    },
  }
}
