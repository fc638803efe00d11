/** The OpenAPI document under the rules of a public linter. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { testService } from '../support/service.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const LINTER = path.join(ROOT, 'node_modules/.bin/redocly')

const { address } = await testService(
  { after },
  { env: { ROLES: 'api', PUBLIC_URL: 'https://transcripts.test' } },
)

test(
  'redocly finds nothing wrong under its recommended rules',
  { skip: fs.existsSync(LINTER) ? false : '@redocly/cli is not installed' },
  async () => {
    const document: unknown = await (await fetch(`${address}/api/v1/openapi.json`)).json()
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'lint-')), 'openapi.json')
    fs.writeFileSync(file, JSON.stringify(document))
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const { status, stdout, stderr } = spawnSync(
      LINTER,
      ['lint', file, '--extends=recommended', '--format=json', '--max-problems=20'],
      { encoding: 'utf8', env },
    )
    fs.rmSync(path.dirname(file), { recursive: true })
    assert.equal(status, 0, stderr)
    assert.deepEqual(JSON.parse(stdout.slice(stdout.indexOf('{'))).problems, [])
  },
)
