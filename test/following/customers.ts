/** Acts of customers on subscriptions. */
import assert from 'node:assert/strict'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'

/** Follows a channel or playlist. */
export async function follows(customer: Customer, url: string | null, more: Json): Promise<Json> {
  const { status, body } = await customer.asks('POST', '/subscriptions', { body: { url, ...more } })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

export function read(customer: Customer, { id }: Json): Promise<Json> {
  return customer.gets(`/subscriptions/${id}`)
}

export async function stops(customer: Customer, { id }: Json): Promise<void> {
  assert.equal((await customer.asks('DELETE', `/subscriptions/${id}`)).status, 204)
}

/** Returns the ids of delivered videos, over jobs from the oldest to the newest. */
export async function deliveredBy(customer: Customer, jobs: string[]): Promise<string[]> {
  return takenUpBy(customer, jobs, 'success')
}

export async function takenUpBy(
  customer: Customer,
  jobs: string[],
  status: string | null = null,
): Promise<string[]> {
  const pages = await Promise.all(
    jobs.toReversed().map((id) => customer.gets(`/jobs/${id}/results?view=rows`)),
  )
  return pages
    .flatMap(({ videos }) => videos)
    .filter((video: Json) => status === null || video['status'] === status)
    .map((video: Json) => video['videoId'])
}
