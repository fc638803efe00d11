/** Agents at the library, and at what is followed: what they own is listed, and following never spends by surprise. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Customer } from '../../tools/conformance/customer.ts'
import { testService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { modernAgent } from './agents.ts'

const CHANNEL = 'https://www.youtube.com/@smallworkshop'

const { customer, database } = await testService({ after })

test('an agent lists what it owns as the API does, and reads a video of it', async () => {
  const who = await customer('1')
  const agent = await modernAgent(who)
  assert.deepEqual((await agent.asks('list_library'))['collections'], [])
  await who.orders({ urls: [CHANNEL], maxVideos: 3 })
  const { collections, total } = await agent.asks('list_library')
  const byRest = (await who.gets('/library'))['collections'][0]
  assert.equal(total, 1)
  const [{ collectionId, title, delivered, known, remaining, chargedUsd }] = collections
  assert.deepEqual(
    [collectionId, title, delivered, known, remaining, chargedUsd],
    [byRest.id, byRest.title, 3, byRest.known, byRest.remaining, '0.024'],
  )
  const named = async (query: string) => (await agent.asks('list_library', { query }))['total']
  assert.deepEqual([await named('workshop'), await named('zebra')], [1, 0])

  const one = await agent.asks('list_library', { collectionId, limit: 2 })
  assert.deepEqual([one['total'], one['nextOffset'], one['videos'].length], [3, 2, 2])
  assert.deepEqual(one['toGet'].urls, [CHANNEL])
  const { goesOn } = await who.gets(`/library/${collectionId}`)
  assert.deepEqual(
    [one['toGet'].videos, one['toGet'].costAtMostUsd],
    [goesOn.videos, goesOn.costAtMost],
  )
  const [{ jobId, index, title: name }] = one['videos']
  const { content } = await agent.calls('read_transcript', { jobId, index })
  assert.ok(content[0]?.['text'].includes(name))
  const none = await agent.isRefused('list_library', { collectionId: 'UCnone' })
  assert.deepEqual(
    [none['code'], none['message'].split(';')[0]],
    ['not_found', 'Your account has nothing of this collectionId'],
  )
  await agent.close()
})

test('an agent follows within a limit that it has to name, is told what it may cost, and ends it', async () => {
  const who = await customer('1')
  const agent = await modernAgent(who)
  const told = async (args: object) => (await agent.isRefused('follow', args))['message']
  assert.match(await told({ url: CHANNEL }), /^monthlyCap is required/)
  assert.match(await told({ url: CHANNEL, monthlyCap: 0.001 }), /at least one transcript, \$0\.008/)
  assert.match(await told({ url: 'TKWVJ9FIq-8', monthlyCap: 1 }), /^Only a channel/)
  assert.match(await told({ url: '@nosuchchannelatall', monthlyCap: 1 }), /; nothing is followed/)
  assert.equal((await who.gets('/subscriptions'))['total'], 0)

  const made = await agent.asks('follow', { url: CHANNEL, monthlyCap: '0.50', backlog: 2 })
  const { subscriptionId } = made
  assert.deepEqual(
    [made['state'], made['monthlyCapUsd'], made['title']],
    ['active', '0.500', 'Small Workshop'],
  )
  assert.match(made['next'], /^The backlog costs at most \$0\.016\. .* at most \$0\.50 a month/)
  const byRest = await who.gets(`/subscriptions/${subscriptionId}`)
  assert.deepEqual([byRest['monthlyCap'], byRest['owned']], ['0.500', undefined])
  assert.match(await told({ url: CHANNEL, monthlyCap: 1 }), new RegExp(subscriptionId))

  await until('the backlog was bought', async () => {
    const { followed } = await agent.asks('list_followed')
    return followed[0].spentThisMonthUsd === '0.016'
  })
  await untilJobsEnd(who)
  assert.deepEqual(await agent.asks('unfollow', { subscriptionId }), {
    subscriptionId,
    isFollowed: false,
  })
  const again = await agent.isRefused('unfollow', { subscriptionId })
  assert.match(again['message'], /; list_followed names what it follows\.$/)
  assert.deepEqual((await agent.asks('list_followed'))['followed'], [])
  await agent.close()
})

test('what may spend by itself, and a text that may be bought, need all that they do', async () => {
  const who = await customer('1')
  const agent = await modernAgent(who)
  const limits = async (scopes: string[] | null, cap: number | null): Promise<void> => {
    await database.pool.query(
      'update api_key set scopes = $2, monthly_cap_micros = $3 where account_id = $1',
      [who.accountId, scopes, cap],
    )
  }
  const isForbidden = (tool: string, args: object) =>
    assert.rejects(agent.calls(tool, args), /insufficient scope/i)
  await limits(null, 1_000_000)
  for (const [tool, args] of Object.entries({
    follow: { url: CHANNEL, monthlyCap: 1 },
    unfollow: { subscriptionId: 'x' },
    list_followed: {},
  }))
    await isForbidden(tool, args)
  for (const scopes of [['jobs:write'], ['transcripts:read']]) {
    await limits(scopes, null)
    await isForbidden('get_transcript', { video: 'TKWVJ9FIq-8' })
  }
  await agent.asks('list_library')
  assert.equal(await jobsOf(who), 0)
  await agent.close()
})

async function jobsOf({ accountId }: Customer): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    'select count(*)::int as count from job where account_id = $1',
    [accountId],
  )
  return rows[0]?.count ?? 0
}

async function untilJobsEnd(who: Customer): Promise<void> {
  await until('its jobs ended', async () => {
    const { jobs } = await who.gets('/jobs')
    return jobs.every(({ billing }: { billing: { settled: boolean } }) => billing.settled)
  })
}
