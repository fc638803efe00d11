/** What a reader may read beside a text: the account's texts of the same video in other tracks. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Customer } from '../../tools/conformance/customer.ts'
import { testService } from '../support/service.ts'
import { startMailBox } from './mail-box.ts'
import { membersOf, type Visitor } from './visitor.ts'

const mailBox = await startMailBox({ after })
const running = await testService({ after }, { env: { ...mailBox.env, WELCOME_CREDIT_USD: '1' } })
const member = membersOf(running, mailBox)
const { world } = running.platform
const URL_OF = `https://youtu.be/${world.special('translated').videoId}`

/** A member who orders, as the pages and as a program. */
async function buyer(email: string): Promise<{ page: Visitor; program: Customer }> {
  const page = await member(email)
  const { apiKey } = (await page.asks('POST', '/account/keys', { name: 'own' })).body
  const { accountId } = await page.gets('/account/session')
  return { page, program: new Customer({ address: running.address, accountId, apiKey }) }
}

/** Orders the video in a language; returns the job's id. */
async function orders(program: Customer, language: string, mark = '', query = '') {
  const urls = [`${URL_OF}#${language}${mark}`]
  const { body } = await program.asks('POST', `/jobs${query}`, { body: { urls, language } })
  return String((await program.waitsFor(body))['id'])
}

const besideOf = async (page: Visitor, jobId: string) =>
  (await page.gets(`/account/texts/${jobId}/1`)).texts.map((text: any) => [
    text.languageCode,
    text.trackKind,
    text.jobId,
    text.index,
  ])

test('the latest text of each other track is told, of this account alone, and none that is deleted', async () => {
  const [anna, ben] = [await buyer('anna@example.org'), await buyer('ben@example.org')]
  const german = await orders(anna.program, 'original')
  assert.deepEqual(await besideOf(anna.page, german), [])
  const english = await orders(anna.program, 'en')
  await orders(anna.program, 'fr')
  const french = await orders(anna.program, 'fr', '-again', '?owned=again')
  const strange = await orders(ben.program, 'en')

  const [inEnglish, inFrench] = [
    ['en', 'manual', english, 1],
    ['fr', 'manual', french, 1],
  ]
  assert.deepEqual(await besideOf(anna.page, german), [inEnglish, inFrench])
  assert.deepEqual(await besideOf(anna.page, english), [['de', 'manual', german, 1], inFrench])
  assert.deepEqual(await besideOf(ben.page, strange), [])

  for (const path of [`${strange}/1`, `${german}/2`, `${german}/4000000000`])
    assert.equal((await anna.page.asks('GET', `/account/texts/${path}`)).status, 404, path)

  // A row that was delivered before leads to the same texts.
  const again = await orders(anna.program, 'en')
  const { videos } = await anna.program.gets(`/jobs/${again}/results?view=rows`)
  assert.equal(videos[0].status, 'unchanged')
  const told = (await besideOf(anna.page, again)).map(([code]: string[]) => code)
  assert.ok(told.includes('de') && told.includes('fr'))

  await anna.program.asks('DELETE', `/jobs/${english}/videos/1/text`)
  assert.deepEqual(await besideOf(anna.page, german), [inFrench])
})
