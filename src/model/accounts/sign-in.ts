/** Sign-in: its names, which addresses and passwords are accepted, and the words for the browser of a session. */
import { dictionary } from '@zxcvbn-ts/language-common'
import { LIMITS } from '../../config/config.ts'
import { columnOf } from '../../kit/text/column-name.ts'

export const AUTH_BASE = '/account/auth'
export const OIDC_PROVIDER = 'oidc'
/** The header with the visitor's address as the server saw it; what a request itself puts there is not believed. */
export const VISITOR_HEADER = 'x-visitor-address'

/** Returns the prefix of cookie names. A `__Host-` cookie can be planted by no neighbouring host. */
export function cookiePrefix(publicUrl: string): string {
  return isSecure(publicUrl) ? '__Host-scriptorium' : 'scriptorium'
}

export function isSecure(publicUrl: string): boolean {
  return new URL(publicUrl).protocol === 'https:'
}

/** Returns a cookie of sign-in beside the session's: which browser signed up, or which device is known. */
export function cookieJar(publicUrl: string, name: 'sign_up' | 'device') {
  const full = `${cookiePrefix(publicUrl)}.${name}`
  const secure = isSecure(publicUrl) ? '; Secure' : ''
  return {
    /** Returns the value in a request's Cookie header, or null. */
    read(header = ''): string | null {
      const found = header
        .split(';')
        .map((part) => part.trim())
        .find((part) => part.startsWith(`${full}=`))
      return found === undefined ? null : found.slice(full.length + 1)
    },
    /** Returns the Set-Cookie header that keeps `value`, out of reach of scripts. */
    keep: (value: string, seconds: number): string =>
      `${full}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
  }
}

// The names of better-auth's tables and columns in our database (0008-sign-in.sql): of its fields, those that have a
// column of another name.

function table(modelName: string, fields: string) {
  const columns = fields.split(' ').map((name): [string, string] => [name, columnOf(name)])
  return { modelName, fields: Object.fromEntries(columns) }
}

const TIMES = 'createdAt updatedAt'
export const USER_TABLE = table('sign_in_user', `emailVerified ${TIMES}`)
export const SESSION_TABLE = table(
  'sign_in_session',
  `expiresAt ipAddress userAgent userId ${TIMES}`,
)
/** A way to sign in: a password or a provider. */
export const METHOD_TABLE = table(
  'sign_in_method',
  `accountId providerId userId accessToken refreshToken idToken accessTokenExpiresAt refreshTokenExpiresAt ${TIMES}`,
)
export const VERIFICATION_TABLE = table('sign_in_verification', `expiresAt ${TIMES}`)
export const PASSKEY_TABLE = table(
  'sign_in_passkey',
  'publicKey userId credentialID deviceType backedUp createdAt',
)

const LOCAL = /^[\w'+.-]{1,64}$/
const LABEL = /^[a-z\d][a-z\d-]*$/
const TOP = /^[a-z]{2,}$/

/** Returns the address in lower case, as it is kept; null where the sign-in library would not take it. */
export function readAddress(text: string): string | null {
  const address = text.trim().toLowerCase()
  const at = address.indexOf('@')
  const [local, labels] = [address.slice(0, Math.max(0, at)), address.slice(at + 1).split('.')]
  const isLocal = LOCAL.test(local) && !local.includes('..') && !/^\.|[.']$/.test(local)
  const isDomain =
    labels.length > 1 && labels.every((label) => LABEL.test(label)) && TOP.test(labels.at(-1) ?? '')
  return address.length <= LIMITS.emailChars && isLocal && isDomain ? address : null
}

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
    return 'Choose another password: attackers try this one early. A sentence of your own works well.'
  }
  return null
}

/** Returns the word without the digits and signs that people add when a rule asks for more, if a letter is left. */
function withoutTail(text: string): string {
  let end = text.length
  while (end > 0 && !LETTER.test(text.charAt(end - 1))) end -= 1
  return text.slice(0, end) || text
}

/** Marks of browsers; the first one found decides, since newer browsers also name those from which they descend. */
const BROWSERS: readonly (readonly [mark: string, name: string])[] = [
  ['Edg/', 'Edge'],
  ['EdgA/', 'Edge'],
  ['EdgiOS/', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Vivaldi/', 'Vivaldi'],
  ['YaBrowser/', 'Yandex Browser'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chromium/', 'Chromium'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
]
const SYSTEMS: readonly (readonly [mark: string, name: string])[] = [
  ['iPhone', 'an iPhone'],
  ['iPad', 'an iPad'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Windows', 'Windows'],
  ['Macintosh', 'a Mac'],
  ['Linux', 'Linux'],
]

/** Returns a name such as "Firefox on Windows"; an unknown part is not guessed. An iPad may call itself a Mac. */
export function deviceName(userAgent: string | null): string {
  const text = userAgent ?? ''
  const find = (known: typeof BROWSERS): string | null =>
    known.find(([mark]) => text.includes(mark))?.[1] ?? null
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)]
  if (browser === null && system === null) return 'An unknown device'
  if (browser === null) return `An unknown browser on ${system}`
  return system === null ? browser : `${browser} on ${system}`
}
