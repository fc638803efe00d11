/**
 * The greeting that `npm start` prints for people: where the website is, how to get the first account, and where emails
 * go.
 */
import { isatty } from 'node:tty'
import { commandLine } from './admin/command.ts'
import type { Context } from './context.ts'
import { hasAnybody } from './store/sign-in.ts'

/** The descriptor of standard error. */
export const STDERR = 2
const CREATE = commandLine(
  ...'account create --email you@example.org --credit-usd 10 --json'.split(' '),
)

/** Returns the lines. The link of the first run is a secret: it is shown on a terminal, and never written to a file. */
export async function greeting(
  { config, db, firstRun }: Context,
  publicUrl: string,
): Promise<string> {
  const isShown = firstRun !== null && isatty(STDERR)
  const first = isShown ? `${publicUrl}/sign-up#code=${firstRun.code} makes the operator's` : CREATE
  const accounts = (await hasAnybody(db))
    ? `${publicUrl}/sign-in; another one: ${CREATE}`
    : `none yet; ${first}`
  const mails =
    config.SMTP_URL === null
      ? `written to ${config.MAIL_DIR}, since SMTP_URL is not set`
      : `sent from ${config.MAIL_FROM}`
  return `\n  Website   ${publicUrl}\n  Accounts  ${accounts}\n  Emails    ${mails}\n\n`
}
