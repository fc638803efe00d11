/** Printing of the Python client's types: what becomes of the shapes that the OpenAPI document has. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { withBlock } from '../../tools/papers/block.ts'
import { ABOUT, BASES, NAMES_OF_FIELDS, OWN_FIELDS } from '../../tools/papers/python-names.ts'
import { typesPython } from '../../tools/papers/python-types.ts'
import type { Schema } from '../../tools/papers/reference-fields.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const MARKED =
  'a\n# Written by `npm run print`: what the service answers, after its OpenAPI document.\n# End of what is printed.\nb\n'

/** Prints a document whose operations answer with these components, or with others; operations of webhooks do, too. */
function printed(schemas: Record<string, Schema>, answered = Object.keys(schemas)): string {
  const answers = (name: string, tag: string) => {
    const schema = { $ref: `#/components/schemas/${name}` }
    const content = { 'application/json': { schema } }
    return { get: { tags: [tag], responses: { 200: { content }, 204: {}, 404: { content } } } }
  }
  const paths = [
    ...answered.map((name) => [`/${name}`, answers(name, 'Jobs')]),
    ['/webhooks', answers('Webhook', 'Webhooks')],
  ]
  return typesPython({ paths: Object.fromEntries(paths), components: { schemas } }, MARKED)
}

test('every shape becomes a type that Python 3.9 knows', () => {
  const text = printed({
    Words: { enum: ['a', 'b'], type: 'string' },
    Segment: {
      required: ['a', 'b', 'c', 'd', 'e'],
      properties: {
        a: { $ref: '#/components/schemas/Words', description: 'Null never' },
        b: { anyOf: [{ type: 'number', description: 'Seconds' }, { type: 'null' }] },
        c: { type: 'object', patternProperties: { '^.*$': { type: 'integer' } } },
        d: { type: 'array', items: { required: ['x'], properties: { x: { type: 'boolean' } } } },
        e: { anyOf: [{ type: 'string' }, { $ref: '#/components/schemas/Balance' }] },
        f: { type: 'object' },
        g: { type: 'array' },
      },
    },
    Balance: { properties: {} },
  })
  const classes = [
    'class Balance(TypedDict):\n    pass\n',
    'class SegmentD(TypedDict):\n    x: bool\n',
    'class _SegmentOptional(TypedDict, total=False):\n    f: Dict[str, Any]\n    g: List[Any]\n',
    `class Segment(_SegmentOptional):
    """There may be no \`f\` or \`g\`."""

    # None never.
    a: str
    # Seconds.
    b: Optional[float]
    c: Dict[str, int]
    d: List[SegmentD]
    e: Union[str, Balance]
`,
  ]
  const places = classes.map((one) => text.indexOf(`\n\n${one}\n\n`))
  assert.ok(places.every((place) => place > 0))
  assert.ok(places.indexOf(Math.max(...places)) === classes.length - 1, 'bases come first')
  assert.ok(text.startsWith('a\n') && text.endsWith('# End of what is printed.\nb\n'))
})

test('a type has only what it adds to its base, which must be the same in both', () => {
  const id: Schema = { required: ['id'], properties: { id: { type: 'string' } } }
  const both = { ...id, properties: { ...id.properties, more: { type: 'integer' } } }
  const text = printed({ BatchSummary: id, Batch: both })
  assert.match(text, /class Batch\(BatchSummary, _BatchOptional\):\n {4}"""[^"]+"""\n\n\n/)
  for (const Batch of [{ properties: {} }, { ...id, properties: { id: { type: 'integer' } } }])
    assert.throws(() => printed({ BatchSummary: id, Batch }), /cannot build on “BatchSummary”/)
})

test('what cannot be told to Python is named', () => {
  assert.throws(() => printed({ Segment: { properties: { a: {} } } }), /“Segment.a” has no type/)
  assert.throws(() => printed({}, ['Segment']), /no component “Segment”/)
  const one = (type: string): Schema => ({
    properties: { snippet: { properties: { x: { type } } } },
  })
  assert.throws(
    () => printed({ SearchHit: one('string'), Mention: one('integer') }),
    /two unlike objects are called “SnippetPiece”/,
  )
})

test('every name in the tables is that of a type, and every place that of a field', () => {
  const client = fs.readFileSync(path.join(ROOT, 'clients/python/scriptorium_client.py'), 'utf8')
  const bodies = new Map(
    [...client.matchAll(/^class _?(\w+?)(?:Optional)?\((.*)\):\n((?: {4}.*\n|\n(?= ))+)/gm)].map(
      ([, name = '', , body = '']) => [name, body],
    ),
  )
  const tables = [BASES, OWN_FIELDS, ABOUT].flatMap((table) => Object.keys(table))
  assert.deepEqual(
    [...tables, ...Object.values(NAMES_OF_FIELDS)].filter((name) => !bodies.has(name)),
    [],
  )
  for (const [place, name] of Object.entries(NAMES_OF_FIELDS)) {
    const [owner = '', field] = place.split('.')
    assert.match(client, new RegExp(`^ {4}${field}: .*\\b${name}\\b`, 'm'), place)
    assert.ok(bodies.has(owner), place)
  }
})

test('blocks of one file end with the same mark, and none swallows another', () => {
  const marks = (open: string): { open: string; close: string } => ({ open, close: 'end' })
  const text = '<p: a>1end <p: b>2end'
  assert.equal(withBlock(text, marks('<p: a>'), 'X'), '<p: a>Xend <p: b>2end')
  assert.equal(withBlock(text, marks('<p: b>'), 'X'), '<p: a>1end <p: b>Xend')
  for (const torn of ['<p: a>1 <p: b>2end', '<p: a>1', '1end', `${text}<p: a>end`])
    assert.throws(() => withBlock(torn, marks('<p: a>'), 'X'), /must stand in the file once/)
})
