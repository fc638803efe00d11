/** Hints of tools are true: what is called read-only changes nothing, and what is called idempotent nothing more. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { TOOLS } from '../../src/mcp/toolbox.ts'
import { deliverable, uploadsOf } from '../repeats/asking-again.ts'
import { sharedService } from '../support/shared-service.ts'
import { modernAgent } from './agents.ts'

const CHANNEL = 'https://www.youtube.com/@smallworkshop'

const { platform, customer, database } = await sharedService({ after })
const [video = ''] = deliverable(uploadsOf(platform.world, platform.world.channel('small')))

/** Returns what the account has: its jobs, what it follows, its money. A preview is nothing that it has. */
async function belongings({ accountId }: Customer): Promise<unknown> {
  const { rows } = await database.pool.query(
    `select (select json_agg(json_build_array(id, state, processed) order by id) from job where account_id = $1) as jobs,
      (select json_agg(id order by id) from subscription where account_id = $1) as followed,
      (select count(*)::int from ledger_entry where account_id = $1) as entries`,
    [accountId],
  )
  return rows[0]
}

type Ids = { jobId: string; subscriptionId: string }
/** A call of each tool, in an order in which each succeeds. */
const CALLS: Record<string, (ids: Ids) => Json> = {
  get_balance: () => ({}),
  preview_job: () => ({ urls: [CHANNEL], maxVideos: 2 }),
  get_transcript: () => ({ video }),
  start_job: () => ({ urls: [CHANNEL], maxVideos: 1, waitSeconds: 45 }),
  get_job: ({ jobId }) => ({ jobId }),
  list_jobs: () => ({}),
  list_results: ({ jobId }) => ({ jobId }),
  read_transcript: ({ jobId }) => ({ jobId, index: 1 }),
  search_transcripts: () => ({ q: 'the' }),
  list_library: () => ({}),
  search: () => ({ query: 'the' }),
  fetch: ({ jobId }) => ({ id: `${jobId}/1` }),
  cancel_job: ({ jobId }) => ({ jobId }),
  follow: () => ({ url: CHANNEL, monthlyCap: 1 }),
  list_followed: () => ({}),
  unfollow: ({ subscriptionId }) => ({ subscriptionId }),
}

test('each tool says four hints, and does what they say, also when it is called twice', async () => {
  const who = await customer('1')
  const agent = await modernAgent(who)
  const { tools } = await agent.client.listTools()
  assert.deepEqual([...TOOLS.keys()].sort(), Object.keys(CALLS).sort())
  const ids = { jobId: '', subscriptionId: '' }
  for (const [name, argsOf] of Object.entries(CALLS)) {
    const hints = tools.find((one) => one.name === name)?.annotations ?? {}
    const named = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']
    assert.deepEqual(Object.keys(hints), named, name)
    const args = argsOf(ids)
    const before = await belongings(who)
    const { isError, structuredContent = {}, content } = await agent.calls(name, args)
    assert.notEqual(isError, true, JSON.stringify(content))
    Object.assign(ids, { jobId: structuredContent['jobId'] ?? ids.jobId })
    Object.assign(ids, {
      subscriptionId: structuredContent['subscriptionId'] ?? ids.subscriptionId,
    })
    const once = await belongings(who)
    await agent.calls(name, args)
    const twice = await belongings(who)
    if (hints.readOnlyHint === true) assert.deepEqual(once, before, name)
    else if (name !== 'cancel_job') assert.notDeepEqual(once, before, name) // the job was over
    if (hints.idempotentHint === true) assert.deepEqual(twice, once, name)
    else assert.notDeepEqual(twice, once, name)
  }
  const which = (hint: 'destructiveHint' | 'openWorldHint'): string[] =>
    tools.filter(({ annotations }) => annotations?.[hint] === true).map(({ name }) => name)
  assert.deepEqual(which('destructiveHint'), ['cancel_job', 'unfollow'])
  assert.deepEqual(which('openWorldHint'), ['get_transcript', 'preview_job', 'start_job', 'follow'])
  await agent.close()
})
