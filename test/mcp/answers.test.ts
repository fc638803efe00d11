/** What tools answer, as their schemas say, by official clients, which check it; and a day's work in seven calls. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Json } from '../../tools/conformance/http.ts'
import { deliverable, uploadsOf } from '../repeats/asking-again.ts'
import { sharedService } from '../support/shared-service.ts'
import { type Agent, legacyAgent, modernAgent } from './agents.ts'

const CHANNEL = 'https://www.youtube.com/@smallworkshop'

const { platform, customer } = await sharedService({ after })
const [known = '', other = ''] = deliverable(
  uploadsOf(platform.world, platform.world.channel('small')),
)

/** Calls every tool in an order in which each succeeds; `answered` takes what each said. */
async function callsAll(agent: Agent, answered: (tool: string, said: Json) => void): Promise<void> {
  const call = async (tool: string, args: Json = {}): Promise<Json> => {
    const { isError, structuredContent, content } = await agent.calls(tool, args)
    assert.notEqual(isError, true, JSON.stringify(content))
    answered(tool, structuredContent ?? {})
    return structuredContent ?? {}
  }
  await call('get_balance')
  await call('preview_job', { urls: [CHANNEL], maxVideos: 2 })
  await call('get_transcript', { video: known, maxChars: 100 })
  await call('get_transcript', { video: known, words: true })
  await call('get_transcript', { video: platform.world.special('no-captions').videoId })
  const order = { urls: [CHANNEL], maxVideos: 2, waitSeconds: 45 }
  const { jobId } = await call('start_job', order)
  await call('get_job', { jobId })
  await call('list_jobs')
  const { videos } = await call('list_results', { jobId, status: 'success' })
  const { index } = videos[0]
  const page = await call('read_transcript', { jobId, index, maxChars: 100 })
  await call('read_transcript', { jobId, index, timestamps: true, cursor: 0 })
  assert.ok(page['text'].length <= 100 && page['nextCursor'] === page['to'])
  await call('search_transcripts', { q: 'the' })
  const { results } = await call('search', { query: 'the' })
  await call('fetch', { id: results[0].id })
  const { collections } = await call('list_library')
  await call('list_library', { collectionId: collections[0].collectionId })
  await call('cancel_job', { jobId })
  const { subscriptionId } = await call('follow', { url: CHANNEL, monthlyCap: 1 })
  await call('list_followed')
  await call('unfollow', { subscriptionId })
}

for (const connects of [modernAgent, legacyAgent])
  test(`every tool answers what it shows, and refuses without it, for an agent that checks (${connects.name})`, async () => {
    const agent = await connects(await customer('1'))
    const said = new Map<string, Set<string>>()
    await callsAll(agent, (tool, answer) =>
      said.set(tool, new Set([...(said.get(tool) ?? []), ...Object.keys(answer)])),
    )
    const { tools } = await agent.client.listTools()
    for (const { name, inputSchema, outputSchema } of tools) {
      const shown = Object.keys(outputSchema?.properties ?? {})
      // Only an app or a limited key has a monthly limit.
      const rare = new Set(name === 'get_balance' ? ['monthlyCapLeftUsd'] : [])
      const unseen = shown.filter(
        (field) => !rare.has(field) && said.get(name)?.has(field) !== true,
      )
      assert.deepEqual([shown.length > 0, unseen], [true, []], name)
      if (Object.keys(inputSchema.properties ?? {}).length === 0) continue // it passes over what hosts send
      const refused = await agent.calls(name, { colour: 'red' })
      assert.deepEqual([refused.isError, refused.structuredContent], [true, undefined], name)
    }
    assert.equal(said.size, tools.length)
    await agent.close()
  })

test('a text stands in both forms of an answer, whole, with what it cost', async () => {
  const agent = await modernAgent(await customer('1'))
  const bought = await agent.calls('get_transcript', { video: other, maxChars: 300 })
  const { text, jobId, index, nextCursor, ...facts } = bought.structuredContent ?? {}
  assert.equal(bought.content[0]?.['text'].split('\n\n').slice(1).join('\n\n'), text)
  assert.deepEqual([facts['chargedUsd'], facts['balanceUsd']], ['0.008', '0.992'])
  const rest = await agent.calls('read_transcript', { jobId, index, cursor: nextCursor })
  const { from, to, total, text: more } = rest.structuredContent ?? {}
  assert.deepEqual([from, to - from], [nextCursor, more.length])
  assert.ok(to <= total)
  const { balanceUsd: _, ...owned } = bought.structuredContent ?? {}
  const again = await agent.calls('get_transcript', { video: other, maxChars: 300 })
  assert.deepEqual(again.structuredContent, { ...owned, chargedUsd: '0.000' })
  await agent.close()
})

for (const connects of [modernAgent, legacyAgent])
  test(`an agent finds what is owned, previews, buys, reads and follows in seven calls (${connects.name})`, async () => {
    const who = await customer('1')
    const agent = await connects(who)
    await who.orders({ urls: [CHANNEL], maxVideos: 1 })
    let calls = 0
    const asks = async (tool: string, args: Json): Promise<Json> => {
      calls += 1
      const { isError, structuredContent = {}, content } = await agent.calls(tool, args)
      assert.notEqual(isError, true, JSON.stringify(content))
      return structuredContent
    }
    const { collections } = await asks('list_library', {})
    const [{ collectionId }] = collections
    const { toGet, videos: owned } = await asks('list_library', { collectionId })
    assert.deepEqual([toGet.urls, owned.length], [[CHANNEL], 1])
    const order = { urls: toGet.urls, maxVideos: 2 }
    const preview = await asks('preview_job', order)
    assert.deepEqual([preview['state'], preview['costAtMostUsd']], ['ready', '0.016'])
    const { previewId } = preview
    const job = await asks('start_job', { ...order, previewId, waitSeconds: 45 })
    assert.deepEqual([job['isFinal'], job['delivered'], job['chargedUsd']], [true, 2, '0.016'])
    const { jobId } = job
    const { videos } = await asks('list_results', { jobId, status: 'success' })
    const page = await asks('read_transcript', { jobId, index: videos[0].index })
    assert.ok(page['text'].length > 100)
    const followed = await asks('follow', { url: toGet.urls[0], monthlyCap: 0.5 })
    assert.match(followed['next'], /at most \$0\.50 a month/)
    assert.equal(calls, 7)
    assert.equal((await who.gets('/subscriptions'))['total'], 1)
    await agent.close()
  })
