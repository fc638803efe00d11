/** Language codes: what one names, and how near that is to what another one asks for. */
import { MACRO_LANGUAGES, NO_LANGUAGES } from './language-registry.ts'

/**
 * How near a text is to a wish: in the same language, whatever its region; in that language, but another script; or in
 * one that encompasses the wished language, or is encompassed by it (`zh` and `yue`), so that a reader has to be told.
 */
type Nearness = 'same' | 'otherScript' | 'family'

/** The meaning of a code. Codes of one language, script and region are spelled alike, `zh-hant` for `cmn-Hant`. */
type LanguageCode = {
  spelling: string
  /** The base code by which all spellings of the language are known; null where the code names none. */
  language: string | null
  /** The script that its readers expect, `Hant` for `zh-TW`; null where none is known. */
  script: string | null
  region: string | null
}

/** Language, extended language or script, region and variant: more tells nothing. */
const PARTS_READ = 4

/** Codes read before, since the few that occur are asked of each text of an account, and Intl takes its time. */
const KNOWN = new Map<string, LanguageCode>()
const KNOWN_MAX = 1000
const KEPT_LENGTH_MAX = 35

/** Norwegian means Bokmål where nothing else is said (CLDR's matching of languages: 1 of 80). */
const MEANT: Readonly<Record<string, string>> = { nb: 'no' }

const RANGES = NO_LANGUAGES.split(' ').map((range) => range.split('..'))

const MACRO_OF = new Map(
  MACRO_LANGUAGES.trim()
    .split('\n')
    .map((line) => line.split(': '))
    .flatMap(([macro = '', members = '']) => members.split(' ').map((member) => [member, macro])),
)

/**
 * Returns how near a text in `code` is to the wish for another code, by the one rule for choosing tracks, for telling
 * what was delivered, and for what is owned; null where they are different languages, as members of one family are.
 */
export function nearnessOf(code: string, wish: string): Nearness | null {
  const [own, wished] = [readLanguageCode(code), readLanguageCode(wish)]
  if (own.spelling === wished.spelling) return 'same'
  if (own.language === null || wished.language === null) return null
  if (own.language === wished.language) return isOneScript(own, wished) ? 'same' : 'otherScript'
  const isFamily =
    MACRO_OF.get(own.language) === wished.language || MACRO_OF.get(wished.language) === own.language
  return isFamily ? 'family' : null
}

/** Returns whether both are written in one script; of a code without a known one, nothing says otherwise. */
export function isOneScript(one: LanguageCode, other: LanguageCode): boolean {
  return one.script === null || other.script === null || one.script === other.script
}

/** Reads a code as the platform or a caller spells it, `zh_TW`, `iw`, `cmn` or `zh-cmn`, by CLDR's aliases (Intl). */
export function readLanguageCode(code: string): LanguageCode {
  const known = KNOWN.get(code)
  if (known !== undefined) return known
  const reading = readAnew(code)
  if (KNOWN.size >= KNOWN_MAX) KNOWN.clear()
  if (code.length <= KEPT_LENGTH_MAX) KNOWN.set(code, reading)
  return reading
}

function readAnew(code: string): LanguageCode {
  const spelled = code.toLowerCase().replaceAll('_', '-')
  const [first = '', ...others] = spelled.split('-')
  const isExtended = MACRO_OF.get(others[0] ?? '') === first
  const parts = isExtended ? others : [first, ...others]
  for (let end = Math.min(parts.length, PARTS_READ); end > 0; end -= 1) {
    const locale = localeOf(parts.slice(0, end).join('-'))
    if (locale === null) continue
    const { baseName } = locale
    const spelling = [baseName, ...parts.slice(end)].join('-').toLowerCase()
    const { language, script = null } = locale.maximize()
    const region = locale.region ?? null
    if (isNoLanguage(baseName.split('-')[0] ?? ''))
      return { spelling, language: null, script: null, region }
    return { spelling, language: MEANT[language] ?? language, script, region }
  }
  return { spelling: spelled, language: null, script: null, region: null }
}

/** Returns whether a code is of the registry's that name no language; those of a range are of one length. */
function isNoLanguage(code: string): boolean {
  return RANGES.some(
    ([from = '', to = from]) => code.length === from.length && from <= code && code <= to,
  )
}

function localeOf(code: string): Intl.Locale | null {
  try {
    return new Intl.Locale(code)
  } catch {
    return null
  }
}
