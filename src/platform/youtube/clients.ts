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
 *     ANDROID_20, IOS_20    older, known good: the first in youtube-transcript-api (2026-05); captions on 2026-11-23
 *     MWEB                  yt-dlp, as WEB; apps tell no date, so the mobile website stands in where WEB is refused
 */
/** The uses of clients; the clients of a use are asked in the given order. */
export const CLIENT_USES = ['captions', 'age_gate', 'date_and_lists'] as const

export type ClientUse = (typeof CLIENT_USES)[number]

export type ClientProfile = {
  /** The profile's name. An older version of an app has another one than its `clientName`. */
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
  /** The host that is asked; every app is answered at the first one (2026-08). */
  host?: (typeof CLIENT_HOSTS)[number]
  /** The header `Origin`, which pages send and apps do not; null for none. */
  origin?: string | null
  /** The header `Referer`; null for none. */
  referer?: string | null
  /** The calls that need a token of proof, even where no track says so. */
  token?: (typeof TOKEN_CALLS)[number] | null
}

/** The hosts at which InnerTube is reached; no other is asked. */
export const CLIENT_HOSTS = ['www.youtube.com', 'youtubei.googleapis.com', 'm.youtube.com'] as const
export const TOKEN_CALLS = ['captions', 'player'] as const

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** The version, which the platform accepts or retires. */
export function versionOf({ name, context }: ClientProfile): { name: string; version: string } {
  return { name, version: String(context.clientVersion) }
}

/**
 * Returns the newer version of the same app for the same use, which stands before it; null where there is none. An
 * older version is a net: it is asked where the newer one is refused.
 */
export function newerOf(
  profiles: readonly ClientProfile[],
  { name, use, context }: ClientProfile,
): ClientProfile | null {
  const versions = profiles.filter(
    (each) => each.use === use && each.context.clientName === context.clientName,
  )
  return versions[versions.findIndex((each) => each.name === name) - 1] ?? null
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
    origin: null,
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
    origin: null,
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
    origin: null,
  },
  {
    name: 'ANDROID_20',
    use: 'captions',
    headerId: 3,
    userAgent: 'com.google.android.youtube/20.10.38 (Linux; U; Android 11) gzip',
    context: {
      clientName: 'ANDROID',
      clientVersion: '20.10.38',
      androidSdkVersion: 30,
      osName: 'Android',
      osVersion: '11',
    },
    embedUrl: null,
    origin: null,
  },
  {
    name: 'IOS_20',
    use: 'captions',
    headerId: 5,
    userAgent: 'com.google.ios.youtube/20.10.4 (iPhone16,2; U; CPU iOS 18_3_2 like Mac OS X;)',
    context: {
      clientName: 'IOS',
      clientVersion: '20.10.4',
      deviceMake: 'Apple',
      deviceModel: 'iPhone16,2',
      osName: 'iPhone',
      osVersion: '18.3.2.22D82',
    },
    embedUrl: null,
    origin: null,
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
