/** Acts of customers on previews. */
import assert from 'node:assert/strict'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { ATTEMPT_STATUSES } from '../../src/model/jobs/video-row.ts'

/** Starts a preview and waits until it is ready. */
export async function views(customer: Customer, body: Json, query = ''): Promise<Json> {
  const headers = { Prefer: 'wait=30' }
  const {
    status,
    body: preview,
    bytes,
  } = await customer.asks('POST', `/previews${query}`, { body, headers })
  assert.equal(status, 201, bytes.toString().slice(0, 300))
  assert.equal(preview['state'], 'ready')
  return preview
}

/** Starts a job from a preview, waits for its end and reads its rows. */
export async function startsFrom(
  customer: Customer,
  previewId: string,
  body: Json,
  query = '',
): Promise<{ job: Json; rows: Json[] }> {
  const { status, body: job } = await customer.asks('POST', `/jobs?preview=${previewId}${query}`, {
    body,
  })
  assert.equal(status, 201)
  const ended = await customer.waitsFor(job)
  return { job: { ...ended, notices: job['notices'] }, rows: await customer.readsRows(ended) }
}

/** Returns the number of rows whose videos were tried: each took a slot. */
export function triedOf(rows: Json[]): number {
  const tried: ReadonlySet<string> = new Set(ATTEMPT_STATUSES)
  return rows.filter((row) => row['videoId'] !== null && tried.has(row['status'])).length
}
