/**
 * Hosts of agents: what they add to calls and messages of their own accord means nothing, whatever the tool; what an
 * agent may have meant is refused by name.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Json } from '../../tools/conformance/http.ts'
import { plainArguments, refuseOthers } from '../../src/mcp/arguments.ts'
import { TOOLS } from '../../src/mcp/toolbox.ts'
import { sharedService } from '../support/shared-service.ts'
import { legacyAgent, modernAgent } from './agents.ts'

const { customer } = await sharedService({ after })

const CAMEL = (
  'sessionId toolCallId threadId runId traceId spanId requestId conversationId messageId parentMessageId chatId ' +
  'chatflowId userId workflowRunId workflowId executionId taskId checkpointId correlationId'
).split(' ')
const snake = (name: string, mark = '_'): string =>
  name.replace(/[A-Z]/g, (letter) => `${mark}${letter.toLowerCase()}`)
const FURTHER =
  'action chatInput tool task_progress _meta _session __user__ __metadata__ __event_emitter__ _callId __proto'.split(
    ' ',
  )
/** Fields of hosts, in each spelling in which ids come. */
const HOST_FIELDS = [
  ...CAMEL.flatMap((name) => [name, snake(name), snake(name, '-'), name.replace(/Id$/, 'ID')]),
  ...FURTHER,
]
const VALUES: unknown[] = ['x', '', null, 5, true, ['a'], { a: null }]

const schemaOf = (tool: string): Json => TOOLS.get(tool)?.description.inputSchema as Json
const fieldsOf = (tool: string): string[] => Object.keys(schemaOf(tool)['properties'])
const read = (tool: string, args: unknown): unknown => {
  const given = plainArguments(schemaOf(tool), args)
  refuseOthers(tool, schemaOf(tool), given)
  return given
}
const NAMES = [...TOOLS.keys()]
const TAKE_NOTHING = NAMES.filter((tool) => fieldsOf(tool).length === 0)

test('a field of a host changes no call of any tool', () => {
  for (const tool of NAMES) {
    const own = Object.fromEntries(fieldsOf(tool).map((name) => [name, '1']))
    const alone = read(tool, own)
    for (const name of HOST_FIELDS)
      for (const value of VALUES)
        assert.deepEqual(read(tool, { ...own, [name]: value }), alone, `${tool} ${name}`)
  }
})

test('a tool that takes nothing passes over whatever it is given', () => {
  assert.deepEqual(TAKE_NOTHING, ['get_balance'])
  for (const tool of TAKE_NOTHING)
    for (const name of [
      'random_string',
      'dummy',
      'input',
      'no_params',
      'limit',
      '',
      ...HOST_FIELDS,
    ])
      assert.deepEqual(read(tool, { [name]: 'x' }), {}, `${tool} ${name}`)
})

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
/** Names that differ from a field by a letter, and are words for it. */
const WORDS = new Set(['query', 'url', 'urls'])
/** Returns the name with one letter missing, added or changed, or with two in the other order. */
function slipsOf(name: string): string[] {
  const places = Array.from({ length: name.length + 1 }, (_, at) => at)
  return places.flatMap((at) => {
    const [before, after] = [name.slice(0, at), name.slice(at)]
    const [one = '', two = ''] = after
    const changed = [...LETTERS].flatMap((letter) => [
      before + letter + after,
      before + letter + after.slice(1),
    ])
    return [before + after.slice(1), before + two + one + after.slice(2), ...changed]
  })
}

test('a slip in a field of ours is refused by name, in every spelling, by every tool', () => {
  let tried = 0
  for (const tool of NAMES) {
    const fields = fieldsOf(tool)
    const letters = fields.map((name) => name.toLowerCase())
    for (const name of fields)
      for (const slip of new Set(slipsOf(name))) {
        if (letters.includes(slip.toLowerCase()) || WORDS.has(slip)) continue
        for (const sent of [slip, `_${slip}`, snake(slip)]) {
          const refusal = {
            message: `${JSON.stringify(sent)} is not a field of ${tool}: it has ${fields.join(', ')}.`,
          }
          assert.throws(() => read(tool, { [sent]: 1 }), refusal)
          tried += 1
        }
      }
  }
  assert.ok(tried > 20_000, `${tried} slips`)
})

test('a word that may be a wish about money, bounds or choice is never passed over', () => {
  const wishes = [
    'budget',
    'max',
    'limit_usd',
    'maxCost',
    'spendingCap',
    'top_n',
    'dry_run',
    '_maxspend',
    '_dryrun',
    '_quota',
  ]
  const wished = [...wishes, 'formats', 'previewOnly', 'colour', 'max_results', 'meta', 'session']
  for (const tool of NAMES.filter((name) => !TAKE_NOTHING.includes(name)))
    for (const name of wished) {
      if (fieldsOf(tool).includes(name)) continue
      assert.throws(() => read(tool, { [name]: 1 }), /is not a field of/, `${tool} ${name}`)
      const isPrivate = name === 'meta' || name === 'session' || name === 'colour'
      if (!isPrivate) assert.throws(() => read(tool, { [`_${name}`]: 1 }), /is not a field/, name)
    }
})

test('a field of ours in another spelling is that field, unless both are sent', () => {
  for (const tool of NAMES)
    for (const name of fieldsOf(tool)) {
      const alone = read(tool, { [name]: '1' })
      for (const other of [
        snake(name),
        snake(name, '-'),
        snake(name).toUpperCase(),
        name.toLowerCase(),
      ]) {
        assert.deepEqual(read(tool, { [other]: '1' }), alone, `${tool} ${other}`)
        if (other !== name)
          assert.throws(() => read(tool, { [name]: '1', [other]: '2' }), /is not a field of/)
      }
    }
})

/** Ways to say nothing where an object may be left out: of JavaScript, of forms and of PHP. */
const NO_OBJECT = [null, '', ' ', []]
const LEGACY = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'host', version: '1' },
}
/** Messages, and others with the same meaning. */
const SAME: [message: Json, others: Json[]][] = [
  ...['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list', 'ping'].map(
    (method): [Json, Json[]] => [
      { method },
      [
        ...NO_OBJECT.map((params) => ({ method, params })),
        ...[...NO_OBJECT, {}].map((_meta) => ({ method, params: { _meta, cursor: null } })),
        { method, params: { cursor: '', _meta: { progressToken: null } } },
      ],
    ],
  ),
  [
    { method: 'initialize', params: LEGACY },
    [
      ...NO_OBJECT.map((capabilities) => ({ ...LEGACY, capabilities, _meta: null })),
      { ...LEGACY, capabilities: { sampling: null, roots: { listChanged: null } } },
      { ...LEGACY, clientInfo: { ...LEGACY.clientInfo, title: null } },
    ].map((params) => ({ method: 'initialize', params })),
  ],
  [
    callOf('get_balance', {}),
    [...NO_OBJECT, 'null', '{}', '[]', '{"random_string":"x"}', { dummy: 1 }].map((args) =>
      callOf('get_balance', args),
    ),
  ],
  [
    callOf('list_jobs', { limit: 5 }),
    [
      { limit: '5', offset: null, sessionId: 's', action: 'sendMessage', toolCallId: 'call_1' },
      '{"limit":5,"tool_call_id":"call_1"}',
      ' { "limit" : "5" } ',
    ].map((args) => callOf('list_jobs', args)),
  ],
  [callOf('list_followed', {}), [{ method: 'tools/call', params: { name: 'list_followed' } }]],
]
const MEANINGLESS: [args: unknown, said: RegExp][] = [
  ['{"limit":', /arguments/],
  ['limit=5', /arguments/],
  ['5', /arguments/],
  ['[5]', /arguments/],
  [['limit'], /arguments/],
  ['{"q":"\\u0000"}', /arguments/],
  ['{"max_results":5}', /max_results.+is not a field of list_jobs/],
]

function callOf(name: string, args: unknown): Json {
  return { method: 'tools/call', params: { name, arguments: args } }
}

test('nothing, in whatever way it is sent, is as if it were left out of a message', async () => {
  const who = await customer()
  const answerOf = async (message: Json): Promise<Json> => {
    const { status, body } = await who.asks('POST', new URL('/mcp', who.base).href, {
      body: { jsonrpc: '2.0', id: 1, ...message },
      headers: { Accept: 'application/json, text/event-stream' },
    })
    return { status, ...(body as Json) }
  }
  for (const [message, others] of SAME) {
    const right = await answerOf(message)
    assert.ok('result' in right || message['method'] === 'prompts/list', JSON.stringify(right))
    for (const other of others)
      assert.deepEqual(await answerOf(other), right, JSON.stringify(other))
  }
  for (const [args, said] of MEANINGLESS) {
    const told = JSON.stringify(await answerOf(callOf('list_jobs', args)))
    assert.match(told, said)
  }
  for (const method of [{ toString: null }, { toString: 1 }, null, ['ping']])
    assert.equal((await answerOf({ method }))['status'], 400)
  for (const params of NO_OBJECT) {
    const notice = { id: null, method: 'notifications/initialized', params }
    assert.equal((await answerOf(notice))['status'], 202)
  }
})

test('what hosts add passes the clients of both eras', async () => {
  for (const open of [modernAgent, legacyAgent]) {
    const agent = await open(await customer())
    const added = {
      _meta: { a: 1 },
      sessionId: 's',
      tool_call_id: 'c',
      action: 'x',
      chatInput: 'y',
    }
    const balance = await agent.asks('get_balance')
    for (const args of [null as never, { random_string: 'x', ...added }])
      assert.deepEqual(await agent.asks('get_balance', args), balance)
    for (const [tool, args] of [
      ['list_jobs', { limit: 5 }],
      ['list_library', {}],
      ['search_transcripts', { q: 'zoo' }],
    ] as const)
      assert.deepEqual(await agent.asks(tool, { ...args, ...added }), await agent.asks(tool, args))
    for (const tool of ['get_job', 'cancel_job', 'list_results'])
      assert.deepEqual(
        await agent.isRefused(tool, { job_id: 'none', ...added }),
        await agent.isRefused(tool, { jobId: 'none' }),
      )
    assert.match(
      (await agent.isRefused('start_job', { urls: 'x', max_vidoes: 1 }))['message'],
      /^"max_vidoes" is not/,
    )
    await agent.close()
  }
})
