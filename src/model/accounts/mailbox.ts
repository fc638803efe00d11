/** The mailbox behind an address: what is given once is given once to each, however its address is spelt. */
import { createHmac } from 'node:crypto'
import { composed, decomposed } from '../../kit/text/outside-text.ts'

/**
 * Hosts that document that they ignore characters in front of the @, or that a person has the same name at several of
 * their domains, which are filed under the first one.
 * Sources, read in November 2026: Google, "Dots don't matter in Gmail addresses"
 * (support.google.com/mail/answer/7436150); Proton, "How to change your username" (". _ - are transparent") and
 * "Addresses and aliases"; Apple, "About your icloud.com, me.com and mac.com addresses" (support.apple.com/118230);
 * Yandex, "Alternate email addresses" ("your username on all Yandex domains").
 */
const HOSTS: readonly { names: string; ignored: RegExp | null }[] = [
  { names: 'gmail.com googlemail.com', ignored: /\./g },
  { names: 'proton.me protonmail.com protonmail.ch pm.me', ignored: /[._-]/g },
  { names: 'icloud.com me.com mac.com', ignored: null },
  { names: 'yandex.ru yandex.com yandex.by yandex.kz yandex.ua ya.ru', ignored: null },
]

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
  const host = HOSTS.find(({ names }) => names.split(' ').includes(domain))
  const written = plain.slice(0, at)
  const plus = written.indexOf('+', 1) // a name may begin with it
  const untagged = plus < 0 ? written : written.slice(0, plus)
  const ignored = host?.ignored ?? null
  const local = ignored === null ? untagged : untagged.replace(ignored, '')
  return `${local}@${host?.names.split(' ')[0] ?? domain}`
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
