/**
 * The kinds of setting, and how each reads its text from the environment: it states unit, default and bounds, and
 * refuses anything else with a sentence.
 */
import { isIP } from 'node:net'
import { trimCharacters } from '../text/outside-text.ts'

export type Setting<T> = {
  about: string
  /** The documented form: a unit, a list of words or a pattern. */
  unit: string
  defaultText: string
  /** Whether the value must never be shown. */
  isSecret?: boolean
  read(text: string | undefined): T
}

/** The error of a wrong value: the start stops and prints only its sentence. */
export class ConfigError extends Error {}

/** Returns the sentence of an error with those of its causes, on which an operator can act. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? `: ${sentenceOf(error.cause)}` : ''
  return `${error.message}${cause}`
}

type About<T> = { about: string; unit: string; default: T }

export function whole(given: About<number> & { min: number; max: number }): Setting<number> {
  const { min, max } = given
  return {
    ...given,
    unit: `${given.unit}, ${min} to ${max}`,
    defaultText: String(given.default),
    read(text) {
      if (text === undefined) return given.default
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
      if (value >= min && value <= max) return value
      throw new ConfigError(`must be a whole number from ${min} to ${max} (${given.unit})`)
    },
  }
}

export function text<T extends string | null>(
  given: About<T> & { pattern?: RegExp; form?: string; defaultText?: string },
): Setting<string | T> {
  return {
    ...given,
    defaultText: given.defaultText ?? given.default ?? 'none',
    read(value) {
      if (value === undefined) return given.default
      if (given.pattern === undefined || given.pattern.test(value)) return value
      throw new ConfigError(`must be ${given.form ?? given.unit}`)
    },
  }
}

/** A text whose value is never printed. */
export function secret(given: { about: string; unit: string }): Setting<string | null> {
  return { ...text({ ...given, default: null }), isSecret: true }
}

export function words<T extends string>(given: About<T[]> & { of: readonly T[] }): Setting<Set<T>> {
  const known = (word: string): word is T => (given.of as readonly string[]).includes(word)
  return {
    ...given,
    unit: `a comma-separated list of ${given.of.join(', ')}`,
    defaultText: given.default.join(','),
    read(value) {
      const list = value === undefined ? given.default : value.split(',').map((word) => word.trim())
      const right = list.filter(known)
      if (right.length === list.length && right.length > 0) return new Set(right)
      throw new ConfigError(`must be a comma-separated list of ${given.of.join(', ')}`)
    },
  }
}

export function choice<const T extends string>(given: About<T> & { of: readonly T[] }): Setting<T> {
  return {
    ...given,
    unit: `one of ${given.of.join(', ')}`,
    defaultText: given.default,
    read(value) {
      const found = given.of.find((word) => word === (value ?? given.default))
      if (found !== undefined) return found
      throw new ConfigError(`must be one of ${given.of.join(', ')}`)
    },
  }
}

export function flag(given: { about: string; default: boolean }): Setting<boolean> {
  return {
    ...given,
    unit: 'true or false',
    defaultText: String(given.default),
    read(value) {
      if (value === undefined) return given.default
      if (value === 'true' || value === 'false') return value === 'true'
      throw new ConfigError('must be true or false')
    },
  }
}

/** 32 secret bytes in base64 or base64url. */
export function base64Key(given: {
  about: string
  unit: string
  defaultText: string
}): Setting<string | null> {
  const form = '32 bytes in base64 (openssl rand -base64 32)'
  return { ...text({ ...given, default: null, pattern: /^[\w+/-]{43}=?$/, form }), isSecret: true }
}

/** The address of a mail server; a secret, since it may hold a password. */
export function mailServer(given: { about: string }): Setting<string | null> {
  return {
    ...given,
    unit: 'an smtp:// or smtps:// URL',
    isSecret: true,
    defaultText: 'none',
    read(value) {
      if (value === undefined) return null
      const url = URL.canParse(value) ? new URL(value) : null
      if (url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '') return value
      throw new ConfigError(
        'must be a URL such as smtp://user:password@mail.example.org:587, with what is special in the password percent-encoded',
      )
    },
  }
}

/** IP addresses and ranges (`10.0.0.0/8`, `10.0.0.0/255.0.0.0`), separated by commas. */
export function networks(given: { about: string }): Setting<string | null> {
  return {
    ...given,
    unit: 'a comma-separated list of addresses or ranges',
    defaultText: 'none',
    read(value) {
      if (value === undefined) return null
      const wrong = value.split(',').find((part) => !isNetwork(part.trim()))
      if (wrong === undefined) return value
      throw new ConfigError(
        `must be a comma-separated list of addresses or ranges such as 10.0.0.0/8, and ${JSON.stringify(wrong.trim())} is neither`,
      )
    },
  }
}

function isNetwork(part: string): boolean {
  const [address = '', range, ...more] = part.split('/')
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  if (bits < 0 || more.length > 0) return false
  if (range === undefined || (bits === 32 && isIP(range) === 4)) return true
  return /^\d{1,3}$/.test(range) && Number(range) >= 1 && Number(range) <= bits
}

/** The address of a PostgreSQL server; a secret, since it holds a password. */
export function databaseAddress(given: { about: string }): Setting<string | null> {
  return {
    ...given,
    unit: 'a postgres:// URL',
    isSecret: true,
    defaultText: 'none',
    read(value) {
      if (value === undefined) return null
      // libpq accepts a URL with a user and no host, where the query names the host.
      const readable = value.replace('@/', '@localhost/')
      const url = URL.canParse(readable) ? new URL(readable) : null
      if (url !== null && /^postgres(?:ql)?:$/.test(url.protocol)) return value
      throw new ConfigError(
        'must be a URL such as postgres://user:password@host:5432/database, with what is special in the password percent-encoded',
      )
    },
  }
}

/** An http(s) origin or base address, without a trailing slash. */
export function address(given: {
  about: string
  default: string | null
  defaultText: string
}): Setting<string | null> {
  return {
    ...given,
    unit: 'an http or https URL',
    read(value) {
      if (value === undefined) return given.default
      const url = URL.canParse(value) ? new URL(value) : null
      if (url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') {
        return trimCharacters(url.href, { start: '', end: '/' })
      }
      throw new ConfigError('must be an http or https URL without query')
    },
  }
}
