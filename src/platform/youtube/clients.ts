/**
 * Client profiles: the platform's own apps as which requests are made. They are data, since the platform retires
 * versions without notice (HTTP 400 FAILED_PRECONDITION; ANDROID 19.44.38 on 2026-08-18). A file (`PLATFORM_CLIENTS`,
 * docs/operating/clients.md) replaces those below.
 *
 * Newest sources of the versions, looked up 2026-11-22:
 *
 *     VISIONOS              NewPipeExtractor since 2026-08, still on 2026-09-27
 *     ANDROID, IOS          yt-dlp since 2026-07-20, unchanged at 2026-08-20; captions on 2026-09-02
 *     WEB, WEB_EMBEDDED_…   yt-dlp since 2026-07-09, unchanged at 2026-08-20
 *     MWEB                  yt-dlp, as WEB; apps tell no date, so the mobile website stands in where WEB is refused
 */
import { at, textAt } from './json.ts'

/** The use of a client; the clients of one use are asked in the given order. */
export type ClientUse = 'captions' | 'age_gate' | 'date_and_lists'

export type ClientProfile = {
  /** The profile's name, which is the platform's `clientName`. */
  name: string
  use: ClientUse
  /** The value of the header `X-YouTube-Client-Name`. */
  headerId: number
  userAgent: string
  /** The value of `context.client`, without `hl`, `gl` and `visitorData`; its `clientVersion` is the version. */
  context: Readonly<Record<string, string | number>>
  /**
   * The value of `context.thirdParty.embedUrl`, the page on which an embedded player claims to be; null for other apps.
   */
  embedUrl: string | null
}

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** The version, which the platform accepts or retires. */
export function versionOf({ name, context }: ClientProfile): { name: string; version: string } {
  return { name, version: String(context.clientVersion) }
}

export const CLIENT_PROFILES: readonly ClientProfile[] = [
  {
    name: 'VISIONOS',
    use: 'captions',
    headerId: 101,
    userAgent:
      'com.google.visionos.youtube/1.04(RealityDevice17,1; U; CPU visionOS 26_6_0 like Mac OS X; US)',
    context: {
      clientName: 'VISIONOS',
      clientVersion: '1.04',
      deviceMake: 'Apple',
      deviceModel: 'RealityDevice17,1',
      osName: 'visionOS',
      osVersion: '26.6.0.23O770',
    },
    embedUrl: null,
  },
  {
    name: 'ANDROID',
    use: 'captions',
    headerId: 3,
    userAgent: 'com.google.android.youtube/21.26.364 (Linux; U; Android 11) gzip',
    context: {
      clientName: 'ANDROID',
      clientVersion: '21.26.364',
      androidSdkVersion: 30,
      osName: 'Android',
      osVersion: '11',
    },
    embedUrl: null,
  },
  {
    name: 'IOS',
    use: 'captions',
    headerId: 5,
    userAgent: 'com.google.ios.youtube/21.26.4 (iPhone16,2; U; CPU iOS 18_3_2 like Mac OS X;)',
    context: {
      clientName: 'IOS',
      clientVersion: '21.26.4',
      deviceMake: 'Apple',
      deviceModel: 'iPhone16,2',
      osName: 'iPhone',
      osVersion: '18.3.2.22D82',
    },
    embedUrl: null,
  },
  {
    name: 'WEB_EMBEDDED_PLAYER',
    use: 'age_gate',
    headerId: 56,
    userAgent: CHROME,
    context: { clientName: 'WEB_EMBEDDED_PLAYER', clientVersion: '2.20260708.00.00' },
    embedUrl: 'https://www.example.org/',
  },
  {
    name: 'WEB',
    use: 'date_and_lists',
    headerId: 1,
    userAgent: CHROME,
    context: { clientName: 'WEB', clientVersion: '2.20260708.00.00' },
    embedUrl: null,
  },
  {
    name: 'MWEB',
    use: 'date_and_lists',
    headerId: 2,
    userAgent:
      'Mozilla/5.0 (iPad; CPU OS 16_7_10 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
      'Version/16.6 Mobile/15E148 Safari/604.1,gzip(gfe)',
    context: { clientName: 'MWEB', clientVersion: '2.20260708.05.00' },
    embedUrl: null,
  },
]

/** How many clients must be there for captions: one alone can never confirm that a video has none. */
const CAPTIONS_CLIENTS_MIN = 2
const CLIENTS_MAX = 20
const FIELDS = ['name', 'use', 'headerId', 'userAgent', 'context', 'embedUrl']
const USES: readonly ClientUse[] = ['captions', 'age_gate', 'date_and_lists']
const NAME = /^[\w.-]{1,40}$/
const PLAIN_LINE = /^[ -~]{1,400}$/

/**
 * Reads client profiles from the text of a `PLATFORM_CLIENTS` file: a JSON array in the shape of `ClientProfile`
 * (docs/operating/clients.schema.json says the same). Throws a sentence that names the wrong entry and field.
 */
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
  if (captions.length < CAPTIONS_CLIENTS_MIN) {
    const found = captions.length === 0 ? 'no client' : `only one client (${captions[0]?.name})`
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
  const fault = faultIn(entry, name)
  if (fault !== null) throw new Error(`${label}: ${fault}`)
  return { embedUrl: null, ...(entry as object) } as ClientProfile
}

/** Returns what is wrong with the entry, or null. */
function faultIn(entry: unknown, name: string): string | null {
  const unknown = Object.keys(entry as object).find((key) => !FIELDS.includes(key))
  const [use, headerId] = [at(entry, 'use'), at(entry, 'headerId')]
  const userAgent = textAt(entry, 'userAgent')
  const embedUrl = at(entry, 'embedUrl') ?? null
  if (unknown !== undefined) return `"${unknown}" is none of ${FIELDS.join(', ')}`
  if (!NAME.test(name)) return '"name" is not 1 to 40 letters, digits, "_", "." or "-"'
  if (!USES.some((known) => known === use)) return `"use" is none of ${USES.join(', ')}`
  if (typeof headerId !== 'number' || !Number.isInteger(headerId) || headerId < 1)
    return '"headerId" is no positive whole number'
  if (userAgent === null || !PLAIN_LINE.test(userAgent))
    return '"userAgent" is no line of plain text of at most 400 characters'
  if (!isContext(at(entry, 'context')))
    return '"context" needs lines of plain text or numbers, "clientName" and "clientVersion" as texts among them'
  if (
    embedUrl !== null &&
    (typeof embedUrl !== 'string' || !/^https?:/.test(embedUrl) || !URL.canParse(embedUrl))
  )
    return '"embedUrl" is no http or https address'
  return null
}

function isContext(value: unknown): value is Record<string, string | number> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if (textAt(value, 'clientName') === null || textAt(value, 'clientVersion') === null) return false
  return Object.values(value).every(
    (each) => typeof each === 'number' || (typeof each === 'string' && PLAIN_LINE.test(each)),
  )
}
