/** Both clients check webhooks as the Standard Webhooks reference signs them. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook, WebhookError } from '../../clients/typescript/src/index.ts'
import { needs } from '../support/needs.ts'

const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes ...').toString('base64')}`
const OLD_SECRET = `whsec_${Buffer.from('an older secret ................').toString('base64')}`
const BODY = '{"type":"job.finished","timestamp":"2026-11-22T12:00:00Z","data":{"id":"ü"}}'
const PYTHON_FOLDER = path.resolve(import.meta.dirname, '../../clients/python')

function signed(body: string, { secret = SECRET, ageSeconds = 0 } = {}): Record<string, string> {
  const at = new Date(Date.now() - ageSeconds * 1000)
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
  }
}

const both = (a: Record<string, string>, b: Record<string, string>): Record<string, string> => ({
  ...a,
  'webhook-signature': `${a['webhook-signature']} ${b['webhook-signature']}`,
})

const GENUINE: [string, Record<string, string>][] = [
  ['a webhook', signed(BODY)],
  ['one of three minutes ago', signed(BODY, { ageSeconds: 180 })],
  ['one signed twice during a rotation', both(signed(BODY, { secret: OLD_SECRET }), signed(BODY))],
]
const { 'webhook-id': _id, ...nameless } = signed(BODY)
const FORGED: [string, string, Record<string, string>][] = [
  ['another body', `${BODY} `, signed(BODY)],
  ['another secret', BODY, signed(BODY, { secret: OLD_SECRET })],
  ['another id', BODY, { ...signed(BODY), 'webhook-id': 'msg_2' }],
  ['one of ten minutes ago', BODY, signed(BODY, { ageSeconds: 600 })],
  ['one of the future', BODY, signed(BODY, { ageSeconds: -600 })],
  ['one without an id', BODY, nameless],
  ['one without a time', BODY, { ...signed(BODY), 'webhook-timestamp': 'now' }],
  ['one with nonsense for a signature', BODY, { ...signed(BODY), 'webhook-signature': 'v1,?? v2' }],
]

for (const [what, headers] of GENUINE) {
  test(`${what} is genuine`, async () => {
    const event = await verifyWebhook(BODY, headers, SECRET)
    assert.deepEqual(event, JSON.parse(BODY))
    const bytes = new TextEncoder().encode(BODY)
    assert.deepEqual(await verifyWebhook(bytes, new Headers(headers), SECRET), event)
  })
}

for (const [what, body, headers] of FORGED) {
  test(`${what} is refused`, async () => {
    await assert.rejects(verifyWebhook(body, headers, SECRET), WebhookError)
  })
}

test('the Python client judges the same', needs('python3'), () => {
  const cases = [
    ...GENUINE.map(([, headers]) => [BODY, headers]),
    ...FORGED.map(([, ...rest]) => rest),
  ]
  const program = `
import json, sys
import scriptorium_client as sc
for body, headers in json.load(sys.stdin):
    try:
        print(sc.verify_webhook(body, headers, ${JSON.stringify(SECRET)})["data"]["id"])
    except sc.WebhookError:
        print("refused")
`
  const { stdout, stderr } = spawnSync('python3', ['-c', program], {
    input: JSON.stringify(cases),
    encoding: 'utf8',
    env: {
      ...process.env,
      PYTHONPATH: PYTHON_FOLDER,
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONUTF8: '1',
    },
  })
  const expected = [...GENUINE.map(() => 'ü'), ...FORGED.map(() => 'refused')]
  assert.deepEqual(stdout.trim().split('\n'), expected, stderr)
})
