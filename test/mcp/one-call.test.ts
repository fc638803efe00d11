/** `get_transcript`: one call for the text of one video, free where it is owned, and honest where there is none. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Json } from '../../tools/conformance/http.ts'
import { deliverable, uploadsOf } from '../repeats/asking-again.ts'
import { holdAfter } from '../support/held-platform.ts'
import { sharedService } from '../support/shared-service.ts'
import { type Agent, callsUntilReady, legacyAgent, modernAgent } from './agents.ts'

const { platform, customer, database } = await sharedService({ after })
const { world } = platform
const [one = '', two = ''] = deliverable(uploadsOf(world, world.channel('small')))
const url = (id: string): string => `https://www.youtube.com/watch?v=${id}`
const idOf = (key: string): string => world.special(key).videoId

/** Returns the lines of the head, and the text below it. Asks again, as it is told to, until the text is there. */
async function reads(agent: Agent, args: Json): Promise<{ head: string[]; text: string }> {
  const { content, isError } = await callsUntilReady(agent, 'get_transcript', args)
  const said: string = content[0]?.['text']
  assert.notEqual(isError, true, said)
  const end = said.indexOf('\n\n')
  return { head: said.slice(0, end).split('\n'), text: said.slice(end + 2) }
}

for (const open of [modernAgent, legacyAgent])
  test(`a text is bought by one call and read again for nothing, whatever the address (${open.name})`, async () => {
    const who = await customer('1')
    const agent = await open(who)
    const bought = await reads(agent, { video: url(one), maxChars: 200 })
    assert.match(bought.head[0] ?? '', /^1, .*, characters 0 to \d+ of \d+, next cursor \d+$/)
    const [, jobId, cursor] =
      /with jobId ([\w-]+), index 1, cursor (\d+)\.$/.exec(bought.head[2] ?? '') ?? []
    const where = `jobId ${jobId}, index 1, language en.`
    assert.equal(bought.head[1], `Bought for $0.008, $0.992 is left: ${where}`)
    for (const video of [one, `https://youtu.be/${one}?t=5`, `[talk](${url(one)})`]) {
      const again = await reads(agent, { video, maxChars: '200' })
      assert.equal(again.head[1], `Yours already, free of charge: ${where}`)
      assert.equal(again.text, bought.text)
    }
    const { content } = await agent.calls('read_transcript', { jobId, index: 1, cursor })
    const file = (await who.downloads(`/jobs/${jobId}/files/1.txt`)).toString()
    const rest: string = content[0]?.['text']
    assert.equal(bought.text + rest.slice(rest.indexOf('\n\n') + 2), file)
    const next = await reads(agent, { video: one, cursor })
    assert.ok(file.slice(bought.text.length).startsWith(next.text))
    assert.equal((await who.gets('/jobs'))['total'], 1)
    assert.equal(await who.balance(), '0.992')
    await agent.close()
  })

test('what any order brought is free, and in another language than the wished one it is said, not bought again', async () => {
  const who = await customer('1')
  await who.orders({ urls: ['@smallworkshop'], maxVideos: 3 })
  const before = await who.balance()
  const agent = await modernAgent(who)
  assert.match((await reads(agent, { video: one })).head[1] ?? '', /^Yours already/)
  const { head } = await reads(agent, { video: one, language: 'de', timestamps: true })
  const page = await reads(agent, { video: one, timestamps: true, maxChars: 100 })
  assert.match(page.head[2] ?? '', /, cursor \d+, timestamps true\.$/)
  assert.match(page.text, /^\[0:00:\d\d\] /)
  assert.match(head.at(-1) ?? '', /^It is in en, not de\. start_job with urls https:\S+ and /)
  assert.deepEqual([await who.balance(), (await who.gets('/jobs'))['total']], [before, 1])
  await agent.close()
})

test('a video without a text costs nothing, and the answer says why and what helps', async () => {
  const who = await customer('1')
  const agent = await modernAgent(who)
  const outcomes: [key: string, args: Json, status: string, next: RegExp][] = [
    ['no-captions', {}, 'no_captions', /hours or days after/],
    ['private', {}, 'private', /once the platform shows/],
    ['deleted', {}, 'unavailable', /once the platform shows/],
    ['no-original', { language: 'de' }, 'language_not_available', /a language that exists/],
    ['odd-reason', {}, 'failed', /same call again often helps/],
  ]
  for (const [key, args, status, next] of outcomes) {
    const said = await agent.asks('get_transcript', { video: idOf(key), ...args })
    assert.deepEqual([said['status'], said['chargedUsd']], [status, '0.000'])
    assert.ok(said['errorMessage'].length > 20)
    assert.match(said['next'], next)
    assert.equal((await agent.asks('get_job', { jobId: said['jobId'] }))['isFinal'], true)
  }
  assert.equal(await who.balance(), '1.000')
  await agent.close()
})

test('what one app alone says of a video is worth another call', async () => {
  const agent = await modernAgent(await customer('1'))
  platform.apply({ faults: [{ do: 'server_error', on: 'player', client: ['ANDROID', 'IOS'] }] })
  const said = await agent.asks('get_transcript', { video: idOf('private') })
  platform.clear()
  assert.match(said['label'], /by the word of one app alone$/)
  assert.match(said['next'], /same call again often helps/)
  await agent.close()
})

test('a video that takes longer is told as its job, and the same call joins that', async () => {
  const who = await customer('1')
  const agent = await modernAgent(who)
  holdAfter(platform, 0)
  const said = await agent.asks('get_transcript', { video: two, waitSeconds: 0 })
  assert.deepEqual([said['isFinal'], said['reservedUsd']], [false, '0.008'])
  assert.match(said['next'], /^It is not ready yet\. Call get_transcript with the same video/)
  const joining = reads(agent, { video: url(two) })
  const { content } = await agent.calls('get_transcript', { video: two, waitSeconds: 0 })
  assert.equal(JSON.parse(content[0]?.['text'])['jobId'], said['jobId'])
  platform.clear()
  const { head } = await joining
  assert.ok(head[1]?.startsWith(`Bought for $0.008, $0.992 is left: jobId ${said['jobId']}`))
  assert.equal((await who.gets('/jobs'))['total'], 1)
  await agent.close()
})

test('two hours come as a first page; lists, several videos and what is none start nothing', async () => {
  const who = await customer('1')
  const agent = await modernAgent(who)
  const refusals: [video: string, message: RegExp][] = [
    ['@smallworkshop', /^video names a channel; nothing was started\. .*preview_job.*start_job/],
    ['https://www.youtube.com/playlist?list=PLabcdefghijklmnop', /^video names a playlist; /],
    [`${one}\n${two}`, /^video has 2 lines and takes one; call start_job/],
    [' ', /^video is blank/],
    ['hello', /is not a video/],
  ]
  for (const [video, message] of refusals)
    assert.match((await agent.isRefused('get_transcript', { video }))['message'], message)
  assert.equal((await who.gets('/jobs'))['total'], 0)
  const { head, text } = await reads(agent, { video: idOf('past-stream') })
  assert.match(head[0] ?? '', /of \d{6}, next cursor \d{5}$/)
  assert.ok(text.length > 15_000 && text.length <= 20_000)
  await agent.close()
})

test('a key without money or with a spent limit buys nothing, and is told so', async () => {
  const poor = await modernAgent(await customer('0'))
  const { code } = await poor.isRefused('get_transcript', { video: one })
  assert.equal(code, 'insufficient_balance')
  const who = await customer('1')
  await database.pool.query('update api_key set monthly_cap_micros = 8000 where account_id = $1', [
    who.accountId,
  ])
  const capped = await modernAgent(who)
  await reads(capped, { video: one })
  const refused = await capped.isRefused('get_transcript', { video: two })
  assert.match(refused['message'], /^This key has \$0\.00 of its monthly limit left/)
  assert.match((await reads(capped, { video: one })).head[1] ?? '', /^Yours already/)
  await Promise.all([poor.close(), capped.close()])
})
