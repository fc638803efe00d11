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
    const order = { urls: LIST, maxVideos: '2', formats: 'text, srt', waitSeconds: '45' }
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

test('any other field is refused by name, and schemas say so', async () => {
  const agent = await modernAgent(await customer())
  const { tools } = await agent.client.listTools()
  for (const { name, inputSchema } of tools)
    assert.equal(inputSchema['additionalProperties'], false, name)
  for (const field of ['colour', 'tool_call_id', 'meta'])
    assert.ok(
      (await agent.isRefused('get_balance', { [field]: 1 }))['message'].startsWith(
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
