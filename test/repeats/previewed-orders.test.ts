/** Previews take all that orders may say, on every surface, and keep the same of it. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { after, test } from 'node:test'
import { COMMANDS } from '../../clients/cli/src/commands.ts'
import { Scriptorium } from '../../clients/typescript/src/index.ts'
import { TOOLS } from '../../src/mcp/toolbox.ts'
import { ORDER_COLUMNS } from '../../src/store/orders.ts'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { cliUser } from '../clients/cli-command.ts'
import { modernAgent } from '../mcp/agents.ts'
import { sharedService } from '../support/shared-service.ts'
import { until } from '../support/until.ts'

const { address, customer, database } = await sharedService({ after })

/** A value of each field of an order that none has by itself. */
const VALUES = {
  urls: ['https://www.youtube.com/@smallworkshop'],
  language: 'pt-BR',
  formats: ['srt'],
  maxVideos: 3,
  publishedAfter: '2021-01-02',
  publishedBefore: '2029-01-02',
  owned: 'again',
  track: 'asr',
} as const
type Field = keyof typeof VALUES

/** Fields of a start that change nothing of what it brings, by surface. */
const OF_THE_START: Record<string, string> = {
  preview: 'the preview itself',
  previewId: 'the preview itself',
  view: 'fields of the answer',
  idempotencyKey: 'of the request',
  waitSeconds: 'of the request',
  name: 'of the batch',
}
/** Options of `get`, by the fields that they fill; others say where texts go, or bound the fields. */
const OPTIONS: Record<string, { field: Field; words: string[] }> = {
  max: { field: 'maxVideos', words: ['--max', '3'] },
  since: { field: 'publishedAfter', words: ['--since', VALUES.publishedAfter] },
  until: { field: 'publishedBefore', words: ['--until', VALUES.publishedBefore] },
  language: { field: 'language', words: ['--language', VALUES.language] },
  track: { field: 'track', words: ['--track', VALUES.track] },
  again: { field: 'owned', words: ['--again'] },
}

type Operation = {
  parameters?: { name: string; in: string }[]
  requestBody: { content: { 'application/json': { schema: { $ref: string } } } }
}
const document = JSON.parse(
  fs.readFileSync(new URL('../../src/api/documents/printed/openapi.json', import.meta.url), 'utf8'),
) as {
  paths: Record<string, { post: Operation }>
  components: { schemas: Record<string, { properties: object }> }
}

/** Returns what a POST takes in its query and its body. */
function takenBy(path: string): string[] {
  const { parameters = [], requestBody } = document.paths[path]!.post
  const name = requestBody.content['application/json'].schema.$ref.split('/').at(-1)!
  const query = parameters.filter((one) => one.in === 'query')
  return [
    ...query.map((one) => one.name),
    ...Object.keys(document.components.schemas[name]!.properties),
  ]
}

const inputOf = (tool: string): string[] =>
  Object.keys(TOOLS.get(tool)!.description.inputSchema['properties'] as object)
const ofTheOrder = (names: string[]): string[] =>
  names.filter((name) => !(name in OF_THE_START)).toSorted()

test('a preview takes each field of the order, and the order each field of the preview', () => {
  const all = Object.keys(VALUES).toSorted()
  for (const path of ['/jobs', '/batches', '/previews'])
    assert.deepEqual(ofTheOrder(takenBy(path)), all, path)
  // Agents get all formats of what they order.
  const ofAgents = all.filter((name) => name !== 'formats')
  for (const tool of ['start_job', 'preview_job'])
    assert.deepEqual(ofTheOrder(inputOf(tool)), ofAgents, tool)
  const { options } = COMMANDS.find(({ name }) => name === 'get')!
  assert.deepEqual(
    Object.keys(OPTIONS).filter((name) => !(name in options)),
    [],
  )
})

/** Each surface previews and starts an order of all fields that it has. */
const SURFACES: Record<string, (who: Customer) => Promise<unknown>> = {
  'the API': async (who) => {
    const { owned, track, ...body } = VALUES
    for (const path of ['/previews', '/jobs']) {
      const { status } = await who.asks('POST', `${path}?owned=${owned}&track=${track}`, { body })
      assert.ok(status < 300, path)
    }
  },
  'the TypeScript client, which the website has, too': async (who) => {
    const { owned, track, urls, formats, ...rest } = VALUES
    const client = new Scriptorium({ apiKey: who.apiKey, baseUrl: address })
    const request = { ...rest, urls: [...urls], formats: [...formats] }
    await client.preview(request, { owned, track, waitSeconds: 0 })
    await client.jobs.start(request, { owned, track })
  },
  agents: async (who) => {
    const { formats: _, ...args } = VALUES
    const agent = await modernAgent(who)
    await agent.asks('preview_job', args)
    await agent.asks('start_job', { ...args, waitSeconds: 0 })
    await agent.close()
  },
  'the command line': async (who) => {
    const env = { SCRIPTORIUM_URL: address, SCRIPTORIUM_API_KEY: who.apiKey }
    const user = cliUser({ after }, env)
    const words = Object.values(OPTIONS).flatMap((one) => one.words)
    const get = ['get', ...VALUES.urls, ...words]
    await user.runs(...get, '--dry-run', '--json')
    await user.runs(...get)
  },
}

for (const [surface, orders] of Object.entries(SURFACES))
  test(`what a preview keeps of an order is what its start keeps: ${surface}`, async () => {
    const who = await customer('5')
    await orders(who)
    await until('its jobs end', async () => {
      const { jobs } = await who.gets('/jobs')
      return jobs.every(({ billing }: Json) => billing.settled)
    })
    const kept = async (table: string): Promise<unknown[]> => {
      const select = `select ${ORDER_COLUMNS} from ${table} where account_id = $1`
      const { rows } = await database.pool.query(select, [who.accountId])
      return rows.map((row: Json) => ({ ...row, notices: [] }))
    }
    const [previews, jobs] = [await kept('preview'), await kept('job')]
    assert.equal(jobs.length, 1)
    assert.deepEqual(previews, jobs)
  })
