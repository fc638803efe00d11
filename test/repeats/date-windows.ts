/** Windows of publish dates over a channel, and what a job did within them. */
import type { Json } from '../../tools/conformance/http.ts'
import type { TestService } from '../support/service.ts'
import type { DatedVideo } from './asking-again.ts'

export type Bounds = { publishedAfter?: string; publishedBefore?: string }

export function isInWindow(
  { publishedAt }: DatedVideo,
  { publishedAfter, publishedBefore }: Bounds,
): boolean {
  if (publishedAt === null) return false
  const at = Date.parse(publishedAt)
  const isAfter = publishedAfter === undefined || at >= Date.parse(publishedAfter)
  return isAfter && (publishedBefore === undefined || at <= Date.parse(publishedBefore))
}

/** Returns the UTC instant of the video: a bound that includes it and nothing beyond. */
export function instantOf(video: DatedVideo | undefined): string {
  return new Date(Date.parse(video?.publishedAt ?? '')).toISOString()
}

export function attempted(rows: Json[]): string[] {
  return rows
    .filter(({ status }) => !['skipped', 'unchanged', 'truncated'].includes(status))
    .map(({ videoId }) => videoId)
}

export function datesAsked({ platform }: TestService): number {
  return platform.log.counts().byKindAndClient['player WEB'] ?? 0
}
