/** Settings as an operator writes them: what is wrong is named, and what is left out has its default. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import { ConfigError } from '../kit/settings.ts'

test('a wrong setting stops the start with a sentence that names it, and shows no secret', () => {
  const wrong: [string, string][] = [
    ['PORT', '70000'],
    ['PORT', 'x'],
    ['ROLES', 'api,cook'],
    ['LOG_LEVEL', 'loud'],
    ['PLATFORM_ORIGIN', 'nowhere'],
    ['PUBLIC_URL', 'ftp://x'],
    ['PO_TOKEN_URL', 'http://me:hidden@provider.example'],
    ['MAX_ACTIVE_JOBS', '0'],
    ['PLATFORM_FIELD_MASKS', 'yes'],
    ['CANARY_HOURS', '-1'],
    ['CANARY_HOURS', '1e3'],
    ['CANARY_HOURS', '8760.5'],
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
      (error: Error) =>
        error instanceof ConfigError &&
        error.message.startsWith(`${name} must be`) &&
        !error.message.includes('hidden'),
    )
  }
  for (const hours of ['0', '6', '0.0003'])
    assert.equal(readConfig({ CANARY_HOURS: hours }).CANARY_HOURS, Number(hours))
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
