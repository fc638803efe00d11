/**
 * An email and the words in it. A mail program makes links of what looks like one, obeys direction marks, and shows a
 * stranger's title as if we had written it: outside text gets into a mail only as what it is, text.
 */
import { LIMITS } from '../../config/config.ts'
import { visibleLine, withoutMisleading } from '../../kit/text/invisible.ts'

/** One line of a mail; only `mailLine` makes it. */
export type MailLine = string & { readonly [made]: true }
declare const made: unique symbol

export type Email = EmailWords & { to: string }
export type EmailWords = { subject: MailLine; lines: MailLine[]; link: string | null }

/** Words of ours, or an address that must be read to the letter. */
type Ours = { ours: string }

/** Beginning of an address, of the web or of a share, for a mail program: a scheme, two slashes, `www.`. */
const SLASHES = /(?:[a-zａ-ｚ][a-zａ-ｚ\d+.-]{0,20}[:：])?[/\\／]{2,}/gi
const CALLS =
  /\b(?:callto|data|facetime|geo|intent|javascript|magnet|mailto|sip|skype|sms|tel|xmpp):(?=\S)/gi
const WWW = /\bwww\d*\.|ｗｗｗ[.．]/gi

/** Writes a line: the words as they stand, and each value as outside text unless it is said to be `ours`. */
export function mailLine(
  words: TemplateStringsArray,
  ...values: (string | number | Ours)[]
): MailLine {
  const said = values.map((value) =>
    typeof value === 'object' ? value.ours : asText(String(value)),
  )
  return String.raw({ raw: words }, ...said) as MailLine
}

/** Returns text as it is, for a line: what is validated, such as an email address, or our own address. */
export function ours(text: string): Ours {
  return { ours: text }
}

/** Returns outside text as one bounded line without controls, direction marks, schemes and `www.`. */
function asText(text: string): string {
  const line = visibleLine(withoutMisleading(text.replace(/\s+/g, ' ')))
  const isLong = line.length > LIMITS.mailTextChars
  const kept = isLong ? `${line.slice(0, LIMITS.mailTextChars)}…`.toWellFormed() : line
  // A blank in its place: what stood around it must not become another.
  return visibleLine([SLASHES, CALLS, WWW].reduce((rest, link) => rest.replace(link, ' '), kept))
}
