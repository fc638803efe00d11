/** Addresses that are of one mailbox, and addresses that are not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashMailbox, mailboxOf } from './mailbox.ts'

test('addresses of one mailbox have one spelling', () => {
  const spellings: Record<string, string[]> = {
    'anna.berg@example.org': [
      'anna.berg@example.org',
      ' Anna.Berg@Example.ORG\n',
      'anna.berg+texts@example.org',
      'anna.berg+a+b@example.org.',
      'ａnna.berg@example.org',
    ],
    'annaberg@gmail.com': [
      'annaberg@gmail.com',
      'a.n.n.a.berg@gmail.com',
      'Anna.Berg+one@GoogleMail.com',
    ],
    'annaberg@proton.me': ['anna_berg@proton.me', 'anna-berg+x@pm.me', 'anna.berg@protonmail.com'],
    'anna.berg@icloud.com': ['anna.berg@me.com', 'anna.berg@mac.com'],
    'anna.berg@yandex.ru': ['anna.berg@ya.ru', 'anna.berg+1@yandex.com'],
    'anna@xn--bcher-kva.example': ['anna@bücher.example', 'Anna+x@BÜCHER.example'],
    '+anna@example.org': ['+anna@example.org', '+anna+x@example.org'],
  }
  for (const [mailbox, addresses] of Object.entries(spellings))
    for (const address of addresses) assert.equal(mailboxOf(address), mailbox, address)
})

test('addresses of different mailboxes stay different', () => {
  const others = [
    'annaberg@example.org',
    'anna.berg@example.org',
    'anna-berg@example.org',
    'anna.berg@example.com',
    'anna.berg@mail.example.org',
    'annaberg@gmail.com',
    'anna-berg@gmail.com',
    'annaberg@gmail.com.example.org',
    'anna.berg@icloud.com',
    'annaberg@icloud.com',
    'anna@bucher.example',
    'anna@constructor',
  ]
  assert.equal(new Set(others.map(mailboxOf)).size, others.length)
})

test('what is no address has a spelling, too, and the same mailbox has another hash under another key', () => {
  for (const text of ['', '@', 'anna', '+@', 'a@b@c'])
    assert.equal(typeof mailboxOf(text), 'string')
  const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  assert.deepEqual(hashMailbox(one, 'a+1@b.org'), hashMailbox(one, 'A@b.org'))
  assert.notDeepEqual(hashMailbox(one, 'a@b.org'), hashMailbox(other, 'a@b.org'))
})
