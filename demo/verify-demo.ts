/** Verifies the demo's job against the emulator's truth, not against our own code. */
import type { Customer } from '../conformance/customer.ts'
import type { Json } from '../conformance/http.ts'
import type { Emulator } from '../emulator/server.ts'
import { truthOf } from '../emulator/truth.ts'

const PRICE_MICROS = 8_000n

/** One sentence for each thing that is not as it must be. */
export async function findFaults({
  customer,
  platform,
  job,
  rows,
  creditMicros,
}: {
  customer: Customer
  platform: Emulator
  job: Json
  rows: Json[]
  creditMicros: bigint
}): Promise<string[]> {
  const faults = rows.flatMap((row) => faultsOfRow(platform, row))
  const delivered = rows.filter((row) => row.status === 'success').length
  if (job.state !== 'finished') faults.push(`the job is ${job.state}`)
  if (delivered === 0) faults.push('nothing was delivered')
  if (!rows.some((row) => row.status === 'invalid_url'))
    faults.push('the terminated channel has no row')

  const cost = BigInt(delivered) * PRICE_MICROS
  if (micros(job.billing.charged) !== cost)
    faults.push(`${delivered} transcripts were charged with ${job.billing.charged}`)
  if (micros(await customer.balance()) !== creditMicros - cost)
    faults.push('the balance is not credit less charge')

  const { status, bytes } = await customer.asks('GET', `/jobs/${job.id}/files/zip`)
  if (status !== 200 || bytes.subarray(0, 2).toString() !== 'PK')
    faults.push(`the ZIP answered ${status}`)
  return faults
}

function faultsOfRow(platform: Emulator, row: Json): string[] {
  if (row.videoId === null) return []
  const [video] = truthOf(platform.world, { video: row.videoId }).videos
  if (video === undefined) return [`row ${row.index}: the world has no video ${row.videoId}`]
  if (row.status !== video.status)
    return [`row ${row.index}: ${row.status}, and the world says ${video.status}`]
  if (row.status !== 'success') return []
  const said = (row.segments ?? []).map((segment: Json) => segment.text).join(' ')
  const isPublished = video.tracks.some(
    (track) => track.segments.map((segment) => segment.text).join(' ') === said,
  )
  return isPublished && row.text === said
    ? []
    : [`row ${row.index}: its words are not those of any published track`]
}

function micros(usd: string | null): bigint {
  return usd === null ? -1n : BigInt(Math.round(Number(usd) * 1_000_000))
}
