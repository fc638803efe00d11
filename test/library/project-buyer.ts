/** Customers of tests of projects: one with two orders of two channels, and what they ask. */
import assert from 'node:assert/strict'
import type { Json } from '../../tools/conformance/http.ts'
import { sharedService } from '../support/shared-service.ts'

/** Starts the service, and a buyer with an order of each of two channels. */
export async function projectBuyer(scope: Parameters<typeof sharedService>[0]) {
  const { platform, customer, database, address } = await sharedService(scope)
  const { world } = platform
  const buyer = await customer('10')
  const ordered = async (name: string, maxVideos: number) =>
    buyer.orders({ urls: [`https://www.youtube.com/${world.channel(name).handle}`], maxVideos })
  const orders = [await ordered('small', 6), await ordered('german', 5)]

  async function sends(method: string, path: string, body?: Json, who = buyer): Promise<Json> {
    const reply = await who.asks(method, path, body === undefined ? {} : { body })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.bytes.toString()}`)
    return reply.body
  }

  async function refused(method: string, path: string, body?: Json, who = buyer): Promise<Json> {
    const reply = await who.asks(method, path, body === undefined ? {} : { body })
    assert.ok(reply.status >= 400, `${method} ${path}`)
    return { status: reply.status, ...reply.body['error'] }
  }

  function fetched(path: string, headers: Record<string, string> = {}): Promise<Response> {
    const authorization = `Bearer ${buyer.apiKey}`
    return fetch(`${address}/api/v1${path}`, { headers: { authorization, ...headers } })
  }

  async function bytesOf(path: string): Promise<Buffer> {
    const reply = await fetched(path)
    assert.equal(reply.status, 200, path)
    return Buffer.from(await reply.arrayBuffer())
  }

  /** Returns delivered rows of an order as a project takes them. */
  function delivered(order: number): { jobId: string; index: number; row: Json }[] {
    const { job, rows } = orders[order]!
    return rows
      .filter(({ status }) => status === 'success')
      .map((row) => ({ jobId: job['id'], index: row['index'], row }))
  }

  const makes = (name: string) => sends('POST', '/projects', { name })

  return {
    world,
    buyer,
    orders,
    customer,
    database,
    sends,
    refused,
    fetched,
    bytesOf,
    delivered,
    makes,
  }
}

export const keys = (rows: { jobId: string; index: number }[]) =>
  rows.map(({ jobId, index }) => ({ jobId, index }))
