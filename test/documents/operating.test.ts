/** docs/operating.md lists every setting as the code has it; `UPDATE_DOCUMENTS=1` writes the list. */
import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { readConfig, SETTINGS } from '../../src/kit/config/config.ts'
import { ConfigError } from '../../src/kit/config/settings.ts'

const FILE = path.resolve(import.meta.dirname, '../../docs/operating.md')
const BLOCK = /(<!-- settings -->\n)[\s\S]*?(<!-- \/settings -->)/

test('the operating manual lists every setting with unit and default, as the code has it', async () => {
  const table = [
    '| setting | what it sets | value | default |',
    '|---|---|---|---|',
    ...Object.entries(SETTINGS).map(
      ([name, { about, unit, defaultText }]) =>
        `| \`${name}\` | ${about} | ${unit} | ${defaultText} |`,
    ),
  ]
  const text = await fs.readFile(FILE, 'utf8')
  const wanted = text.replace(
    BLOCK,
    (_, open: string, close: string) => `${open}\n${table.join('\n')}\n\n${close}`,
  )
  if (process.env['UPDATE_DOCUMENTS'] === '1') await fs.writeFile(FILE, wanted)
  else assert.equal(text, wanted, 'run this test with UPDATE_DOCUMENTS=1 to write the list anew')
})

test('a wrong setting stops the start with a sentence that names it, and shows no secret', () => {
  const wrong: [string, string][] = [
    ['PORT', '70000'],
    ['PORT', 'x'],
    ['ROLES', 'api,cook'],
    ['LOG_LEVEL', 'loud'],
    ['PLATFORM_ORIGIN', 'nowhere'],
    ['PUBLIC_URL', 'ftp://x'],
    ['MAX_ACTIVE_JOBS', '0'],
    ['PLATFORM_FIELD_MASKS', 'yes'],
    ['SMTP_URL', 'mail.example.org'],
    ['SMTP_URL', 'https://mail.example.org'],
    ['MAIL_FROM', 'Transcripts'],
    ['TRUSTED_PROXIES', '10.0.0'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0.0.1 10.0.0.2'],
    ['RECEIPT_SIGNING_KEY', 'short'],
    ['WEBHOOK_SECRET_KEY', 'short'],
    ['CONTENT_SIGNAL', 'search'],
    ['CONTENT_SIGNAL', 'search=maybe'],
    ['CONTENT_SIGNAL', 'training=no'],
    ['CONTENT_SIGNAL', 'search=yes, search=no'],
  ]
  for (const [name, value] of wrong) {
    assert.throws(
      () => readConfig({ [name]: value }),
      (error: Error) => error instanceof ConfigError && error.message.startsWith(`${name} must be`),
    )
  }
  for (const proxies of ['127.0.0.1', '10.0.0.0/8, ::1', 'fd00::/8', '10.0.0.0/255.0.0.0'])
    assert.equal(readConfig({ TRUSTED_PROXIES: proxies }).TRUSTED_PROXIES, proxies)
  for (const MAIL_FROM of ['post@example.org', 'Transcripts <post@example.org>'])
    assert.equal(readConfig({ MAIL_FROM }).MAIL_FROM, MAIL_FROM)
  const spaced = readConfig({ CONTENT_SIGNAL: 'search=yes,ai-input=yes ,ai-train=no' })
  assert.equal(spaced.CONTENT_SIGNAL, 'search=yes, ai-input=yes, ai-train=no')
  assert.equal(readConfig({}).CONTENT_SIGNAL, null)
  assert.equal(readConfig({ PORT: '' }).PORT, 8080, 'an empty variable counts as unset')
  assert.equal(readConfig({ PORT: '9000' }).PUBLIC_URL, 'http://localhost:9000')
})
