/**
 * Rules of what the answers of the seven operations never have: a field that section 2 of the specification does not
 * name (decision 40). The kit itself holds every answer against the closed shapes; these rules ask for more of them.
 */
import assert from 'node:assert/strict'
import { type Shape, SPECIFIED } from '../closed-shapes.ts'
import type { Json } from '../http.ts'
import type { Kit } from '../kit.ts'
import { type Rule, rule } from '../rule.ts'

export const closedRules: Rule[] = [
  rule(
    'An order that the balance limits says so in notices and in X-Balance-Notice, and has no field more',
    async (kit) => {
      const key = kit.options.smallKey
      const { status, headers, body } = await kit.post({ urls: kit.lines(1) }, { key })
      assert.equal(status, 201, JSON.stringify(body))
      const { id, input, notices } = body
      assert.ok(input.maxVideos < input.requestedMaxVideos, 'the balance does not limit the order')
      const notice = headers.get('x-balance-notice') ?? ''
      assert.ok(notices.includes(notice), `"${notice}" is not among ${JSON.stringify(notices)}`)
      assert.match(notice, /^[ -~]+$/, 'a header is plain ASCII')
      await kit.get(`/jobs/${id}?wait=60`, { key })
    },
    'smallKey',
  ),
  rule(
    'The document describes the fields of the specification, and marks what a parameter adds',
    async (kit) => {
      const { paths, components } = await kit.get('/openapi.json', { key: null })
      for (const [name, { statuses, shape, more = [] }] of Object.entries(SPECIFIED)) {
        const [method = '', path = ''] = name.split(' ')
        const { content } = paths[path][method.toLowerCase()].responses[String(statuses[0])]
        const documented = fieldsOf(content['application/json'].schema, components.schemas)
        const plain = fieldsOf(shape)
        const most = new Map(more.flatMap((one) => [...fieldsOf(one.shape)]).concat([...plain]))
        const beyond = [...documented].filter(
          ([field, { isExtension }]) =>
            !NOTICES.test(field) && !(isExtension ? most : plain).has(field),
        )
        assert.deepEqual(
          beyond.map(([field]) => field),
          [],
          `${name} has more than is specified`,
        )
        const missing = [...plain].filter(
          ([field, one]) => one.isRequired && !documented.has(field),
        )
        assert.deepEqual(
          missing.map(([field]) => field),
          [],
          `${name} has less than is specified`,
        )
      }
    },
  ),
  rule(
    'A parameter beyond the specification adds no field, save those of view=named and include=textRow',
    async (kit) => {
      const { id } = await kit.finished()
      const { paths } = await kit.get('/openapi.json', { key: null })
      const { videos } = await kit.get(`/jobs/${id}/results?status=success`)
      for (const name of Object.keys(SPECIFIED)) {
        const [method = '', path = ''] = name.split(' ')
        const file = `${videos[0]['index']}.json`
        const address = path.replace('{id}', id).replace('{file}', file)
        const { parameters = [] } = paths[path][method.toLowerCase()]
        const asked = ['', ...parameters.flatMap(queriesOf)]
        // Each answer is held against the closed shape of what was asked.
        for (const query of asked) await asks(kit, method, `${address}${query}`)
      }
    },
  ),
]

/** The component Job is also that of POST /jobs, whose answers alone have notices. */
const NOTICES = /(^|\/)notices$/

type Field = { isExtension: boolean; isRequired: boolean }

/** Returns the fields of a schema by their paths; `components` are those that it may refer to. */
function fieldsOf(schema: Shape | Json, components: Json = {}): Map<string, Field> {
  const found = new Map<string, Field>()
  const visit = (part: Json, at: string, isWithin = false): void => {
    const { $ref, anyOf = [], properties = {}, required = [], items } = part
    if ($ref !== undefined) visit(components[String($ref).split('/').at(-1) ?? ''], at, isWithin)
    for (const one of anyOf) visit(one, at, isWithin)
    if (items !== undefined) visit(items, `${at}/0`, isWithin)
    for (const [name, field] of Object.entries<Json>(properties)) {
      const isExtension = isWithin || field['x-extension'] === true
      found.set(`${at}/${name}`, { isExtension, isRequired: required.includes(name) })
      visit(field, `${at}/${name}`, isExtension)
    }
  }
  visit(schema, '')
  return found
}

/** Returns queries that try a parameter: each of its words, or its least number, or its example. */
function queriesOf({ in: place, name, schema, example }: Json): string[] {
  if (place !== 'query') return []
  const { enum: words, minimum, default: usual } = schema
  const values: unknown[] = words ?? [example ?? minimum ?? usual ?? 'none']
  return values.map((value) => `?${name}=${encodeURIComponent(String(value))}`)
}

async function asks(kit: Kit, method: string, address: string): Promise<void> {
  if (method === 'GET') return void (await kit.get(address))
  const reply = await kit.ask('POST', address, { body: { urls: kit.lines(1), maxVideos: 1 } })
  assert.equal(reply.status, 201, `${address}: ${reply.bytes.toString('utf8', 0, 300)}`)
  kit.started.set(reply.body['id'], reply.body)
  await kit.untilFinal(reply.body['id'])
}
