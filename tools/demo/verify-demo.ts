/** Verifies the demo's job against the emulator's truth, not against our own code. */
import type { Job, Scriptorium, Video } from '../../clients/typescript/src/index.ts'
import type { Emulator } from '../../emulator/server.ts'
import { truthOf } from '../../emulator/truth.ts'

const PRICE_MICROS = 8_000n

/** Returns one sentence for each fault. */
export async function findFaults({
  client,
  platform,
  job,
  rows,
  creditMicros,
}: {
  client: Scriptorium
  platform: Emulator
  job: Job
  rows: Video[]
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
  if (micros((await client.balance()).balance) !== creditMicros - cost)
    faults.push('the balance is not credit less charge')

  const zip = await new Response(await client.files.zip(job.id)).bytes()
  if (new TextDecoder().decode(zip.subarray(0, 2)) !== 'PK') faults.push('the ZIP is none')
  return faults
}

function faultsOfRow(platform: Emulator, row: Video): string[] {
  if (row.videoId === null) return []
  const [video] = truthOf(platform.world, { video: row.videoId }).videos
  if (video === undefined) return [`row ${row.index}: the world has no video ${row.videoId}`]
  if (row.status !== video.status)
    return [`row ${row.index}: ${row.status}, and the world says ${video.status}`]
  if (row.status !== 'success') return []
  const said = (row.segments ?? []).map((segment) => segment.text).join(' ')
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
