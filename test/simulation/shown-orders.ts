/** Orders of an account that owns some of what it orders, with all that it is shown of them before and after. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import type { World } from '../../emulator/world.ts'
import type { Agent } from '../mcp/agents.ts'
import { views } from '../previews/previewing.ts'
import { uploadsOf } from '../repeats/asking-again.ts'
import { until } from '../support/until.ts'

/** Which preview an order names: its own, one from before the account's other orders, or one of other limits. */
export type Named = 'none' | 'own' | 'early' | 'other'
export type DrawnOrder = {
  lines: number[]
  way: 'job' | 'tool' | 'batch'
  owned: 'skip' | 'again'
  maxVideos: number
  named: Named
  isDated: boolean
}

const order: fc.Arbitrary<DrawnOrder> = fc.record({
  lines: fc.uniqueArray(fc.nat(31), { minLength: 1, maxLength: 4 }),
  way: fc.constantFrom('job', 'job', 'job', 'tool', 'batch'),
  owned: fc.constantFrom('skip', 'again'),
  maxVideos: fc.constantFrom(2, 5, 12, 60, 60),
  named: fc.constantFrom('none', 'none', 'own', 'early', 'other'),
  isDated: fc.integer({ min: 0, max: 7 }).map((whim) => whim === 0),
})
export const account = fc.array(order, { minLength: 2, maxLength: 4 })

const AGAIN = { way: 'job', owned: 'again', maxVideos: 60, named: 'none', isDated: false } as const

/** Accounts that were told too little: by the preview of a smaller order, and by a list that was never read. */
export const TOLD_TOO_LITTLE: DrawnOrder[][] = [
  [
    { ...AGAIN, lines: [0] },
    { ...AGAIN, lines: [1], named: 'other' },
  ],
  [
    { ...AGAIN, lines: [11, 12, 13, 14, 15] },
    { ...AGAIN, lines: [11, 6] },
  ],
]

/** The lines that orders are made of: names of one channel, lists that overlap with it and others, and videos. */
export function linesOf(world: World): string[] {
  const list = (key: string): string =>
    `https://www.youtube.com/playlist?list=${world.playlist(key).playlistId}`
  const channel = world.channel('small')
  const videos = uploadsOf(world, channel).slice(0, 12)
  const specials = ['private', 'none'].flatMap((key) => {
    try {
      return [world.special(key).videoId]
    } catch {
      return []
    }
  })
  const lines = [
    channel.handle!,
    `https://www.youtube.com/channel/${channel.channelId}`,
    `https://www.youtube.com/${channel.handle}/videos`,
    ...['seven', 'seven', 'dups', 'dups', 'private', 'mid', 'hundred'].map(list),
    world.channel('quiet').handle!,
    ...videos.map(({ videoId }) => videoId),
    ...specials,
  ]
  return Array.from({ length: 32 }, (_, at) => lines[at % lines.length]!)
}

/** What an account was shown of an order before it, and what became of it. */
export type Shown = {
  preview: Json
  owned: string | null
  notices: string[]
  reserved: number
  jobs: Json[]
  rows: Json[][]
  batch: Json | null
  tool: Json | null
}

export const micros = (usd: string): number => Math.round(Number(usd.replaceAll(/[$,]/g, '')) * 1e6)

export const bodyOf = ({ lines, maxVideos, isDated }: DrawnOrder, all: string[]): Json => ({
  urls: [...new Set(lines.map((at) => all[at]!))],
  maxVideos,
  ...(isDated ? { publishedAfter: '2026-09-01' } : {}),
})

/** The body of a preview that is not the order's: of fewer videos. */
export const otherOf = (body: Json): Json => ({ ...body, maxVideos: 1 })

export type Buyer = { customer: Customer; agent: Agent; all: string[] }

/** Orders, and waits for the end of all jobs. */
export async function buys(
  { customer, agent, all }: Buyer,
  drawn: DrawnOrder,
  early: Json,
): Promise<Shown> {
  const body = bodyOf(drawn, all)
  const { owned, way, named } = drawn
  const preview = await views(customer, body, `?owned=${owned}`)
  const told = { preview, owned: null, notices: [], reserved: 0, batch: null, tool: null }
  if (way === 'batch') return { ...told, ...(await buysBatch(customer, body, owned)) }
  if (way === 'tool') {
    const args = { ...body, owned, waitSeconds: 45, previewId: preview['id'] }
    const tool = await agent.asks('start_job', args)
    const job = await customer.waitsFor({ id: tool['jobId'] })
    const rows = [await customer.readsRows(job)]
    return { ...told, notices: tool['notices'] ?? [], jobs: [job], rows, tool }
  }
  const other = named === 'other' ? await views(customer, otherOf(body), '?owned=again') : null
  const id = { none: null, own: preview['id'], early: early['id'], other: other?.['id'] }[named]
  const reply = await customer.asks(
    'POST',
    `/jobs?owned=${owned}${id === null ? '' : `&preview=${id}`}`,
    { body, headers: { Prefer: 'wait=30' } },
  )
  assert.equal(reply.status, 201, reply.bytes.toString())
  const job = await customer.waitsFor(reply.body)
  return {
    ...told,
    owned: reply.headers.get('x-owned-videos'),
    notices: reply.body['notices'],
    reserved: micros(reply.body['billing'].reserved),
    jobs: [job],
    rows: [await customer.readsRows(job)],
  }
}

async function buysBatch(customer: Customer, body: Json, owned: string) {
  const reply = await customer.asks('POST', `/batches?owned=${owned}`, { body })
  assert.equal(reply.status, 201, reply.bytes.toString())
  const { id, notices } = reply.body
  let batch: Json = {}
  await until(`batch ${id} rests`, async () => {
    batch = await customer.gets(`/batches/${id}`)
    return batch['state'] !== 'running'
  })
  const jobs = await Promise.all(batch['jobs'].map((job: Json) => customer.waitsFor(job)))
  const rows = await Promise.all(jobs.map((job) => customer.readsRows(job)))
  return { notices, jobs, rows, batch }
}
