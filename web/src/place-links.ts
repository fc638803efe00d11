/** Links to a moment of a video in the reader. Pure. */

/** A text of the library; times are in milliseconds, `endMs` is null for a moment without an end. */
type LinkedPlace = { jobId: string; index: number; startMs: number; endMs: number | null }

/** Returns the reader's address that opens there and marks what is said: `/jobs/ID/3?t=247&end=252`. */
export function placeAddress({ jobId, index, startMs, endMs }: LinkedPlace): string {
  const start = Math.floor(startMs / 1000)
  const end = endMs === null ? start : Math.ceil(endMs / 1000)
  return `/jobs/${jobId}/${index}?t=${start}${end > start ? `&end=${end}` : ''}`
}
