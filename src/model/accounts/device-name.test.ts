/** Names of sessions' devices, by what browsers of 2026 call themselves. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceName } from './sign-in.ts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const CASES: [string | null, string][] = [
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
    'Firefox on Windows',
  ],
  [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
    'Edge on Windows',
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/142.0.0.0 Mobile Safari/537.36`,
    'Chrome on Android',
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
    'Safari on an iPhone',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1',
    'Chrome on an iPad',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'Safari on a Mac',
  ],
  [
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36 OPR/125.0.0.0`,
    'Opera on ChromeOS',
  ],
  ['Mozilla/5.0 (Windows NT 6.1; Trident/7.0)', 'An unknown browser on Windows'],
  ['Firefox/1', 'Firefox'],
  ['curl/8.5.0', 'An unknown device'],
  ['', 'An unknown device'],
  [null, 'An unknown device'],
]

test('a device is named by its browser and system, and nothing unknown is guessed', () => {
  for (const [userAgent, name] of CASES) assert.equal(deviceName(userAgent), name, userAgent ?? '')
})
