/** Names the browser and the system of a session in plain words, from what the browser called itself. */

/**
 * Marks of browsers, newer ones first, since the first mark found decides: newer browsers also name those from which
 * they descend.
 */
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
