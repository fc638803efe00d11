/** Prints TypeScript types for the OpenAPI document on standard input. */
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { createClient, type UserConfig } from '@hey-api/openapi-ts'

/** Operations whose parameters are typed from the document; of all others only the schemas are. */
const OPERATIONS = [
  'GET /jobs/{id}/results',
  'GET /library',
  'GET /library/{id}/videos',
  'GET /search',
  'GET /search/mentions',
]

const document = {
  ...JSON.parse(await text(process.stdin), readMap),
  servers: [],
  webhooks: {},
} as UserConfig['input']
const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'openapi-types-'))
try {
  await createClient({
    input: document,
    output: { path: folder, entryFile: false, header: [] },
    plugins: ['@hey-api/typescript'],
    parser: { filters: { operations: { include: OPERATIONS }, orphans: true } },
    logs: { level: 'silent', file: false },
  })
  const types = await fs.readFile(path.join(folder, 'types.gen.ts'), 'utf8')
  process.stdout.write(
    `/** Types of the public API, written from its OpenAPI document by \`npm run print\`. */\n\n${types}`,
  )
} finally {
  await fs.rm(folder, { recursive: true })
}

/** The generator knows maps by `additionalProperties` only; a pattern that every name fits is the same. */
function readMap(_name: string, value: unknown): unknown {
  const schema = value as { patternProperties?: Record<string, unknown> } | null
  const { patternProperties, ...rest } = schema ?? {}
  const every = patternProperties?.['^.*$']
  return every === undefined ? value : { ...rest, additionalProperties: every }
}
