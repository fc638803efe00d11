/**
 * Pseudonyms for what a recording must not tell: addresses of exits, session identities, tokens and signatures. One
 * value has one pseudonym in all of a recording, however it is encoded there, so that a replay matches.
 */
import { isIPv4, isIPv6 } from 'node:net'

export type Pseudonyms = {
  /** Learns the identities and tokens that a text names, to replace them wherever they stand. */
  learn(text: string): void
  /** Learns secrets that have no name in texts; those below SECRET_CHARS_MIN characters are too common to be found. */
  learnSecrets(values: readonly string[]): void
  /** Keeps the numbers of a text, such as versions, that look like addresses and are none. */
  spare(text: string): void
  /** Returns the text with all that was learned, and with addresses and signatures, replaced. */
  clean(text: string): string
}

const SECRET_CHARS_MIN = 8
/** The characters of a visitor's name, which stands inside its id. */
const VISITOR_NAME = /^[\w-]{8,24}$/

/** Names of identities and tokens in JSON, also where it stands escaped in a script. */
const LABELLED =
  /(visitor_?data|visitorId|poToken|XSRF_TOKEN|ID_TOKEN)(?:\\{0,3}"|\\x22)(?:,\s?(?:\\{0,3}"|\\x22)value(?:\\{0,3}"|\\x22))?:\s?(?:\\{0,3}"|\\x22)([\w.~+/=%-]{4,4000})/gi
/** Parameters of addresses whose values are bound to a caller, also where the address stands encoded in another one. */
const OPAQUE =
  /((?:[?&/;]|%(?:25)*(?:26|3F|2F)|\\u0026|\\x26)(?:l?sig|signature|pot|of|vm|visitorData)(?:=|\/|%(?:25)*(?:3D|2F)))([\w.~+-]{8,})/g
/** The values of a page of "automated queries" that hold the caller's address in another form. */
const BLOCKED_CALLER =
  /((?:[?&;]|%(?:25)*26|\\u0026)q(?:=|%(?:25)*3D)|name=\\?["']q\\?["'] value=\\?["']|data-s=\\?["'])([\w-]{16,})/g
/** Runs of what addresses are made of, or else escapes, which are left alone. */
const RUNS = /(?:[\dA-F.:]|%(?:25)*3A)+|%(?:25)*[\dA-F]{2}|\\u[\dA-F]{4}|\\x[\dA-F]{2}/gi
const ENCODED_COLON = /%(?:25)*3A/gi
const FIRST_COLON = /^(?::|%(?:25)*3A)/i
const DOTTED = /\d[\d.]*/g

export function createPseudonyms(): Pseudonyms {
  const given = new Given()
  const spared = new Set(['0.0.0.0', '::'])
  /** The values to look for everywhere, longest first. */
  let learned: string[] = []

  function learnValue(kind: string, value: string): void {
    const core = coreOf(value)
    if (core.length < SECRET_CHARS_MIN || learned.includes(core)) return
    given.pseudonymOf(kind, core)
    learned = [...learned, core].sort((one, other) => other.length - one.length)
    const name = kind === 'visitor' ? nameOfVisitor(core) : null
    if (name !== null) learnValue('visitor-name', name)
  }

  const opaque = (_all: string, before: string, value: string): string =>
    `${before}${value.startsWith(MARK) ? value : given.pseudonymOf('signature', value)}`
  const dotted = (found: string): string => {
    const address = found.replace(/\.{1,8}$/, '')
    if (!isIPv4(address) || spared.has(address)) return found
    return `${given.pseudonymOf('v4', address)}${found.slice(address.length)}`
  }
  const run = (found: string, at: number, text: string): string => {
    const plain = found.replace(ENCODED_COLON, ':').toLowerCase()
    // One colon before it belongs to a label, and one mark after it to the sentence.
    const hasLabel = plain.startsWith(':') && !plain.startsWith('::')
    const before = hasLabel ? (FIRST_COLON.exec(found)?.[0] ?? '') : ''
    const after = !plain.endsWith('::') && /[:.]$/.test(found) ? found.slice(-1) : ''
    const address = plain.slice(hasLabel ? 1 : 0, plain.length - after.length)
    const isInWord = /^[a-z]/i.test(text.slice(at + found.length, at + found.length + 1))
    if (isInWord || !isIPv6(address) || spared.has(address)) return found.replace(DOTTED, dotted)
    const colon = found.match(ENCODED_COLON)?.[0] ?? ':'
    return `${before}${given.pseudonymOf('v6', address).replaceAll(':', colon)}${after}`
  }
  return {
    learn(text) {
      for (const [, name = '', value = ''] of text.matchAll(LABELLED))
        learnValue(/^visitor/i.test(name) ? 'visitor' : 'token', value)
      for (const [, before = '', value = ''] of text.matchAll(OPAQUE)) {
        if (/\Wpot\W|26pot\W/i.test(before)) learnValue('token', value)
        if (before.includes('visitorData')) learnValue('visitor', value)
      }
    },
    learnSecrets(values) {
      for (const value of values) learnValue('secret', value)
    },
    spare(text) {
      for (const [found] of text.matchAll(DOTTED)) spared.add(found)
    },
    clean(text) {
      let cleaned = text
      for (const value of learned) cleaned = cleaned.replaceAll(value, given.pseudonymOf('', value))
      cleaned = cleaned.replace(OPAQUE, opaque)
      if (cleaned.includes('/sorry/')) cleaned = cleaned.replace(BLOCKED_CALLER, opaque)
      return cleaned.replace(RUNS, run)
    },
  }
}

const MARK = 'pseudonym-'

/** The pseudonyms that were given out: addresses out of those that nobody has, numbered names for all else. */
class Given {
  private readonly given = new Map<string, string>()
  private readonly counts = new Map<string, number>()

  /** Returns the pseudonym of a value, which is of this kind if it has none yet. */
  pseudonymOf(kind: string, value: string): string {
    const known = this.given.get(value)
    if (known !== undefined) return known
    const number = (this.counts.get(kind) ?? 0) + 1
    this.counts.set(kind, number)
    const pseudonym =
      kind === 'v4'
        ? `198.18.${Math.floor(number / 256)}.${number % 256}`
        : kind === 'v6'
          ? `2001:db8::${number.toString(16)}`
          : `${MARK}${kind}-${number}`
    this.given.set(value, pseudonym)
    return pseudonym
  }
}

/** Returns the name inside a visitor id, which a cookie would hold: the id is protobuf, and it the first field. */
function nameOfVisitor(core: string): string | null {
  const bytes = Buffer.from(core, 'base64url')
  const [tag, length = 0] = bytes
  const name = bytes.toString('latin1', 2, 2 + length)
  return tag === 0x0a && VISITOR_NAME.test(name) ? name : null
}

/** Returns the value without the padding of base64, which is written in several ways. */
function coreOf(value: string): string {
  return value.replace(/(?:=|%(?:25)?3D){1,4}$/i, '')
}
