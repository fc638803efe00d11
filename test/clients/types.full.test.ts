/**
 * The client library's types are those of the API's own description, and the account API's types those of its schemas.
 * `UPDATE_TYPES=1 npm test -- clients/types` writes the types anew.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { REPLIES } from '../../src/api/account-api/replies.ts'
import { sharedService } from '../support/shared-service.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

const { address } = await sharedService({ after }, ['api'])

test('the client library knows the API as its description describes it', async () => {
  const document = (await (await fetch(`${address}/api/v1/openapi.json`)).json()) as object
  compare('clients/typescript/src/schema.ts', document)
})

test('the website knows the answers of the account API as their schemas have them', () => {
  const info = { title: 'Account API', version: '1' }
  const schemas: unknown = JSON.parse(JSON.stringify(REPLIES))
  compare(
    'web/src/api/account-schema.d.ts',
    {
      openapi: '3.1.0',
      info,
      paths: {},
      components: { schemas },
    },
    ['what the account API answers', 'src/api/account-api/replies.ts'],
  )
})

/** `head` names the API whose types they are, and their source. */
function compare(file: string, document: object, head: string[] = []): void {
  const printer = path.join(ROOT, 'tools/openapi-types/print.ts')
  const input = JSON.stringify(document)
  const printed = spawnSync(process.execPath, [printer, ...head], { input, encoding: 'utf8' })
  assert.equal(printed.status, 0, printed.stderr)
  const types = path.join(ROOT, file)
  if (process.env['UPDATE_TYPES'] === '1') fs.writeFileSync(types, printed.stdout)
  assert.equal(
    fs.readFileSync(types, 'utf8'),
    printed.stdout,
    'write them anew: see the head of this test',
  )
}
