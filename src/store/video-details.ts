/** The table `video_details`: what the platform says about videos besides their captions. */
import { sql } from 'kysely'
import { NO_DETAILS, type VideoDetails } from '../model/library/video-details.ts'
import type { Db } from './database.ts'

type DetailsRow = Omit<VideoDetails, 'viewCount'> & { videoId: string; viewCount: bigint | null }

/** Returns details by video id; videos about which nothing is known are missing. */
export async function readDetails(db: Db, videoIds: string[]): Promise<Map<string, VideoDetails>> {
  if (videoIds.length === 0) return new Map()
  const { rows } = await sql<DetailsRow>`
    select video_id as "videoId", channel_id as "channelId", duration_seconds as "durationSeconds",
      view_count as "viewCount", keywords, description, category
    from video_details where video_id = any(${videoIds})
  `.execute(db)
  return new Map(
    rows.map(({ videoId, viewCount, ...rest }) => {
      return [
        videoId,
        { ...NO_DETAILS, ...rest, viewCount: viewCount === null ? null : Number(viewCount) },
      ]
    }),
  )
}
