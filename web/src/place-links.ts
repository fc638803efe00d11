/** Links to a moment of a video: at the platform, and in the reader. Pure. */

/** A text of the library; times are in milliseconds, `endMs` is null for a moment without an end. */
export type LinkedPlace = { jobId: string; index: number; startMs: number; endMs: number | null }

/** Returns the address of the video at that second. */
export function videoAt(url: string, ms: number): string {
  if (!URL.canParse(url)) return url
  const address = new URL(url)
  address.searchParams.set('t', `${Math.floor(ms / 1000)}s`)
  return address.href
}

/** Returns the reader's address that opens there and marks what is said: `/jobs/ID/3?t=247&end=252`. */
export function placeAddress({ jobId, index, startMs, endMs }: LinkedPlace): string {
  const start = Math.floor(startMs / 1000)
  const end = endMs === null ? start : Math.ceil(endMs / 1000)
  return `/jobs/${jobId}/${index}?t=${start}${end > start ? `&end=${end}` : ''}`
}
