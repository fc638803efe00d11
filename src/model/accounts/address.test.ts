/** Texts that are taken for an e-mail address. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAddress } from './sign-in.ts'

test('an address is kept in lower case, without what is around it', () => {
  assert.equal(
    readAddress(' Anna.Berg+texts@Mail.Example.ORG '),
    'anna.berg+texts@mail.example.org',
  )
  assert.equal(readAddress("o'neill@example.org"), "o'neill@example.org")
})

test('what is no address is refused', () => {
  const wrong = [
    '',
    '@',
    'anna',
    'anna@',
    '@example.org',
    'anna@example',
    'anna@@example.org',
    'a b@example.org',
    'anna@exa mple.org',
    '.anna@example.org',
    'an..na@example.org',
    'anna.@example.org',
    'anna@.example.org',
    'anna@example..org',
    'anna@-example.org',
    'anna@example.org\nBcc: all@example.org',
    'anna@example.org,eve@example.org',
    '<anna@example.org>',
    'anna@example.org\u0000',
    `${'a'.repeat(65)}@example.org`,
    `anna@${'a.'.repeat(130)}org`,
  ]
  for (const text of wrong) assert.equal(readAddress(text), null, JSON.stringify(text))
})
