/**
 * The kinds of setting, and how each reads its text from the environment: it states unit, default and bounds, and
 * refuses anything else with a sentence.
 */
import { isIP } from 'node:net'
import { trimCharacters } from './text/outside-text.ts'

export type Setting<T> = {
  about: string
  /** The documented form: a unit, a list of words or a pattern. */
  unit: string
  /** The value of a variable that is not set. */
  default: T
  defaultText: string
  /** Whether the value must never be shown. */
  isSecret?: boolean
  /** Reads the variable's text. Throws ConfigError with what it must be. */
  parse(text: string): T
}

/** The error of a wrong value: the start stops and prints only its sentence. */
export class ConfigError extends Error {}

/** Returns the sentence of an error with those of its causes, on which an operator can act. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? `: ${sentenceOf(error.cause)}` : ''
  return `${error.message}${cause}`
}

export function whole(
  about: string,
  given: { unit: string; default: number; range: [min: number, max: number] },
): Setting<number> {
  const [min, max] = given.range
  return {
    about,
    unit: `${given.unit}, ${min} to ${max}`,
    default: given.default,
    defaultText: String(given.default),
    parse(text) {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
      if (value >= min && value <= max) return value
      throw new ConfigError(`must be a whole number from ${min} to ${max} (${given.unit})`)
    },
  }
}

/** A number that may have up to nine decimals. */
export function decimal(
  about: string,
  given: { unit: string; default: number; range: [min: number, max: number] },
): Setting<number> {
  const [min, max] = given.range
  return {
    ...whole(about, given),
    parse(text) {
      const value = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN
      if (value >= min && value <= max) return value
      throw new ConfigError(`must be a number from ${min} to ${max} (${given.unit})`)
    },
  }
}

type Text = {
  unit: string
  pattern?: RegExp
  /** Demand on a refused value; the unit, where there is none. */
  form?: string
  defaultText?: string
}

/** A text; null where it has no default and is not set. */
export function text<T extends string | null = null>(
  about: string,
  { unit, form = unit, ...given }: Text & { default?: T },
): Setting<string | T> {
  return {
    about,
    unit,
    default: given.default ?? (null as T),
    defaultText: given.defaultText ?? given.default ?? 'none',
    parse(value) {
      if (given.pattern === undefined || given.pattern.test(value)) return value
      throw new ConfigError(`must be ${form}`)
    },
  }
}

/** A text whose value is never printed. */
export function secret(about: string, unit: string): Setting<string | null> {
  return { ...text(about, { unit }), isSecret: true }
}

/** 32 secret bytes in base64 or base64url. */
export function base64Key(
  about: string,
  given: { unit: string; defaultText: string },
): Setting<string | null> {
  const form = '32 bytes in base64 (openssl rand -base64 32)'
  return { ...text(about, { ...given, pattern: /^[\w+/-]{43}=?$/, form }), isSecret: true }
}

export function words<T extends string>(
  about: string,
  given: { default: T[]; of: readonly T[] },
): Setting<Set<T>> {
  const known = (word: string): word is T => (given.of as readonly string[]).includes(word)
  const unit = `a comma-separated list of ${given.of.join(', ')}`
  return {
    about,
    unit,
    default: new Set(given.default),
    defaultText: given.default.join(','),
    parse(value) {
      const list = value.split(',').map((word) => word.trim())
      if (list.every(known)) return new Set(list)
      throw new ConfigError(`must be ${unit}`)
    },
  }
}

export function choice<const T extends string>(
  about: string,
  given: { default: T; of: readonly T[] },
): Setting<T> {
  const unit = `one of ${given.of.join(', ')}`
  return {
    about,
    unit,
    default: given.default,
    defaultText: given.default,
    parse(value) {
      const found = given.of.find((word) => word === value)
      if (found !== undefined) return found
      throw new ConfigError(`must be ${unit}`)
    },
  }
}

export function flag(about: string, isDefault: boolean): Setting<boolean> {
  return {
    about,
    unit: 'true or false',
    default: isDefault,
    defaultText: String(isDefault),
    parse(value) {
      if (value === 'true' || value === 'false') return value === 'true'
      throw new ConfigError('must be true or false')
    },
  }
}

/** IP addresses and ranges (`10.0.0.0/8`, `10.0.0.0/255.0.0.0`), separated by commas. */
export function networks(about: string): Setting<string | null> {
  return {
    ...text(about, { unit: 'a comma-separated list of addresses or ranges' }),
    parse(value) {
      const wrong = value.split(',').find((part) => !isNetwork(part.trim()))
      if (wrong === undefined) return value
      throw new ConfigError(
        `must be a comma-separated list of addresses or ranges such as 10.0.0.0/8, and ${JSON.stringify(wrong.trim())} is neither`,
      )
    },
  }
}

/** Origins of web pages, or `*` for all. */
export function origins(about: string): Setting<string | null> {
  return {
    ...text(about, { unit: 'a comma-separated list of origins, or *' }),
    parse(value) {
      const wrong = value.split(',').find((part) => !ORIGIN.test(part.trim()))
      if (wrong === undefined) return value
      throw new ConfigError(
        `must be a comma-separated list of origins such as https://agent.example, or *, and ${JSON.stringify(wrong.trim())} is neither`,
      )
    },
  }
}

const ORIGIN = /^(?:\*|[a-z-]{2,20}:\/\/[\w.:[\]-]{1,255})$/

function isNetwork(part: string): boolean {
  const [address = '', range, ...more] = part.split('/')
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  if (bits < 0 || more.length > 0) return false
  if (range === undefined || (bits === 32 && isIP(range) === 4)) return true
  return /^\d{1,3}$/.test(range) && Number(range) >= 1 && Number(range) <= bits
}

/** The address of a mail server; a secret, since it may hold a password. */
export function mailServer(about: string): Setting<string | null> {
  return {
    ...secret(about, 'an smtp:// or smtps:// URL'),
    parse(value) {
      const url = URL.parse(value)
      if (url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '') return value
      throw new ConfigError(
        'must be a URL such as smtp://user:password@mail.example.org:587, with what is special in the password percent-encoded',
      )
    },
  }
}

/** An http(s) origin or base address, without a trailing slash. */
export function address(about: string, defaultText: string): Setting<string | null> {
  return {
    ...text(about, { unit: 'an http or https URL', defaultText }),
    parse(value) {
      const url = URL.parse(value)
      const parts = url === null ? [] : [url.username, url.password, url.search, url.hash]
      if (url !== null && /^https?:$/.test(url.protocol) && parts.every((part) => part === '')) {
        return trimCharacters(url.href, { start: '', end: '/' })
      }
      throw new ConfigError('must be an http or https URL without query, user or password')
    },
  }
}
