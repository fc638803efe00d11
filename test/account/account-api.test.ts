/** What the website's pages do with an account: keys, bearers, files. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { temporaryFolder } from '../support/embedded-process.ts'
import { fillBuckets, freezeBuckets } from '../support/rate-limits.ts'
import { testService } from '../support/service.ts'
import { startMailBox } from './mail-box.ts'
import { membersOf, visitorsOf } from './visitor.ts'
import { EXPORT_FILES } from '../../src/model/files/catalogue.ts'

const legalFolder = temporaryFolder({ after })
fs.writeFileSync(path.join(legalFolder, 'terms.md'), '# What holds\n')
const mailBox = await startMailBox({ after })
const running = await testService(
  { after },
  {
    env: { ...mailBox.env, WELCOME_CREDIT_USD: '1', LEGAL_DIR: legalFolder },
  },
)
const { visitor } = visitorsOf(running)
const { address } = running

const member = membersOf(running, mailBox)

function calls(key: string, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${address}/api/v1${path}`, {
    ...init,
    headers: {
      ...(init.headers as Record<string, string> | undefined),
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
    },
  })
}

test("every page can link the operator's own, for visitors without an account too", async () => {
  const { email, foot } = await visitor().gets('/account/session')
  const ours = { path: '/accessibility', title: 'Accessibility' }
  assert.deepEqual([email, foot[2].links], [null, [{ path: '/terms', title: 'What holds' }, ours]])
  assert.match(await (await fetch(`${address}/terms`)).text(), /<h1.*>What holds<\/h1>/)
})

test('a key made on the account page is shown once, works at once and is refused when revoked', async () => {
  const anna = await member('anna@example.org')
  const made = await anna.asks('POST', '/account/keys', { name: ' my program ' })
  assert.equal(made.status, 201)
  assert.match(made.body.apiKey, /^sk_/)
  assert.equal((await calls(made.body.apiKey, '/balance')).status, 200)

  const listed = await anna.asks('GET', '/account/keys')
  const [key] = listed.body.keys
  assert.deepEqual(
    [key.name, key.prefix, key.revokedAt],
    ['my program', made.body.apiKey.slice(0, 11), null],
  )
  assert.notEqual(key.lastUsedAt, null)
  assert.ok(!listed.text.includes(made.body.apiKey))

  assert.equal((await anna.asks('DELETE', `/account/keys/${key.id}`)).status, 200)
  assert.equal((await calls(made.body.apiKey, '/balance')).status, 401)
})

test('nobody revokes or sees a key of another account', async () => {
  const [owner, other] = [await member('owner@example.org'), await member('other@example.org')]
  const { keyId, apiKey } = (await owner.asks('POST', '/account/keys', { name: 'mine' })).body
  assert.equal((await other.asks('DELETE', `/account/keys/${keyId}`)).status, 404)
  assert.deepEqual((await other.gets('/account/keys')).keys, [])
  assert.equal((await calls(apiKey, '/balance')).status, 200)
})

test('a wrong name for a key is refused at its field', async () => {
  const one = await member('names@example.org')
  for (const body of [
    { name: '' },
    { name: '   ' },
    { name: '\u200e' },
    { name: '\u2800\u3164 \ufe0f' },
    { name: 'x'.repeat(81) },
    {},
    { name: 'ok', kind: 'session' },
  ]) {
    assert.equal((await one.asks('POST', '/account/keys', body)).status, 400, JSON.stringify(body))
  }
  const name = '\u2060 می\u200cخواهم\u2800'
  assert.equal((await one.asks('POST', '/account/keys', { name })).status, 201)
  assert.equal((await one.gets('/account/keys')).keys[0].name, 'می\u200cخواهم')
})

test('session bearers share one bucket of 600, are never listed, and end with the session', async () => {
  const one = await member('bearer@example.org')
  const { bearer, lifetimeSeconds } = (await one.asks('POST', '/account/bearer')).body
  const second = (await one.asks('POST', '/account/bearer')).body.bearer
  assert.equal(lifetimeSeconds, 900)
  assert.match(bearer, /^ss_/)
  await freezeBuckets(running.database.pool)
  const first = await calls(bearer, '/balance')
  assert.equal(first.headers.get('x-ratelimit-limit'), '600')
  const left = Number(first.headers.get('x-ratelimit-remaining'))
  for (let call = 0; call < 20; call++) await calls(bearer, '/balance')
  const shared = (await calls(second, '/balance')).headers.get('x-ratelimit-remaining')
  assert.equal(shared, String(left - 21))
  assert.deepEqual((await one.gets('/account/keys')).keys, [])

  assert.equal((await one.asks('POST', '/account/sign-out', { everywhere: false })).status, 200)
  assert.deepEqual(
    [(await calls(bearer, '/balance')).status, (await calls(second, '/balance')).status],
    [401, 401],
  )
  assert.equal((await one.asks('POST', '/account/bearer')).status, 401)
})

test('files come by plain links behind the cookie, the same bytes as with a key', async () => {
  const one = await member('files@example.org')
  const { bearer } = (await one.asks('POST', '/account/bearer')).body
  const started = (await (
    await calls(bearer, '/jobs', {
      method: 'POST',
      body: JSON.stringify({ urls: '@smallworkshop', maxVideos: 3 }),
    })
  ).json()) as any
  await calls(bearer, `/jobs/${started.id}?wait=60`)
  const files = ['zip', 'all.txt', 'report.csv', '1.txt', '1.json']
  for (const file of [...files, ...EXPORT_FILES]) {
    const byCookie = await one.asks('GET', `/account/files/${started.id}/${file}`)
    const folder = files.includes(file) ? 'files/' : ''
    const byKey = await calls(bearer, `/jobs/${started.id}/${folder}${file}`)
    assert.deepEqual([byCookie.status, byCookie.text], [200, await byKey.text()], file)
    assert.match(byCookie.headers.get('content-disposition') ?? '', /^attachment/)
  }
  const stranger = await member('stranger@example.org')
  assert.equal((await stranger.asks('GET', `/account/files/${started.id}/zip`)).status, 404)
  assert.equal((await visitor().asks('GET', `/account/files/${started.id}/zip`)).status, 401)
  assert.equal((await one.asks('GET', `/account/files/${started.id}/passwd`)).status, 404)
})

test('pasted lines are told for what they are', async () => {
  const one = await member('lines@example.org')
  const { body } = await one.asks('POST', '/account/recognise', {
    text: '@small\n\nhttps://youtu.be/jNQXAC9IVRw\nhttps://example.com/\n@small',
  })
  assert.equal(body.lineCount, 4)
  assert.deepEqual(
    body.lines.map((line: any) => line.kind),
    ['channel', 'video', null],
  )
  assert.equal(body.lines[2].about, 'it is a link to another site')
  assert.equal(body.usable, '@small\nhttps://youtu.be/jNQXAC9IVRw')
})

test('what was probably meant is told with its line, and what a text was read as', async () => {
  const one = await member('meant@example.org')
  const told = async (text: string) => (await one.asks('POST', '/account/recognise', { text })).body
  const list = await told('\nsmallworkshop\nyoutube.com/smallworkshop\n@small\n@small')
  assert.deepEqual(
    list.lines.map((line: any) => [line.number, line.kind, line.suggestion]),
    [
      [2, null, '@smallworkshop'],
      [3, 'channel', '@smallworkshop'],
      [4, 'channel', null],
    ],
  )
  assert.deepEqual([list.repeats, list.document], [1, null])
  const table = await told('One,https://youtu.be/jNQXAC9IVRw\nTwo,\nThree,youtu.be/abc\n')
  assert.match(table.document, /Line 2 was left out: "Two,"\.$/)
  assert.deepEqual(
    table.lines.map((line: any) => [line.number, line.line]),
    [
      [1, 'https://youtu.be/jNQXAC9IVRw'],
      [3, 'youtu.be/abc'],
    ],
  )
})

test('a line is split as a job would split it, and words beside addresses are told', async () => {
  const one = await member('parts@example.org')
  const { body } = await one.asks('POST', '/account/recognise', {
    text: 'https://youtu.be/jNQXAC9IVRw,@small and more',
  })
  assert.deepEqual(
    body.lines.map(({ line, kind }: any) => [line, kind]),
    [
      ['https://youtu.be/jNQXAC9IVRw', 'video'],
      ['@small', 'channel'],
      ['and more', null],
    ],
  )
  assert.equal(body.usable, 'https://youtu.be/jNQXAC9IVRw\n@small')
})

test('nothing of the account API is answered without a session', async () => {
  const nobody = visitor()
  for (const path of [
    'keys',
    'balance',
    'statement',
    'movements',
    'statement.csv',
    'top-up',
    'sign-in-methods',
    'files/x/zip',
  ]) {
    assert.equal((await nobody.asks('GET', `/account/${path}`)).status, 401, path)
  }
  for (const path of ['keys', 'bearer', 'recognise', 'top-up', 'sign-out']) {
    assert.equal((await nobody.asks('POST', `/account/${path}`, {})).status, 401, path)
  }
  const document = await (await fetch(`${address}/api/v1/openapi.json`)).text()
  assert.ok(!document.includes('/account'), 'it is no part of the public contract')
})

test('pages are metered by their account, and without a session by the network they come from', async () => {
  const one = await member('busy@example.org')
  const { accountId } = await one.gets('/account/session')
  const { pool } = running.database
  await pool.query(
    `update rate_bucket set tokens = -5000, updated_at = clock_timestamp() where id = 'sessions:' || $1`,
    [accountId],
  )
  for (const path of [
    '/account/session',
    '/account/balance',
    '/account/keys',
    '/account/sign-in-methods',
  ]) {
    const { status, headers, body } = await one.asks('GET', path)
    assert.deepEqual([status, body.error.code], [429, 'rate_limited'], path)
    const seconds = Number(headers.get('retry-after')) // ten tokens come back in this time
    assert.ok(seconds > 250 && seconds <= 501, `${seconds} s`)
  }
  const other = await member('calm@example.org')
  assert.equal(
    (await other.asks('GET', '/account/balance')).status,
    200,
    'another account is not touched',
  )

  const stranger = visitor()
  assert.equal((await stranger.asks('GET', '/account/session')).status, 200)
  const { rows } = await pool.query(
    `update rate_bucket set tokens = -1000 where id like 'stranger%' returning id`,
  )
  assert.equal(rows.length, 1)
  const refused = [
    await stranger.asks('GET', '/account/session'),
    await visitor().asks('GET', '/account/session'),
  ]
  assert.deepEqual(
    refused.map(({ status }) => status),
    [429, 429],
  )
  assert.match(refused[0]!.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.match(refused[0]!.body.error.message, /from your network/)
  assert.equal(
    (await other.asks('GET', '/account/balance')).status,
    200,
    'who is signed in there goes on',
  )
  await fillBuckets(running.database.pool)
})

test('each session is named by its device, and one that is ended is nobody with its next request', async () => {
  const here = await member('devices@example.org')
  const [there, stranger] = [visitor(), await member('devices-stranger@example.org')]
  there.userAgent =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'
  const signedInAt = new Date()
  assert.equal((await there.signsIn('devices@example.org')).status, 200)
  const { bearer } = (await there.asks('POST', '/account/bearer')).body
  assert.equal((await calls(bearer, '/balance')).status, 200)

  const { sessions } = await here.gets('/account/sign-in-methods')
  const other = sessions.find((session: { isCurrent: boolean }) => !session.isCurrent)
  assert.equal(sessions.length, 2)
  assert.equal(other.device, 'Firefox on Windows')
  assert.ok(new Date(other.lastUsedAt) >= signedInAt, other.lastUsedAt)
  assert.equal((await stranger.asks('DELETE', `/account/sessions/${other.id}`)).status, 404)
  assert.equal((await there.gets('/account/session')).email, 'devices@example.org')

  assert.equal((await here.asks('DELETE', `/account/sessions/${other.id}`)).status, 200)
  assert.equal((await there.gets('/account/session')).email, null)
  assert.equal((await calls(bearer, '/balance')).status, 401)
  assert.equal((await here.gets('/account/session')).email, 'devices@example.org')
  assert.equal((await here.asks('DELETE', `/account/sessions/${other.id}`)).status, 404)
})

test('when a session was last used is told to ten minutes', async () => {
  const one = await member('last-used@example.org')
  const own = `user_id = (select id from sign_in_user where email = 'last-used@example.org')`
  const renewedHoursAgo = async (hours: number): Promise<string> => {
    await running.database.pool.query(
      `update sign_in_session set updated_at = now() - interval '${hours} hours',
        expires_at = expires_at - interval '${hours} hours' where ${own}`,
    )
    return (await one.gets('/account/sign-in-methods')).sessions[0].lastUsedAt
  }
  const askedAt = new Date()
  assert.ok(new Date(await renewedHoursAgo(1)) >= askedAt)
})
