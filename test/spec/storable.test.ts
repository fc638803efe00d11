/** Zero characters and half surrogate pairs: refused wherever they are sent, and never a fault of ours. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sharedService } from '../support/shared-service.ts'

const { customer, address } = await sharedService({ after }, ['api'])
const VIDEO = 'https://www.youtube.com/watch?v=jNQXAC9IVRw'

/** Spellings in JSON; raw characters make it no JSON or no UTF-8, which is refused as such. */
const SPELLINGS = ['\\u0000', 'a\\u0000b', '\\ud800', '\\udfff', '\\ude00\\ud83d', '\\ud83d x']

const BODIES: [field: string, body: (text: string) => string][] = [
  ['urls', (text) => `{"urls":"${VIDEO}${text}"}`],
  ['urls[1]', (text) => `{"urls":["${VIDEO}","${text}"]}`],
  ['language', (text) => `{"urls":"${VIDEO}","language":"${text}"}`],
  ['publishedAfter', (text) => `{"urls":"${VIDEO}","publishedAfter":"${text}"}`],
  ['formats[0]', (text) => `{"urls":"${VIDEO}","formats":["${text}"]}`],
  ['The body', (text) => `{"urls":"${VIDEO}","${text}":1}`],
  ['The body', (text) => `"${text}"`],
  ['extra[a][b]', (text) => `{"extra":{"a":{"b":{"c":{"d":"${text}"}}}}}`],
]

test('a body with text that nothing can store is refused by the name of the field', async () => {
  const who = await customer('10')
  for (const [field, body] of BODIES) {
    for (const text of SPELLINGS) {
      const reply = await fetch(`${address}/api/v1/jobs`, {
        method: 'POST',
        body: body(text),
        headers: { ...bearer(who), 'Content-Type': 'application/json' },
      })
      const { error } = (await reply.json()) as { error: { code: string; message: string } }
      assert.deepEqual([reply.status, error.code], [400, 'invalid_request'], body(text))
      assert.ok(error.message.startsWith(`${field} contains a zero character`), error.message)
    }
  }
})

test('escaped backslashes and whole pairs are ordinary text', async () => {
  const who = await customer('10')
  for (const text of ['\\\\u0000', '\\ud83d\\ude00', '\\\\ud800', 'a\\u0001']) {
    const reply = await fetch(`${address}/api/v1/jobs`, {
      method: 'POST',
      body: `{"urls":"${text}"}`,
      headers: { ...bearer(who), 'Content-Type': 'application/json' },
    })
    assert.equal(
      ((await reply.json()) as { error: { code: string } }).error.code,
      'invalid_url',
      text,
    )
  }
})

test('query parameters with such text are refused by name, known or not; in a path it names nothing', async () => {
  const who = await customer('10')
  for (const text of ['%00', 'a%00b', '%ED%A0%80', '%ed%bf%bf']) {
    for (const path of [
      `/jobs?offset=${text}`,
      `/jobs?whatever=${text}`,
      `/balance?offset=1&x=${text}`,
      '/jobs/x/results?q=',
      `/jobs?${text}=1`,
    ]) {
      const given = path.endsWith('q=') ? `${path}${text}` : path
      const { status, body } = await who.asks('GET', given)
      assert.deepEqual([status, body['error'].code], [400, 'invalid_request'], given)
    }
    for (const path of [
      `/jobs/${text}`,
      `/jobs/${text}/results`,
      `/jobs/x/files/${text}`,
      `/nothing?x=${text}`,
    ]) {
      assert.equal((await who.asks('GET', path)).status, 404, path)
    }
  }
})

test('the website’s own routes refuse it as well, signed in or not', async () => {
  const headers = {
    'Content-Type': 'application/json',
    Origin: `http://localhost:${new URL(address).port}`,
  }
  for (const text of SPELLINGS) {
    for (const path of [
      'sign-up/email',
      'sign-in/email',
      'request-password-reset',
      'reset-password',
      'sign-in/social',
    ]) {
      const body = `{"email":"a@example.org","password":"${text}long enough","name":"${text}","token":"${text}","provider":"${text}"}`
      const reply = await fetch(`${address}/account/auth/${path}`, {
        method: 'POST',
        headers,
        body,
      })
      assert.equal(reply.status, 400, `${path} ${text}`)
    }
  }
  for (const path of ['auth/callback/oidc?state=%ED%A0%80', 'session?x=%00']) {
    assert.equal((await fetch(`${address}/account/${path}`)).status, 400, path)
  }
})

test('a form with such text is refused, in a field that counts and in one that does not', async () => {
  const right = 'client_id=scriptorium-cli&token=x&grant_type=refresh_token&refresh_token=x'
  for (const path of ['oauth/revoke', 'oauth/token', 'oauth/device_authorization', 'trial']) {
    for (const field of ['client_id', 'token', 'scope', 'video', 'undeclared', '%00']) {
      const reply = await fetch(`${address}/${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: `${right}&${field}=%00`,
      })
      assert.equal(reply.status, 400, `${path} ${field}: ${await reply.text()}`)
    }
  }
})

function bearer({ apiKey }: { apiKey: string }): Record<string, string> {
  return { Authorization: `Bearer ${apiKey}` }
}
