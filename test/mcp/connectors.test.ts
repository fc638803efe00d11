/** The source that connectors expect: the pair `search` and `fetch` in their exact form; and prompts. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sharedService } from '../support/shared-service.ts'
import { legacyAgent, modernAgent } from './agents.ts'

const { customer } = await sharedService({ after })

for (const connects of [modernAgent, legacyAgent]) {
  test(`a connector finds a text by one query and fetches it by its id, for nothing (${connects.name})`, async () => {
    const who = await customer('1')
    const { rows } = await who.orders({ urls: ['@smallworkshop'], maxVideos: 2 })
    const agent = await connects(who)
    const balance = await agent.asks('get_balance')
    const { results, ...more } = await agent.asks('search', { query: 'the' })
    assert.deepEqual([more, results.length > 0], [{}, true])
    for (const { id, title, url, ...others } of results) {
      assert.deepEqual(others, {})
      assert.match(url, /^https:\/\/www\.youtube\.com\/watch\?v=[\w-]{11}&t=\d+s$/)
      const whole = await agent.asks('fetch', { id })
      const row = rows.find(({ index }) => id.endsWith(`/${index}`))!
      assert.deepEqual(Object.keys(whole), ['id', 'title', 'text', 'url', 'metadata'])
      assert.deepEqual([whole['id'], whole['title'], whole['url']], [id, title, row['url']])
      assert.equal(whole['text'].replaceAll(/\s+/g, ' ').trim(), row['text'])
      for (const value of Object.values(whole['metadata'])) assert.equal(typeof value, 'string')
    }
    assert.deepEqual(await agent.asks('get_balance'), balance)
    for (const id of ['', 'none', `${results[0].id}0`, 'job_x/1', '../1'])
      assert.equal((await agent.isRefused('fetch', { id }))['code'], 'not_found', id)
    assert.deepEqual(await agent.asks('search', { query: 'neversaidanywhere' }), { results: [] })
    await agent.close()
  })

  test(`prompts hold their argument as data, and refuse to go without it (${connects.name})`, async () => {
    const agent = await connects(await customer())
    const { prompts } = await agent.client.listPrompts()
    assert.equal(prompts.length, 3)
    for (const { name, arguments: args = [] } of prompts) {
      const [argument] = args
      const given = { [argument!.name]: 'a "b"\nc' }
      const { messages } = await agent.client.getPrompt({ name, arguments: given })
      const [{ content } = { content: null }] = messages
      assert.ok(
        content?.type === 'text' && content.text.endsWith(`${argument!.name}: "a \\"b\\"\\nc"`),
      )
      await assert.rejects(
        agent.client.getPrompt({ name, arguments: {} }),
        new RegExp(`${name} needs ${argument!.name}`),
      )
    }
    await assert.rejects(
      agent.client.getPrompt({ name: 'none' }),
      /Unknown prompt none; there are /,
    )
    await agent.close()
  })
}

test('a first search, right after the delivery, is about all that is owned, with counts that agree', async () => {
  const who = await customer('1')
  const { rows } = await who.orders({ urls: ['@smallworkshop'], maxVideos: 4 })
  const owned = rows.filter(({ status }) => status === 'success').length
  const agent = await modernAgent(who)
  const found = await agent.asks('search_transcripts', { query: 'the' })
  assert.deepEqual([found['indexed'], found['owned']], [owned, owned])
  assert.ok(found['total'] > 0 && found['mentions'] >= found['total'])
  await agent.close()
})

test('a video is understood under the names that others give it, and a field of an answer under its own', async () => {
  const who = await customer('1')
  const { rows } = await who.orders({ urls: ['@smallworkshop'], maxVideos: 1 })
  const [{ videoId, url } = { videoId: '', url: '' }] = rows
  const agent = await modernAgent(who)
  for (const args of [{ url }, { videoId }, { video_url: url }, { id: videoId }, { link: url }]) {
    const page = await agent.calls('get_transcript', { ...args, languageCode: 'en' })
    const text = String(page.structuredContent?.['text'])
    assert.equal(text.replaceAll(/\s+/g, ' ').trim(), rows[0]?.['text'], JSON.stringify(args))
  }
  const two = await agent.isRefused('get_transcript', { url, videoId })
  assert.match(two['message'], /^"(?:url|videoId)" is not a field of get_transcript: it has video,/)
  await agent.close()
})
