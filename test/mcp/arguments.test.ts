/** Calls of tools as models and their hosts make them: what is clear is read, the rest is refused by name. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sharedService } from '../support/shared-service.ts'
import { deliverable, uploadsOf } from '../repeats/asking-again.ts'
import { legacyAgent, modernAgent } from './agents.ts'

const { platform, customer } = await sharedService({ after })
const { world } = platform
const [one, two] = deliverable(uploadsOf(world, world.channel('small'))).map(
  (id) => `https://youtu.be/${id}`,
)
const LIST = JSON.stringify([one, two])

test('a list in a text, numbers as texts, nothing for optional fields and fields of the host are read', async () => {
  for (const open of [modernAgent, legacyAgent]) {
    const agent = await open(await customer())
    const host = { _meta: { progressToken: 1 }, toolCallId: 'call_1' }
    const nothing = { language: '', publishedAfter: null, previewId: '', idempotencyKey: null }
    const order = { urls: LIST, maxVideos: '2', waitSeconds: '45' }
    const started = await agent.asks('start_job', { ...order, ...nothing, ...host })
    assert.deepEqual([started['urlCount'], started['urls']], [2, [one, two]])
    const { jobId } = started
    const ended = await agent.asks('get_job', { jobId, waitSeconds: '45', ...host })
    assert.deepEqual([ended['state'], ended['delivered']], ['finished', 2])
    const { videos } = await agent.asks('list_results', { jobId, limit: '1', status: '' })
    assert.equal(videos.length, 1)
    const timed = { jobId, index: '1', timestamps: 'true', cursor: null }
    const { content, isError } = await agent.calls('read_transcript', timed)
    assert.notEqual(isError, true)
    assert.match(content[0]?.['text'], /\n\[\d:\d\d:\d\d\] /)
    await agent.close()
  }
})

test('what the account owns is left out of an order and read from it, and paid for again only where that is said', async () => {
  const agent = await modernAgent(await customer())
  const order = { maxVideos: 2, waitSeconds: 45 }
  await agent.asks('start_job', { ...order, urls: [one] })
  const seen = await agent.asks('preview_job', { urls: LIST, maxVideos: 2 })
  assert.deepEqual([seen['wouldTake'], seen['sources'][0].owned], [1, 1])
  const { jobId } = await agent.asks('start_job', { ...order, urls: LIST })
  const ended = await agent.asks('get_job', { jobId, waitSeconds: 45 })
  assert.deepEqual(ended['counts'], { success: 1, unchanged: 1 })
  const { videos } = await agent.asks('list_results', { jobId, status: 'unchanged' })
  const { content } = await agent.calls('read_transcript', { jobId, index: videos[0].index })
  assert.match(content[0]?.['text'], /characters 0 to \d+ of/)

  const ids = [one, two].map((url = '') => url.slice(-11))
  const again = { urls: ids, maxVideos: 2, owned: 'again' }
  assert.equal((await agent.asks('preview_job', again))['costAgainUsd'], '0.016')
  const twice = await agent.asks('start_job', { ...again, waitSeconds: 45 })
  assert.match(twice['notices'][0], /charges them again, up to \$0\.016/)
  await agent.close()
})

test('the row of a repeat is read where its text is, also one that is not in the wished language', async () => {
  const agent = await modernAgent(await customer())
  const order = { urls: [one], waitSeconds: 45 }
  const first = await agent.asks('start_job', order)
  const { jobId } = await agent.asks('start_job', { ...order, language: 'fr', owned: 'again' })
  const { videos } = await agent.asks('list_results', { jobId, status: 'unchanged' })
  assert.equal(videos.length, 1)
  const read = async (id: string): Promise<string> => {
    const { structuredContent } = await agent.calls('read_transcript', { jobId: id, index: 1 })
    return structuredContent?.['text']
  }
  const text = await read(first['jobId'])
  assert.ok(text.length > 0)
  assert.equal(await read(jobId), text)
  await agent.close()
})

test('any other field is refused by name, and schemas say so', async () => {
  const agent = await modernAgent(await customer())
  const { tools } = await agent.client.listTools()
  for (const { name, inputSchema } of tools)
    assert.equal(inputSchema['additionalProperties'], false, name)
  for (const field of ['colour', 'max_results', 'meta'])
    assert.ok(
      (await agent.isRefused('list_jobs', { [field]: 1 }))['message'].startsWith(
        `"${field}" is not a field`,
      ),
    )
  for (const args of [{ limit: 'ten' }, { limit: '1.5' }, { limit: true }])
    assert.match((await agent.isRefused('list_jobs', args))['message'], /^limit must be /)
  await agent.close()
})

test('the API stays strict', async () => {
  const who = await customer()
  for (const field of [
    { maxVideos: '2' },
    { language: '' },
    { formats: null },
    { toolCallId: 'x' },
  ]) {
    const { status } = await who.asks('POST', '/jobs', { body: { urls: one, ...field } })
    assert.equal(status, 400, JSON.stringify(field))
  }
})
