/** Published keys that cannot be read, which says nothing about a receipt. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ConnectionError,
  NotFoundError,
  type Receipt,
  ReceiptError,
  ScriptoriumError,
  ServerBusyError,
  verifyReceipt,
} from '../../clients/typescript/src/index.ts'

const ISSUER = 'https://texts.example'
const RECEIPT = { issuer: ISSUER } as Receipt // the keys are read before any other field

const CASES = [
  ['lost', async () => Promise.reject(new TypeError('fetch failed')), ConnectionError],
  ['busy', async () => new Response('', { status: 503 }), ServerBusyError],
  ['missing', async () => new Response('', { status: 404 }), NotFoundError],
  ['a page', async () => new Response('<p>A page</p>'), ScriptoriumError],
  ['none', async () => Response.json(null), ScriptoriumError],
] as const

for (const [what, fetch, Expected] of CASES) {
  test(`keys that cannot be read (${what}) are not taken for a receipt that is not valid`, async () => {
    await assert.rejects(verifyReceipt(RECEIPT, { issuer: ISSUER, fetch }), (error) => {
      assert.ok(error instanceof Expected && !(error instanceof ReceiptError))
      assert.match(error.message, /^The keys of the issuer could not be read: https:.*-keys.json /)
      return true
    })
  })
}
