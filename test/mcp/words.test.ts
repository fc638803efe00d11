/** What a refusal tells an agent: arguments and tools that it has, never addresses or headers, which it has not. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Json } from '../../tools/conformance/http.ts'
import { PROBLEMS, Problem, type ProblemCode } from '../../src/kit/problem.ts'
import { inWordsOfTools } from '../../src/mcp/refusals.ts'
import { deliverable, uploadsOf } from '../repeats/asking-again.ts'
import { sharedService } from '../support/shared-service.ts'
import { type Agent, modernAgent } from './agents.ts'

const { platform, customer } = await sharedService({ after })
const [known = ''] = deliverable(uploadsOf(platform.world, platform.world.channel('small')))
const CHANNEL = 'https://www.youtube.com/@smallworkshop'
/** Addresses, headers and parameters of the API, which no tool has. */
const OF_THE_API =
  /openapi|\/api\/|\b(?:GET|POST|PUT|PATCH|DELETE) \/|Retry-After|Idempotency-Key|Authorization|\bX-[A-Z]|\?\w+=/

type Schema = { properties?: Record<string, Json>; required?: string[] }

/** Values that few fields take. */
const WRONG: unknown[] = [{}, [], [{}], -1, 1e12, 1.5, true, 'none', ' ', 'x'.repeat(300), 'a\nb']

/** Arguments that name what is right for every field which has to be there. */
const RIGHT: Json = {
  urls: known,
  url: CHANNEL,
  video: 'none',
  jobId: 'none',
  index: 1,
  q: 'x',
  monthlyCap: 1,
}

test('no refusal of any tool names an address or a header of the API, or the field of another tool', async () => {
  const agent = await modernAgent(await customer('0.008'))
  const { tools } = await agent.client.listTools()
  const fieldsOf = ({ inputSchema }: (typeof tools)[number]) =>
    Object.keys(inputSchema.properties ?? {})
  const all = new Set(tools.flatMap(fieldsOf))
  for (const tool of tools)
    for (const args of wrongArguments(tool.inputSchema as Schema)) {
      const said = await textsOf(agent, tool.name, args)
      const what = `${tool.name} ${JSON.stringify(args).slice(0, 200)}: ${said.slice(0, 300)}`
      assert.doesNotMatch(said, OF_THE_API, what)
      const [, first = ''] = /"message":"(\w+)/.exec(said) ?? []
      if (all.has(first)) assert.ok(fieldsOf(tool).includes(first), what)
    }
  await agent.close()
})

/** Yields calls with a field too many, each needed field missing, and each field in turn with each wrong value. */
function* wrongArguments({ properties = {}, required = [] }: Schema): Generator<Json> {
  const right = Object.fromEntries(required.map((name) => [name, RIGHT[name] ?? 'none']))
  yield { ...right, colour: 'red' }
  for (const name of required) yield { ...right, [name]: undefined }
  // A right line would be bought or previewed each time.
  const lines = ['urls', 'url', 'video'].filter((name) => Object.hasOwn(properties, name))
  const wrongLines = Object.fromEntries(lines.map((name) => [name, 'none']))
  for (const name of Object.keys(properties))
    for (const value of WRONG) yield { ...right, ...wrongLines, [name]: value }
}

async function textsOf(agent: Agent, name: string, args: Json): Promise<string> {
  const { content } = await agent.calls(name, args)
  return content.map(({ text }) => text).join('\n')
}

test('a field too many is answered with those that the tool has', async () => {
  const agent = await modernAgent(await customer())
  const told = async (tool: string) => (await agent.isRefused(tool, { colour: 1 }))['message']
  assert.equal(
    await told('list_jobs'),
    '"colour" is not a field of list_jobs: it has offset, limit.',
  )
  assert.equal(
    await told('unfollow'),
    '"colour" is not a field of unfollow: it has subscriptionId.',
  )
  await agent.close()
})

test('what is not there, a key that is used, and too many lines are told with the next call', async () => {
  const agent = await modernAgent(await customer())
  const told = async (tool: string, args: Json) => (await agent.isRefused(tool, args))['message']
  for (const tool of ['get_job', 'cancel_job', 'list_results'])
    assert.match(await told(tool, { jobId: 'none' }), /^Your account has no job .*; list_jobs /)
  assert.match(await told('read_transcript', { jobId: 'none', index: 1 }), /; list_results names/)
  const order = { urls: known, idempotencyKey: 'mine', waitSeconds: 45 }
  await agent.asks('start_job', order)
  assert.match(await told('start_job', { ...order, language: 'es' }), /^This idempotencyKey was/)
  const lines = Array.from({ length: 51 }, (_, at) => `${known}${at}`).join('\n')
  assert.match(await told('start_job', { urls: lines }), /^urls has 51 lines, .* as a batch\.$/)
  await agent.close()
})

test('each code of the API has a sentence without its requests, and says how long to wait', () => {
  for (const code of Object.keys(PROBLEMS) as ProblemCode[]) {
    const problem = inWordsOfTools(new Problem(code, { headers: { 'Retry-After': '7' } }))
    assert.doesNotMatch(problem.message, OF_THE_API)
    assert.equal(problem.code, code)
  }
  const busy = { message: 'The database is away; try again after Retry-After seconds.' }
  const headers = { 'Retry-After': '2' }
  const told = inWordsOfTools(new Problem('server_busy', { ...busy, headers }))
  assert.equal(told.message, 'The database is away; try again after 2 seconds.')
  assert.equal(
    inWordsOfTools(new Problem('rate_limited')).message,
    'Too many calls; wait some seconds.',
  )
})
