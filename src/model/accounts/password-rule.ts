/** Which passwords are accepted: long enough, and not among the first that attackers try. */
import { dictionary } from '@zxcvbn-ts/language-common'
import { LIMITS } from '../../kit/config/config.ts'

const COMMON = new Set(dictionary['passwords-common'])
const LETTER = /^\p{L}$/u
const LETTERS_MIN = 4

/** Returns why the password is not accepted for this address, in a sentence for its owner; null where it is. */
export function whyRefused(password: string, email: string): string | null {
  const { min, max } = LIMITS.passwordChars
  if (password.length < min) return `Choose a password of at least ${min} characters.`
  if (password.length > max) return `Choose a password of at most ${max} characters.`
  const plain = password.normalize('NFKC').trim().toLowerCase()
  const address = email.trim().toLowerCase()
  const [local = ''] = address.split('@', 1)
  if (plain === address || withoutTail(plain) === withoutTail(local)) {
    return 'Choose a password that is not your email address: attackers try it first.'
  }
  if (new Set(plain).size < LETTERS_MIN)
    return 'Choose a password with more than three different characters: this one is easy to guess.'
  if (COMMON.has(plain) || COMMON.has(withoutTail(plain))) {
    return 'Choose another password: this one is among the first that attackers try. A sentence of your own works well.'
  }
  return null
}

/**
 * Returns the word without the digits and signs that people add when a rule asks for more. A text of nothing else stays
 * as it is.
 */
function withoutTail(text: string): string {
  let end = text.length
  while (end > 0 && !LETTER.test(text.charAt(end - 1))) end -= 1
  return text.slice(0, end) || text
}
