/**
 * Client profiles: as which of the platform's own apps we ask. They are data, since the platform
 * retires versions without notice (HTTP 400 FAILED_PRECONDITION; ANDROID 19.44.38 on 2026-08-18).
 * Versions below are those of yt-dlp at 2026-08-20; a file (`PLATFORM_CLIENTS`) replaces them.
 */
import { at, listAt, textAt } from './json.ts'

/** What a client is asked for. `captions`: in the order given. */
export type ClientUse = 'captions' | 'age_gate' | 'date_and_lists'

export type ClientProfile = {
  /** Our name and the platform's `clientName`. */
  name: string
  use: ClientUse
  /** `X-YouTube-Client-Name`. */
  headerId: number
  userAgent: string
  /** `context.client`, without `hl`, `gl` and `visitorData`; its `clientVersion` is the version. */
  context: Readonly<Record<string, string | number>>
  /** `context.thirdParty.embedUrl`, or null: the page an embedded player claims to be on. */
  embedUrl: string | null
}

const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 15_7_3) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15'
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

export const CLIENT_PROFILES: readonly ClientProfile[] = [
  {
    name: 'VISIONOS',
    use: 'captions',
    headerId: 101,
    userAgent: SAFARI,
    context: {
      clientName: 'VISIONOS',
      clientVersion: '1.02',
      deviceMake: 'Apple',
      deviceModel: 'RealityDevice17,1',
      osName: 'visionOS',
      osVersion: '26.5.23O471',
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
]

/**
 * Client profiles from the text of a `PLATFORM_CLIENTS` file: a JSON array in the shape of
 * `ClientProfile`. Throws with a sentence that names the entry and field at fault.
 */
export function readClientProfiles(text: string): ClientProfile[] {
  const list = parseList(text)
  const profiles = list.map(readProfile)
  const names = profiles.map((profile) => profile.name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`client profiles: ${twice} occurs twice`)
  for (const use of ['captions', 'date_and_lists'] as const) {
    if (!profiles.some((profile) => profile.use === use)) {
      throw new Error(`client profiles: no client with "use": "${use}"`)
    }
  }
  return profiles
}

function parseList(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value)) return value
  } catch (cause) {
    throw new Error('client profiles: the file is no JSON', { cause })
  }
  throw new Error('client profiles: the file is no JSON array')
}

function readProfile(entry: unknown, index: number): ClientProfile {
  const name = textAt(entry, 'name')
  const label = `client profiles: entry ${index + 1}${name === null ? '' : ` (${name})`}`
  const use = at(entry, 'use')
  const headerId = at(entry, 'headerId')
  const userAgent = textAt(entry, 'userAgent')
  const context = at(entry, 'context')
  const embedUrl = at(entry, 'embedUrl') ?? null
  if (name === null) throw new Error(`${label}: "name" is missing`)
  if (use !== 'captions' && use !== 'age_gate' && use !== 'date_and_lists') {
    throw new Error(`${label}: "use" is none of captions, age_gate, date_and_lists`)
  }
  if (typeof headerId !== 'number' || !Number.isInteger(headerId) || headerId < 1) {
    throw new Error(`${label}: "headerId" is no positive whole number`)
  }
  if (userAgent === null || !/^[ -~]+$/.test(userAgent)) {
    throw new Error(`${label}: "userAgent" is no line of plain text`)
  }
  if (!isContext(context)) {
    throw new Error(
      `${label}: "context" needs texts or numbers, "clientName" and "clientVersion" among them`,
    )
  }
  if (embedUrl !== null && (typeof embedUrl !== 'string' || !URL.canParse(embedUrl))) {
    throw new Error(`${label}: "embedUrl" is no address`)
  }
  return { name, use, headerId, userAgent, context, embedUrl }
}

function isContext(value: unknown): value is Record<string, string | number> {
  if (typeof value !== 'object' || value === null || listAt({ value }, 'value').length > 0)
    return false
  if (textAt(value, 'clientName') === null || textAt(value, 'clientVersion') === null) return false
  return Object.values(value).every((each) => typeof each === 'string' || typeof each === 'number')
}
