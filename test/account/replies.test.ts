/** What the account API answers is what its schemas say, field by field: the site is typed from them. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Check, Errors } from 'typebox/value'
import { REPLIES } from '../../src/api/account-api/replies.ts'
import { testService } from '../support/service.ts'
import { startMailBox } from './mail-box.ts'
import { visitorsOf } from './visitor.ts'

const mailBox = await startMailBox({ after })
const running = await testService(
  { after },
  { env: { ...mailBox.env, ROLES: 'api', WELCOME_CREDIT_USD: '1' } },
)
const { visitor } = visitorsOf(running)

type Asked = [method: 'GET' | 'POST', path: string, reply: keyof typeof REPLIES, body?: object]

const ASKED: Asked[] = [
  ['GET', '/session', 'Visit'],
  ['POST', '/bearer', 'Bearer'],
  ['GET', '/sign-in-methods', 'SignInMethods'],
  ['POST', '/keys', 'NewKey', { name: 'one' }],
  ['GET', '/keys', 'ApiKeys'],
  ['GET', '/balance', 'Funds'],
  ['GET', '/statement', 'Statement'],
  ['GET', '/top-up', 'TopUpOffer'],
  ['POST', '/recognise', 'SourcesPreview', { text: 'https://youtu.be/jNQXAC9IVRw\nnone' }],
  ['POST', '/auth/request-password-reset', 'Done', { email: 'typed@example.org' }],
  ['POST', '/sign-out', 'Done', { everywhere: false }],
]

test('each answer has exactly the fields of its schema', async () => {
  const one = visitor()
  await one.signsUp('typed@example.org')
  const opened = await one.opens((await mailBox.newestTo('typed@example.org')).link ?? '')
  holds('Verified', opened.body)
  for (const [method, path, reply, body] of ASKED) {
    const answer = await one.asks(method, `/account${path}`, body)
    assert.ok(answer.status < 300, `${path}: ${answer.status} ${answer.text}`)
    holds(reply, answer.body)
  }
  holds('Visit', await visitor().gets('/account/session'))
})

function holds(reply: keyof typeof REPLIES, body: unknown): void {
  const faults = Errors(REPLIES[reply], body).map(
    ({ instancePath, message }) => `${reply}${instancePath} ${message}`,
  )
  assert.ok(Check(REPLIES[reply], body), faults.join('; '))
}
