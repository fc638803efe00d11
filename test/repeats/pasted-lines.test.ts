/** Several addresses on one line, through every door; and what an earlier release delivered for such a line. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { readUrlSet } from '../support/orders.ts'
import { Scriptorium } from '../../clients/typescript/src/index.ts'
import { modernAgent } from '../mcp/agents.ts'
import { sharedService } from '../support/shared-service.ts'
import { asker, deliverable, uploadsOf, withStatus } from './asking-again.ts'

const service = await sharedService({ after })
const { world } = service.platform
const ids = deliverable(uploadsOf(world, world.channel('small')))
const [one = '', two = ''] = ids.map((id) => `https://youtu.be/${id}`)

test('a line with two addresses is two videos, and the job says so', async () => {
  const buyer = await asker(service)
  for (const between of [',', '']) {
    const { job, rows } = await buyer.asks({ urls: one + between + two })
    assert.deepEqual(job['input'].urls, [one, two])
    assert.deepEqual(withStatus(rows, between === ',' ? 'success' : 'unchanged'), ids.slice(0, 2))
  }
  const { job, rows } = await buyer.asks({ urls: JSON.stringify([one, two]) })
  assert.deepEqual(job['input'].urls, [one, two])
  assert.equal(job['billing'].charged, '0.000')
  assert.equal(withStatus(rows, 'unchanged').length, 2)
})

test('what stands beside an address and is none is named, and nothing starts', async () => {
  const customer = await service.customer()
  const body = { urls: ['@x1y', `${one}, ${two} and ${one}`] }
  const { status, body: answer } = await customer.asks('POST', '/jobs', { body })
  assert.deepEqual([status, answer['error'].code], [400, 'invalid_url'])
  assert.match(answer['error'].message, /^Line 2 holds "and" beside an address; /)
  assert.equal((await customer.gets('/jobs'))['total'], 0)
})

test('fifty are counted after splitting', async () => {
  const customer = await service.customer()
  const body = { urls: Array.from({ length: 51 }, () => one).join(',') }
  const { status, body: answer } = await customer.asks('POST', '/jobs', { body })
  assert.deepEqual([status, answer['error'].code], [400, 'invalid_request'])
  assert.match(answer['error'].message, /^urls has 51 lines/)
})

test('nothing that an earlier release delivered for the same text is charged again', async () => {
  const buyer = await asker(service)
  const text = `${one},${two}`
  // An earlier release took the first address of this line, and knew the line by its own hash.
  await buyer.asks({ urls: one })
  const { db } = service.database
  const [from, to] = [readUrlSet(one).hash, readUrlSet(text).earlierHashes[0]]
  await sql`update history set url_set_hash = ${to} where account_id = ${buyer.accountId} and url_set_hash = ${from}`.execute(
    db,
  )
  const first = await buyer.asks({ urls: text })
  assert.deepEqual(withStatus(first.rows, 'unchanged'), ids.slice(0, 1))
  assert.deepEqual(withStatus(first.rows, 'success'), ids.slice(1, 2))
  assert.equal(first.job['billing'].charged, '0.008')
  for (const urls of [text, first.job['input'].urls]) {
    const { job } = await buyer.asks({ urls })
    assert.equal(job['billing'].charged, '0.000')
  }
})

test('one list is followed at a time, and a text with two says so', async () => {
  const customer = await service.customer()
  for (const url of [`@x1y,@y2x`, JSON.stringify(['@x1y', '@y2x'])]) {
    const { status, body } = await customer.asks('POST', '/subscriptions', {
      body: { url, monthlyCap: '1' },
    })
    assert.equal(status, 400)
    assert.match(body['error'].message, /^url must be a single channel or playlist/)
  }
})

test('a document is understood through every door, and an order of it can be sent again', async () => {
  const page = `<ul>\n<li><a href="${one}?si=x&amp;t=4">One</a></li>\n<li><a href="${two}">Two</a></li></ul>`
  const table = `title,url,channel\nOne,${one},x\n"Two, too",${two},y\n`
  const buyer = await asker(service)
  const first = await buyer.asks({ urls: table })
  assert.deepEqual(first.job['input'].urls, [one, two])
  assert.deepEqual(withStatus(first.rows, 'success'), ids.slice(0, 2))
  const again = await buyer.asks({ urls: first.job['input'].urls })
  assert.equal(again.job['billing'].charged, '0.000')

  const customer = await service.customer()
  const started = await customer.asks('POST', '/jobs', { body: { urls: page, maxVideos: 2 } })
  assert.deepEqual(started.body['input'].urls, [`${one}?si=x&t=4`, two])
  assert.deepEqual(started.body['notices'], [
    'The text was read as a document: its addresses were taken, and ids that stand alone.',
  ])
  await customer.gets(`/jobs/${started.body['id']}?wait=60`)
  const { body: previewed } = await customer.asks('POST', '/previews', { body: { urls: [table] } })
  assert.equal(previewed['sources'].length, 2)
  const client = new Scriptorium({ apiKey: customer.apiKey, baseUrl: service.address })
  const { notices = [] } = await client.preview({
    urls: JSON.stringify({ a: 1, list: [two, one] }),
  })
  assert.match(notices.join(' '), /read as a document/)
  const agent = await modernAgent(customer)
  const { sources } = await agent.asks('preview_job', { urls: page })
  await agent.close()
  assert.equal(sources.length, 2)
})

test('what a document holds besides is told in a notice, with the first of it', async () => {
  const customer = await service.customer()
  const uploads = `UC${'x'.repeat(22)}`
  const rows = `title,url\nOne,${one},${uploads}\nTwo,\nThree,\nFour,${'x'.repeat(200)}\n<p id=x>`
  const { body } = await customer.asks('POST', '/jobs', { body: { urls: `${rows}\n@small` } })
  assert.deepEqual(body['input'].urls, [one, '@small'])
  assert.deepEqual(body['notices'], [
    'The text was read as a document: its addresses were taken, and ids that stand alone. ' +
      'Lines 1 and 3 to 5 were left out: "title,url", "Two,", "Three,", …. ' +
      `Ids of channels and lists left out beside videos: 1 ("${uploads}"). ` +
      'Put one on a line of its own to order all that it has.',
  ])
  await customer.gets(`/jobs/${body['id']}?wait=60`)
})

test('two texts with the same sources each tell what was left out of them', async () => {
  const customer = await service.customer()
  const told = async (urls: string): Promise<string> =>
    (await customer.asks('POST', '/previews', { body: { urls } })).body['notices'].join(' ')
  assert.equal(await told(`${one}\n${two}`), '')
  assert.match(await told(`title,url\nOne,${one}\nTwo,${two}`), /Line 1 was left out: "title,url"/)
  assert.match(await told(`${one}\n${two}\n# three`), /Line 3 holds a comment/)
})

test('near misses in a document are refused by their lines', async () => {
  const customer = await service.customer()
  for (const [urls, words] of [
    [`One,${one}\nTwo,${two}\nThree,https://youtu.be/abc`, /^Line 3 .* has 3 characters/],
    [`<a href="${one}">x</a>\n<a href="https://youtu.be/abc">y</a>`, /^Line 2 .* has 3 characters/],
    [`{"urls":["${one}",\n"smallworkshop"]}`, /^Line 2 .* Did you mean @smallworkshop\?$/],
  ] as const) {
    const { status, body } = await customer.asks('POST', '/jobs', { body: { urls } })
    assert.deepEqual([status, body['error'].code], [400, 'invalid_url'])
    assert.match(body['error'].message, words)
  }
  assert.equal((await customer.gets('/jobs'))['total'], 0)
})

test('lines that name the same are counted in a notice', async () => {
  const customer = await service.customer()
  const { body } = await customer.asks('POST', '/jobs', {
    body: { urls: `${one}\n${one}?t=1\n${one}` },
  })
  assert.deepEqual(body['notices'], [
    '2 lines name the same as an earlier line; each video is taken once.',
  ])
  await customer.gets(`/jobs/${body['id']}?wait=60`)
})
