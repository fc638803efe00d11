/** A key that comes by plain http to a service of https: refused, and its owner told once. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startMailBox } from './mail-box.ts'
import { testService } from '../support/service.ts'

const PUBLIC_URL = 'https://transcripts.test'
const box = await startMailBox({ after })
const { customer, database } = await testService(
  { after },
  { env: { PUBLIC_URL, TRUSTED_PROXIES: '127.0.0.1', ...box.env } },
)
const by = (protocol: string) => ({ headers: { 'X-Forwarded-Proto': protocol } })

test('it is refused before anything is done, and its owner is told once, by mail and in the list of keys', async () => {
  const buyer = await customer()
  const email = 'customer-1@example.org'
  const body = { urls: '@dailynotes', maxVideos: 1 }
  const refused = await buyer.asks('POST', '/jobs', { body, ...by('http') })
  assert.deepEqual([refused.status, refused.body['error'].code], [403, 'unauthorized'])
  assert.match(refused.body['error'].message, /plain http.*Replace it.*https:\/\/transcripts\.test/)
  assert.ok(refused.headers.has('x-ratelimit-remaining'), 'as on every answer to a valid key')
  const mcp = await buyer.asks('POST', buyer.base.replace('/api/v1', '/mcp'), {
    body: {},
    ...by('http'),
  })
  assert.equal(mcp.status, 403)

  const mail = await box.newestTo(email)
  assert.match(mail.subject, /A key of your Scriptorium account was sent without encryption/)
  assert.ok(mail.text.trim().endsWith(`\n${PUBLIC_URL}/settings/keys`))
  assert.ok(!mail.text.includes(buyer.apiKey), 'no secret is mailed')
  const { rows } = await database.pool.query(
    'select sent_in_clear_at is not null as told from api_key where account_id = $1',
    [buyer.accountId],
  )
  assert.deepEqual(rows, [{ told: true }])

  const [jobs, balance] = [
    await buyer.gets('/jobs'),
    await buyer.asks('GET', '/balance', by('https')),
  ]
  assert.deepEqual(
    [jobs['total'], balance.status],
    [0, 200],
    'by https it works, and nothing was started',
  )
  await buyer.asks('GET', '/balance', by('https, http'))
  await box.newestTo(email)
  assert.equal(box.mails.filter(({ to }) => to === email).length, 1)
})
