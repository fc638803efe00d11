/** A customer who asks again and again, with a fresh key each time so that no rate limit is met. */
import assert from 'node:assert/strict'
import type { Channel, Video } from '../../emulator/model.ts'
import { publishDateOf, truthOf, type TruthVideo } from '../../emulator/truth.ts'
import type { World } from '../../emulator/world.ts'
import { issueKey } from '../../src/features/accounts/keys.ts'
import { transact } from '../../src/kit/postgres/database.ts'
import { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import type { TestService } from '../support/service.ts'

export type Answered = { job: Json; rows: Json[] }
export type Asker = {
  accountId: string
  /** Returns a customer of the account with a new key. */
  key(): Promise<Customer>
  /** Starts a job, waits for its end, reads its rows and compares them with job and charge. */
  asks(body: Json): Promise<Answered>
  balanceMicros(): Promise<number>
}

const PRICE_MICROS = 8000

export async function asker(
  service: Omit<TestService, 'another'>,
  creditUsd = '50',
): Promise<Asker> {
  const { accountId } = await service.customer(creditUsd)
  const key = async (): Promise<Customer> => {
    const { apiKey } = await transact(service.database.db, (tx) =>
      issueKey(tx, { accountId, name: 'again' }),
    )
    return new Customer({ address: service.address, accountId, apiKey })
  }
  const balanceMicros = async (): Promise<number> =>
    (await (await key()).gets('/balance')).balanceMicros
  return {
    accountId,
    key,
    balanceMicros,
    async asks(body) {
      const before = await balanceMicros()
      const job = await (await key()).startsJob(body)
      const ended = await (await key()).waitsFor(job)
      const rows = await (await key()).readsRows(ended)
      const delivered = rows.filter(({ status }) => status === 'success').length
      checkRows({ job: ended, rows })
      assert.equal(
        before - (await balanceMicros()),
        delivered * PRICE_MICROS,
        'the charge is what was delivered',
      )
      return { job: { ...ended, notices: job.notices }, rows }
    },
  }
}

/** Checks what holds for the rows of every final job. */
export function checkRows({ job, rows }: Answered): void {
  const counts: Record<string, number> = {}
  for (const { status } of rows) counts[status] = (counts[status] ?? 0) + 1
  const reported = Object.fromEntries(
    Object.entries(job.progress.counts).filter(([, count]) => count !== 0),
  )
  assert.deepEqual(reported, counts)
  assert.equal(job.progress.processed, rows.length)
  assert.equal(job.progress.delivered, counts.success ?? 0)
  assert.equal(job.billing.chargedTranscripts, counts.success ?? 0)
  assert.deepEqual(
    rows.map(({ index }) => index),
    rows.map(({ index }) => index).toSorted((a, b) => a - b),
  )
  const named = rows.flatMap(({ videoId }) => (videoId === null ? [] : [videoId]))
  assert.equal(new Set(named).size, named.length, 'one row for each video')
  assert.ok(
    job.progress.discovered >= rows.length,
    `${job.progress.discovered} discovered, ${named.length} rows`,
  )
}

export function channelUrl({ channelId }: Pick<Channel, 'channelId'>): string {
  return `https://www.youtube.com/channel/${channelId}`
}

export function playlistUrl({ playlistId }: { playlistId: string }): string {
  return `https://www.youtube.com/playlist?list=${playlistId}`
}

/** Returns the videos of a channel as it lists them. */
export function uploadsOf(world: World, { channelId }: Channel): TruthVideo[] {
  return truthOf(world, { channel: channelId, limit: 100_000 }).videos
}

/**
 * Returns the first `count` videos with their dates, without words, which take long to make for thousands. A null date
 * is one that the platform tells nobody.
 */
export function datedUploadsOf(world: World, channel: Channel, count: number): DatedVideo[] {
  const list = world.uploads(channel, null)
  return Array.from({ length: Math.min(count, list.length) }, (_, at) => datedVideo(list.at(at)))
}

export type DatedVideo = { videoId: string; publishedAt: string | null }

export function datedVideo(video: Video): DatedVideo {
  const isHidden = ['private', 'not_found'].includes(video.state)
  return { videoId: video.videoId, publishedAt: isHidden ? null : publishDateOf(video) }
}

export function withStatus(rows: Json[], status: string): string[] {
  return rows.filter((row) => row.status === status).map(({ videoId }) => videoId)
}

export function deliverable(videos: TruthVideo[]): string[] {
  return videos.filter(({ status }) => status === 'success').map(({ videoId }) => videoId)
}
