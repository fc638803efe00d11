/** The mailbox behind an address: what is given once is given once to each, however its address is spelt. */
import { createHmac } from 'node:crypto'
import { composed, decomposed } from '../../kit/text/outside-text.ts'

/** A host's rules for its addresses. */
type Host = {
  /** The name under which its other names are filed. */
  name: string
  /** Characters of the part before the @ that it ignores. */
  ignored: RegExp | null
}

const GMAIL: Host = { name: 'gmail.com', ignored: /\./g }
const PROTON: Host = { name: 'proton.me', ignored: /[._-]/g }
const ICLOUD: Host = { name: 'icloud.com', ignored: null }
const YANDEX: Host = { name: 'yandex.ru', ignored: null }

/**
 * Hosts that document that they ignore characters, or that a person has the same name at several of their domains.
 * Sources, read in November 2026: Google, "Dots don't matter in Gmail addresses"
 * (support.google.com/mail/answer/7436150); Proton, "How to change your username" (". _ - are transparent") and
 * "Addresses and aliases"; Apple, "About your icloud.com, me.com and mac.com addresses" (support.apple.com/118230);
 * Yandex, "Alternate email addresses" ("your username on all Yandex domains").
 */
const HOSTS: Readonly<Record<string, Host>> = {
  'gmail.com': GMAIL,
  'googlemail.com': GMAIL,
  'proton.me': PROTON,
  'protonmail.com': PROTON,
  'protonmail.ch': PROTON,
  'pm.me': PROTON,
  'icloud.com': ICLOUD,
  'me.com': ICLOUD,
  'mac.com': ICLOUD,
  'yandex.ru': YANDEX,
  'yandex.com': YANDEX,
  'yandex.by': YANDEX,
  'yandex.kz': YANDEX,
  'yandex.ua': YANDEX,
  'ya.ru': YANDEX,
}

/**
 * Returns one spelling for all addresses of a mailbox: lower case, NFKC, the domain in ASCII, without a tag after `+`
 * and without what the host ignores. A host where `+` begins no tag has two people share what is given once, and loses
 * nothing else: nobody signs in, and no mail is sent, by this spelling.
 */
export function mailboxOf(address: string): string {
  const plain = composed(decomposed(address)).trim().toLowerCase()
  const at = plain.lastIndexOf('@')
  if (at < 0) return plain
  const typed = plain.slice(at + 1).replace(/\.$/, '')
  const domain = inAscii(typed)
  const host = Object.hasOwn(HOSTS, domain) ? HOSTS[domain] : undefined
  const written = plain.slice(0, at)
  const plus = written.indexOf('+', 1) // a name may begin with it
  const untagged = plus < 0 ? written : written.slice(0, plus)
  const ignored = host?.ignored ?? null
  const local = ignored === null ? untagged : untagged.replace(ignored, '')
  return `${local}@${host?.name ?? domain}`
}

/** Returns the domain as IDNA writes it (UTS 46); what is no domain as it is. */
function inAscii(domain: string): string {
  const url = `http://${domain}/`
  return URL.canParse(url) ? new URL(url).hostname : domain
}

/** Returns the HMAC-SHA-256 by which a mailbox is remembered; without `key` nobody can try addresses. */
export function hashMailbox(key: Buffer, address: string): Buffer {
  return createHmac('sha256', key).update(mailboxOf(address)).digest()
}
