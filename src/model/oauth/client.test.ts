/** Descriptions of apps: where they are answered, and what they are called. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRedirectUri, readClient } from './client.ts'

const kept = (uris: string[]): string[] => uris.filter((uri) => isRedirectUri(uri))

/** Schemes that some program of the system or the browser acts upon: each runs, opens or sends something. */
const OF_SYSTEMS = (
  'about blob calculator chrome chrome-extension content data edge facetime feed file filesystem ftp git gopher ' +
  'help intent irc itms itms-apps javascript jar jnlp ldap livescript magnet mailto market mhtml mk mms mocha ms-calculator ' +
  'ms-appinstaller ms-cxh ms-excel ms-msdt ms-officecmd ms-search ms-settings ms-word news nfs onenote opera pcast ' +
  'powershell prefs res resource rtsp search search-ms sftp shell shortcuts skype slack smb sms ssh steam svn tel telnet ' +
  'tg vbscript view-source vnc web+app webcal wss ws zoommtg'
).split(' ')

test('an app is answered at an https address, on its own computer or at a scheme that is known to be an app’s', () => {
  const fine = [
    'https://app.example/callback',
    'http://127.0.0.1:4711/callback',
    'http://localhost/callback',
    'http://[::1]:1/',
    'com.example.app:/callback',
    'com.example.app://oauth/callback?x=1',
    'app.example:callback',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'vscode://saoudrizwan.claude-dev/mcp-auth/callback/abc',
    'vscode-insiders://publisher.extension/callback',
    'windsurf://publisher.extension/callback',
    'warp://mcp/oauth2callback',
  ]
  assert.deepEqual(kept(fine), fine)
  assert.deepEqual(kept(OF_SYSTEMS.map((scheme) => `${scheme}:x`)), [])
  assert.deepEqual(kept(OF_SYSTEMS.map((scheme) => `${scheme}://x/callback`)), [])
  const wrong = [
    'feed:javascript:alert(1)',
    'ms-msdt:/id PCWDiagnostic',
    'search-ms:query=x&crumb=location:%5C%5Cevil.example',
    'unknown-app://callback',
    'x-apple.systempreferences:com.apple.preference.security',
    'microsoft.windows.camera:x',
    'app:/callback',
    '.example:/callback',
    'app.:/callback',
    'app..example:/callback',
    'app.-:/callback',
    'http://evil.example/callback',
    'https://name@evil.example/',
    'https://evil.example/#x',
    'cursor:\\\\evil.example',
    '',
  ]
  assert.deepEqual(kept(wrong), [])
})

const nameOf = (client_name: unknown): string | null => {
  const reading = readClient({ client_name, redirect_uris: ['https://app.example/'] })
  return reading.kind === 'client' ? reading.name : null
}

test('an app has a name that people see, and names that look alike are one', () => {
  for (const blank of ['', ' ', '\u200e', '\u3164', '\u2800\ufe0f\u034f', '\u{16fe4}'])
    assert.equal(nameOf(blank), null, JSON.stringify(blank))
  for (const alike of ['Good\u3164App', '\u202eGood\u2800\ufe0fApp', 'Good\u034f App\u{e0067}'])
    assert.equal(nameOf(alike), 'Good App')
})

test('no app is called as we are, in whatever letters, and names that only mention another server pass', () => {
  const taken = [
    'Scriptorium',
    'scriptorium',
    'SCRIPTORIUM COMMAND LINE',
    'Scriptorium Support',
    'The official Scriptorium app',
    'S c r i p t o r i u m',
    'Scrip\u200btorium',
    'Scrip\u00adtorium',
    'S.c.r.i.p.t.o.r.i.u.m',
    'Ｓｃｒｉｐｔｏｒｉｕｍ',
    '𝐒𝐜𝐫𝐢𝐩𝐭𝐨𝐫𝐢𝐮𝐦',
    'Ⓢⓒⓡⓘⓟⓣⓞⓡⓘⓤⓜ',
    'Scríptóriùm',
    'Sсriptоrium',
    'Ѕсгірtоrіum',
    'Scr1pt0r1um',
    '$criptorium',
    'ScrIptorIum',
    'Scrlptorlum',
    'Scriptoriurn',
    'SCRΙPTΟRΙUM',
    'Sᴄʀɪᴘᴛᴏʀɪᴜᴍ',
    '(Scriptorium)',
    'Scriptorium (beta)',
    'Ꮪcriptorium',
  ]
  assert.deepEqual(
    taken.filter((name) => nameOf(name) !== null),
    [],
  )
  const fine = [
    'Claude Code (scriptorium)',
    'Claude Code (plugin:scriptorium:scriptorium)',
    'Reading app',
    'Script editor',
    'Скрипт',
    '筆写室',
    'Notes & tea 2',
  ]
  assert.deepEqual(
    fine.map((name) => nameOf(name)),
    fine,
  )
})
