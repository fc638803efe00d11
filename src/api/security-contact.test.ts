/** When security.txt is there, and what is refused at the start. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { securityContact } from './site-settings.ts'

test('a contact needs a day until when it is good, and that is at most a year away', () => {
  const site = { publicUrl: 'https://texts.example', now: new Date('2026-11-23T12:00:00Z') }
  const of = (
    SECURITY_EXPIRES: string | null,
    SECURITY_CONTACT: string | null = 'mailto:a@b.org',
  ) => securityContact({ SECURITY_CONTACT, SECURITY_EXPIRES }, site)
  assert.equal(of('2099-01-01', null), null)
  assert.throws(() => of(null), /SECURITY_EXPIRES must be set/)
  assert.throws(() => of('2027-11-30'), /SECURITY_EXPIRES is 2027-11-30: set it to a day at most/)
  assert.match(of('2027-11-23')?.text ?? '', /\nExpires: 2027-11-23T00:00:00\.000Z\n/)
  assert.equal(
    of('2026-01-01')?.expiresAt.getUTCFullYear(),
    2026,
    'one that is over is only not served',
  )
})
