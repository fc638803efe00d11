/** The operator's console over HTTP: which visitors are let in, what it does, and what the log says about it. */
import assert from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { Check, Errors } from 'typebox/value'
import { REPLIES } from '../../src/api/account-api/replies.ts'
import { recordService } from '../../src/features/operator/service.ts'
import { startMailBox } from '../account/mail-box.ts'
import { type PageReply, type Visitor, visitorsOf } from '../account/visitor.ts'
import { testService } from '../support/service.ts'
import { adminOn } from './admin-command.ts'

const PERIOD_MS = 30_000
const CONSOLE = '/account/operator'

// The clock stands still in the middle of a period: a code stays as old as it was when it was made.
const periodAt = PERIOD_MS * Math.floor(Date.now() / PERIOD_MS)
mock.timers.enable({ apis: ['Date'], now: periodAt + PERIOD_MS / 2 })
after(() => mock.timers.reset())
const mailBox = await startMailBox({ after })
const running = await testService(
  { after },
  { env: { ...mailBox.env, METRICS_TOKEN: 'a token that nobody may see' } },
)
const { database, address, customer, another } = running
const { value, refusal } = adminOn(database.url)
const { visitor } = visitorsOf(running)

async function member(email: string): Promise<Visitor> {
  const one = visitor()
  await one.signsUp(email)
  assert.equal((await one.opens((await mailBox.newestTo(email)).link ?? '')).status, 200)
  assert.equal((await one.gets('/account/session')).isOperator, false) // this opens the account, too
  return one
}

/** Returns the code of the period that is `periods` away; each code is accepted once. */
function codeOf(secret: string, periods = 0): string {
  const timestamp = Date.now() + periods * PERIOD_MS
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
}

const shows = (one: Visitor, code: string): Promise<PageReply> =>
  one.asks('POST', `${CONSOLE}/proof`, { code })

/** Signs in, with the role and the second factor, which a code of the period before has enrolled. */
async function operator(email: string): Promise<{ one: Visitor; secret: string }> {
  const one = await member(email)
  await value('operator', 'grant', '--email', email, '--by', 'Ada')
  const { secret } = (await one.asks('POST', `${CONSOLE}/factor`)).body
  assert.equal((await shows(one, codeOf(secret, -1))).status, 200)
  return { one, secret }
}

test('the role comes by command alone, and to anybody else the console does not exist', async () => {
  const one = await member('role@example.org')
  const everywhere = async (status: number): Promise<void> => {
    for (const path of ['', '/health', '/settings', '/accounts', '/nowhere'])
      assert.equal((await one.asks('GET', `${CONSOLE}${path}`)).status, status, path)
  }
  await everywhere(404)
  assert.equal((await one.asks('POST', `${CONSOLE}/factor`)).status, 404)
  assert.equal((await visitor().asks('GET', CONSOLE)).status, 401)

  await value('operator', 'grant', '--email', 'role@example.org', '--by', 'Ada')
  assert.match(await refusal('operator', 'grant', '--email', 'role@example.org'), /already/)
  assert.equal((await one.gets('/account/session')).isOperator, true)
  assert.deepEqual(await one.gets(CONSOLE), { isEnrolled: false, isProven: false })
  assert.equal((await one.asks('GET', `${CONSOLE}/health`)).status, 403)

  // A key of the account opens nothing on the console, however it is sent.
  const { apiKey } = (await one.asks('POST', '/account/keys', { name: 'mine' })).body
  const withKey = { headers: { Authorization: `Bearer ${apiKey}` } }
  assert.equal((await fetch(`${address}${CONSOLE}`, withKey)).status, 401)

  await value('operator', 'revoke', '--email', 'role@example.org')
  await everywhere(404)
  assert.match(
    await refusal('operator', 'revoke', '--email', 'role@example.org'),
    /not an operator/,
  )
})

test('the second factor is asked for in each session, takes each code once, and is set up once', async () => {
  const { one, secret } = await operator('factor@example.org')
  assert.deepEqual(await one.gets(CONSOLE), { isEnrolled: true, isProven: true })
  assert.equal((await one.asks('GET', `${CONSOLE}/health`)).status, 200)
  assert.equal((await one.asks('POST', `${CONSOLE}/factor`)).status, 403)

  const thief = visitor()
  assert.equal((await thief.signsIn('factor@example.org')).status, 200)
  assert.equal((await thief.asks('GET', `${CONSOLE}/health`)).status, 403)
  assert.equal((await shows(thief, codeOf(secret, -1))).status, 400, 'a code is good once')
  assert.equal((await shows(thief, codeOf(secret, -20))).status, 400, 'an old code is no good')
  assert.equal((await shows(thief, 'abcdef')).status, 400)
  let last = 0
  for (let guess = 0; guess < 11 && last !== 429; guess += 1)
    last = (await shows(thief, codeOf(secret, -100 - guess))).status
  assert.equal(last, 429, 'guesses run out')
  assert.equal((await thief.asks('GET', `${CONSOLE}/health`)).status, 403)

  // A proof ends with its session, and a session that is not recent cannot set up a factor.
  await one.asks('POST', '/account/sign-out', { everywhere: true })
  const { rows } = await sql<{ proofs: number }>`
    select count(*)::int as proofs from operator_proof p join account a on a.id = p.account_id
    where a.email = 'factor@example.org'`.execute(database.db)
  assert.equal(rows[0]?.proofs, 0)
  const early = await member('early@example.org')
  await value('operator', 'grant', '--email', 'early@example.org')
  await sql`update sign_in_session set created_at = now() - interval '20 minutes' where user_id in (
    select id from sign_in_user where email = 'early@example.org')`.execute(database.db)
  assert.equal((await early.asks('POST', `${CONSOLE}/factor`)).status, 403)
})

test('what another site sends, a revoked role and a suspended account do nothing', async () => {
  const { one } = await operator('ends@example.org')
  const { accountId } = await customer('1')
  const credit = `${CONSOLE}/accounts/${accountId}/credit`
  const body = { usd: '5', reason: 'a gift' }
  for (const origin of [null, 'https://evil.example'])
    assert.equal((await one.asks('POST', credit, body, origin)).status, 403)

  await value('operator', 'revoke', '--email', 'ends@example.org')
  assert.equal((await one.asks('POST', credit, body)).status, 404)
  const { one: other } = await operator('other@example.org')
  await value('account', 'suspend', 'other@example.org', '--reason', 'left the company')
  assert.equal((await other.asks('POST', credit, body)).status, 401)
  assert.equal((await value('account', 'show', accountId))['available'], '1.000')
})

test('credit, suspension and cancelling are written in the log with who and why, as by command', async () => {
  const { one } = await operator('acts@example.org')
  const who = await customer('1')
  const at = `${CONSOLE}/accounts/${who.accountId}`
  const done = async (path: string, body: object): Promise<void> =>
    assert.equal((await one.asks('POST', path, body)).status, 200, path)

  for (const reason of ['   ', '\u200e\u200e\u200e', '\u2800 \u3164'])
    assert.equal((await one.asks('POST', `${at}/credit`, { usd: '5', reason })).status, 400)
  assert.equal((await one.asks('POST', `${at}/credit`, { usd: '-5', reason: 'why' })).status, 400)
  const credit = ['credit', 'add', '--account', who.accountId, '--usd', '2', '--reason']
  assert.match(await refusal(...credit, '\u2800\u200e'), /--reason must not be blank/)
  const key = ['key', 'create', '--account', who.accountId, '--name']
  assert.match(await refusal(...key, '\u3164 \u2060'), /--name must not be blank/)
  assert.match(
    await refusal('account', 'create', '--email', 'a\u200b@b.example'),
    /is not an email/,
  )
  await done(`${at}/credit`, { usd: '5', reason: 'the outage of Monday' })
  await value('credit', 'add', '--account', who.accountId, '--usd', '2', '--reason', 'the rest')
  await done(`${at}/suspend`, { reason: 'a stolen card' })
  assert.equal((await who.asks('GET', '/balance')).status, 401)
  await done(`${at}/resume`, { reason: 'it was not' })
  const me = (await one.gets('/account/session')).accountId
  assert.equal(
    (await one.asks('POST', `${CONSOLE}/accounts/${me}/suspend`, { reason: 'oops' })).status,
    400,
  )

  const { acts } = await value('acts', '--limit', '4')
  assert.deepEqual(
    acts.map((act: any) => [act.act, act.accountId, act.reason, act.detail]),
    [
      ['resume_account', who.accountId, 'it was not', null],
      ['suspend_account', who.accountId, 'a stolen card', null],
      ['add_credit', who.accountId, 'the rest', '$2.00'],
      ['add_credit', who.accountId, 'the outage of Monday', '$5.00'],
    ],
  )
  assert.equal(acts[3].by, 'acts@example.org')
  const found = await one.gets(`${CONSOLE}/accounts?q=${who.accountId}`)
  assert.deepEqual([found.total, found.accounts[0].available], [1, '8.000'])
})

test('every answer of the console is what its schema says, and tells no secret', async () => {
  const { one } = await operator('reads@example.org')
  const who = await customer('1')
  const job = await who.startsJob({ urls: ['@dailynotes'], maxVideos: 3 })
  await who.waitsFor(job)
  const asked: [string, keyof typeof REPLIES][] = [
    ['', 'OperatorClearance'],
    ['/health', 'OperatorHealth'],
    ['/accounts?limit=5', 'OperatorAccounts'],
    [`/accounts/${who.accountId}`, 'OperatorAccountDetails'],
    ['/costs?by=money', 'OperatorCosts'],
    [`/jobs?account=${who.accountId}`, 'OperatorJobs'],
    [`/jobs/${job['id']}`, 'OperatorJob'],
    ['/deliveries', 'OperatorDeliveries'],
    ['/storage', 'OperatorStorage'],
    ['/settings', 'OperatorSettings'],
    ['/acts', 'OperatorLog'],
    ['/checks', 'OperatorChecks'],
  ]
  for (const [path, reply] of asked) {
    const { status, body, text, headers } = await one.asks('GET', `${CONSOLE}${path}`)
    assert.equal(status, 200, `${path}: ${text}`)
    const faults = Errors(REPLIES[reply], body).map(
      (fault) => `${fault.instancePath} ${fault.message}`,
    )
    assert.ok(Check(REPLIES[reply], body), `${path}: ${faults.join('; ')}`)
    assert.equal(headers.get('cache-control'), 'no-store')
    for (const secret of ['a token that nobody may see', database.url, 'whsec_'])
      assert.ok(!text.includes(secret), `${path} tells ${secret}`)
  }
  const { settings } = await one.gets(`${CONSOLE}/settings`)
  const token = settings.find(({ name }: { name: string }) => name === 'METRICS_TOKEN')
  assert.deepEqual([token.isSecret, token.isSet, token.value], [true, true, null])

  const verified = await one.asks('POST', `${CONSOLE}/checks/ledger`)
  assert.match(verified.body.ledger.detail, /all sums, chains, charges and rows agree/)
  assert.equal(verified.body.ledger.by, 'reads@example.org')
  const examined = await one.asks('POST', `${CONSOLE}/checks/doctor`)
  assert.match(examined.body.doctor.detail, /^healthy\n/)
  const cancelled = await one.asks('POST', `${CONSOLE}/jobs/${job['id']}/cancel`, {
    reason: 'late',
  })
  assert.equal(cancelled.status, 400, 'what is final is not cancelled')
})

test('the console calls a job what its customer does, and tells the days of each account and the hours of deliveries', async () => {
  const { one } = await operator('trends@example.org')
  const who = await customer('1')
  const job = await who.startsJob({ urls: ['@smallworkshop', '@warsha'], maxVideos: 3 })
  await who.waitsFor(job)
  const { jobs, days: ofAll } = await one.gets(`${CONSOLE}/jobs?account=${who.accountId}`)
  assert.equal(jobs[0].title, 'Small Workshop and 1 more')
  assert.equal(ofAll.length, 30)

  const settled = { transcripts: 3, charged: '0.024' }
  const { accounts } = await one.gets(`${CONSOLE}/accounts?q=${who.accountId}`)
  const { days } = await one.gets(`${CONSOLE}/accounts/${who.accountId}`)
  assert.deepEqual(accounts[0].days, days)
  assert.equal(days.length, 30)
  const { day: today, ...sums } = days.at(-1)
  assert.deepEqual(sums, settled)
  const nothing = { transcripts: 0, charged: '0.000' }
  assert.deepEqual({ ...days[0], ...nothing }, days[0], 'a day without jobs is there, too')
  assert.ok(days[28].day < today)

  const { hours } = await one.gets(`${CONSOLE}/deliveries`)
  assert.equal(hours.length, 24)
  assert.deepEqual(Object.keys(hours[0]).toSorted(), ['at', 'delivered', 'failing', 'waiting'])
})

test('the status page counts what became final, and tells incidents and pauses as long as they last', async () => {
  const who = await customer('1')
  const job = await who.startsJob({ urls: ['@smallworkshop'], maxVideos: 2 })
  await who.waitsFor(job)
  const { db } = database
  const setBack = (table: string, column: string): Promise<unknown> =>
    sql`update ${sql.table(table)} set ${sql.ref(column)} = now() - interval '10 minutes'`.execute(
      db,
    )
  const record = (isPlatformChanged: boolean): Promise<void> =>
    recordService(db, { routes: [], isPlatformChanged })

  await record(true)
  await setBack('service_day', 'recorded_at')
  await record(true)
  const told = async (): Promise<any[]> => {
    const { rows } =
      await sql`select kind, ended_at is null as open from incident order by kind`.execute(db)
    return rows
  }
  assert.deepEqual(await told(), [
    { kind: 'not_running', open: false },
    { kind: 'platform_changed', open: true },
  ])
  await record(false)
  assert.deepEqual(
    (await told()).at(1),
    { kind: 'platform_changed', open: true },
    'quiet for a moment',
  )
  await setBack('incident', 'seen_at')
  await record(false)
  assert.deepEqual((await told()).at(1), { kind: 'platform_changed', open: false })

  const answer = await fetch(`${address}/status.json`)
  assert.equal(answer.headers.get('cache-control'), 'public, max-age=60')
  const status = (await answer.json()) as any
  assert.ok(Check(REPLIES.ServiceStatus, status))
  assert.ok(status.days.some(({ delivered, videoMs }: any) => delivered >= 2 && videoMs > 0))
  assert.deepEqual(status.incidents.map(({ kind }: any) => kind).sort(), [
    'not_running',
    'platform_changed',
  ])

  const silent = await another({ STATUS_PAGE: 'false', ROLES: 'api' })
  for (const path of ['/status.json', '/status'])
    assert.equal((await fetch(`${silent.address}${path}`)).status, 404)
})
