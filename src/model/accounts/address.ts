/** Reads email addresses as people type them on the website. */
import { LIMITS } from '../../kit/config/config.ts'

const LOCAL = /^[\w'+.-]{1,64}$/
const LABEL = /^[a-z\d][a-z\d-]*$/
const TOP = /^[a-z]{2,}$/

/**
 * Returns the address as it is kept and compared, in lower case; null where the text is none. The forms accepted are
 * those of the sign-in library.
 */
export function readAddress(text: string): string | null {
  const address = text.trim().toLowerCase()
  const at = address.indexOf('@')
  const [local, labels] = [address.slice(0, Math.max(0, at)), address.slice(at + 1).split('.')]
  const isLocal = LOCAL.test(local) && !local.includes('..') && !/^\.|[.']$/.test(local)
  const isDomain =
    labels.length > 1 && labels.every((label) => LABEL.test(label)) && TOP.test(labels.at(-1) ?? '')
  return address.length <= LIMITS.emailChars && isLocal && isDomain ? address : null
}
