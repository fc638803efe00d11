/** Reads client profiles from the text of a file in the form of docs/operating/clients.schema.json. */
import { CLIENT_HOSTS, CLIENT_USES, type ClientProfile, TOKEN_CALLS } from './clients.ts'
import { textAt } from './json.ts'

/** How many clients must be there for captions: one alone can never confirm that a video has none. */
const CAPTIONS_CLIENTS_MIN = 2
const CLIENTS_MAX = 20
/** The size of a file of profiles, in bytes. */
export const CLIENTS_BYTES_MAX = 256 * 1024
const PLAIN_LINE = /^[ -~]{1,400}$/

/** A rule of a field: what it says of values that may not stand there. */
type Rule = { allows: (value: unknown) => boolean; fault: string; isOptional?: true }

const isOneOf =
  (values: readonly string[]) =>
  (value: unknown): boolean =>
    values.some((each) => each === value)

/** The fields of a profile in the order in which they are checked. An optional one may be absent. */
const RULES: { readonly [Field in keyof Required<ClientProfile>]: Rule } = {
  name: {
    allows: (value) => typeof value === 'string' && /^[\w.-]{1,40}$/.test(value),
    fault: 'is not 1 to 40 letters, digits, "_", "." or "-"',
  },
  use: { allows: isOneOf(CLIENT_USES), fault: `is none of ${CLIENT_USES.join(', ')}` },
  headerId: {
    allows: (value) => Number.isInteger(value) && Number(value) > 0,
    fault: 'is no positive whole number',
  },
  userAgent: {
    allows: (value) => typeof value === 'string' && PLAIN_LINE.test(value),
    fault: 'is no line of plain text of at most 400 characters',
  },
  context: {
    allows: isContext,
    fault:
      'needs lines of plain text or numbers, "clientName" and "clientVersion" as texts among them',
  },
  embedUrl: { allows: isAddressOrNull, fault: 'is no http or https address', isOptional: true },
  host: {
    allows: isOneOf(CLIENT_HOSTS),
    fault: `is none of ${CLIENT_HOSTS.join(', ')}`,
    isOptional: true,
  },
  origin: { allows: isAddressOrNull, fault: 'is no http or https address', isOptional: true },
  referer: { allows: isAddressOrNull, fault: 'is no http or https address', isOptional: true },
  token: {
    allows: (value) => value === null || isOneOf(TOKEN_CALLS)(value),
    fault: `is none of ${TOKEN_CALLS.join(', ')}, and not null`,
    isOptional: true,
  },
}

/** Returns the profiles. Throws a sentence that names the wrong entry and field. */
export function readClientProfiles(text: string): ClientProfile[] {
  const list = parseList(text)
  if (list.length > CLIENTS_MAX)
    throw new Error(`client profiles: more than ${CLIENTS_MAX} of them`)
  const profiles = list.map(readProfile)
  const names = profiles.map((profile) => profile.name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`client profiles: ${twice} occurs twice`)
  if (!profiles.some(({ use }) => use === 'date_and_lists'))
    throw new Error('client profiles: no client with "use": "date_and_lists"')
  const captions = profiles.filter(({ use }) => use === 'captions')
  const apps = new Set(captions.map(({ context }) => context.clientName))
  if (apps.size < CAPTIONS_CLIENTS_MIN) {
    const found = apps.size === 0 ? 'no client' : `only one client (${captions[0]?.name})`
    throw new Error(
      `client profiles: ${found} with "use": "captions"; two have to say so before a video has no captions`,
    )
  }
  return profiles
}

function parseList(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value)) return value
  } catch (cause) {
    throw new Error('client profiles: the file is not JSON', { cause })
  }
  throw new Error('client profiles: the file is not a JSON array')
}

function readProfile(entry: unknown, index: number): ClientProfile {
  const name = textAt(entry, 'name')
  const label = `client profiles: entry ${index + 1}${name === null ? '' : ` (${name})`}`
  if (name === null) throw new Error(`${label}: "name" is missing`)
  const fault = faultIn(entry as Record<string, unknown>)
  if (fault !== null) throw new Error(`${label}: ${fault}`)
  return { embedUrl: null, ...(entry as object) } as ClientProfile
}

/** Returns what is wrong with the entry, or null. */
function faultIn(entry: Record<string, unknown>): string | null {
  const unknown = Object.keys(entry).find((key) => !Object.hasOwn(RULES, key))
  if (unknown !== undefined) return `"${unknown}" is none of ${Object.keys(RULES).join(', ')}`
  const wrong = Object.entries(RULES).find(
    ([field, { allows, isOptional }]) =>
      !(isOptional === true && entry[field] === undefined) && !allows(entry[field]),
  )
  return wrong === undefined ? null : `"${wrong[0]}" ${wrong[1].fault}`
}

function isAddressOrNull(value: unknown): boolean {
  if (value === null) return true
  return (
    typeof value === 'string' &&
    PLAIN_LINE.test(value) &&
    /^https?:/.test(value) &&
    URL.canParse(value)
  )
}

function isContext(value: unknown): value is Record<string, string | number> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if (textAt(value, 'clientName') === null || textAt(value, 'clientVersion') === null) return false
  return Object.values(value).every(
    (each) => typeof each === 'number' || (typeof each === 'string' && PLAIN_LINE.test(each)),
  )
}
