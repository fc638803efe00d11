/** A refused order names its field for programs, and the website explains the error in plain words. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { after, test } from 'node:test'
import { sharedService } from '../support/shared-service.ts'

// The website's sources are checked by their own compiler settings, so they are loaded by address.
const WEB = path.resolve(import.meta.dirname, '../../web/src')
const { wrongField } = await import(path.join(WEB, 'wrong-field.ts'))
const { errorOf } = await import('../../clients/typescript/src/errors.ts')

const { customer, address } = await sharedService({ after }, ['api'])
const urls = 'https://www.youtube.com/watch?v=jNQXAC9IVRw'
const who = await customer('10')

async function refusal(where: string, body: unknown): Promise<Response> {
  return fetch(`${address}/api/v1${where}`, {
    headers: { Authorization: `Bearer ${who.apiKey}`, 'Content-Type': 'application/json' },
    ...(body === null ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
}

const ORDERS: [body: object, field: string | null, told: RegExp][] = [
  [{ urls, language: '!!' }, 'language', /not a language code/],
  [{ urls, maxVideos: 0 }, 'maxVideos', /whole number from 1 to 50,000/],
  [{ urls, maxVideos: null }, 'maxVideos', /whole number/],
  [{ urls, formats: [] }, 'formats', /at least one/],
  [{ urls, publishedAfter: '2026-13-01' }, 'publishedAfter', /Published until/],
  [{ urls, publishedBefore: 'soon' }, 'publishedBefore', /Published from/],
  [
    { urls, publishedAfter: '2026-02-01', publishedBefore: '2026-01-01' },
    'publishedAfter',
    /Published until/,
  ],
  [{}, 'urls', /at least one address/],
  [{ urls: '\n \n' }, 'urls', /at least one address/],
  [{ urls: Array.from({ length: 51 }, () => urls) }, 'urls', /at most 1,000/],
  [{ urls: 'https://example.com/video' }, 'urls', /"https:\/\/example.com\/video"/],
  [{ urls, 'X-Evil': 1 }, null, /./],
]

test('a refused order names its field in a header, and its body stays the exact Error', async () => {
  for (const [body, field, told] of ORDERS) {
    const response = await refusal('/jobs', body)
    const answer = (await response.json()) as { error: object }
    assert.equal(response.status, 400, JSON.stringify(body))
    assert.deepEqual(Object.keys(answer.error).sort(), ['code', 'message'])
    assert.equal(response.headers.get('x-invalid-field'), field, JSON.stringify(body))
    const wrong = wrongField(errorOf(response, answer))
    assert.equal(wrong?.field ?? null, field)
    if (wrong !== null) assert.match(wrong.sentence, told)
  }
})

test('the field is found whatever the sentence says', async () => {
  const response = await refusal('/jobs', { urls, language: '!!' })
  const reworded = { error: { code: 'invalid_request', message: 'Another release says it so.' } }
  assert.equal(wrongField(errorOf(response, reworded))?.field, 'language')
})

test('a query parameter is named, too; what is refused as a whole names nothing', async () => {
  assert.equal((await refusal('/jobs?limit=0', null)).headers.get('x-invalid-field'), 'limit')
  assert.equal((await refusal('/jobs/none', null)).headers.get('x-invalid-field'), null)
  assert.match(
    String((await refusal('/jobs', {})).headers.get('access-control-expose-headers')),
    /X-Invalid-Field/,
  )
})

test('an unknown address is told from one at which the account has nothing', async () => {
  const told = async (where: string): Promise<string> =>
    ((await (await refusal(where, null)).json()) as { error: { message: string } }).error.message
  assert.match(await told('/nothing'), /^There is no such address; \/api\/v1\/openapi\.json lists /)
  assert.match(
    await told('/jobs/nothing'),
    /^Your account has nothing at this address; check the id/,
  )
})
