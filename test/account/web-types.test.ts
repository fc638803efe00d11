/**
 * The website's client is typed from the API's own description. `UPDATE_WEB_TYPES=1 npm test --
 * web-types` writes the types anew.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { testService } from '../support/service.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const TYPES = path.join(ROOT, 'web/src/api/schema.d.ts')

const { address } = await testService({ after })

test('the website knows the API as its description describes it', async () => {
  const document = (await (await fetch(`${address}/api/v1/openapi.json`)).json()) as Record<
    string,
    unknown
  >
  const printer = path.join(ROOT, 'tools/openapi-types/print.ts')
  const input = JSON.stringify({ ...document, servers: [] })
  const printed = spawnSync(process.execPath, [printer], { input, encoding: 'utf8' })
  assert.equal(printed.status, 0, printed.stderr)
  if (process.env['UPDATE_WEB_TYPES'] === '1') fs.writeFileSync(TYPES, printed.stdout)
  assert.equal(
    fs.readFileSync(TYPES, 'utf8'),
    printed.stdout,
    'write them anew: see the head of this test',
  )
})
