/** The table `video_details`: what the platform says of videos beside their captions. */
import { type RawBuilder, sql } from 'kysely'
import { NO_DETAILS, type VideoDetails } from '../model/library/video-details.ts'
import type { Db } from './database.ts'

type DetailsRow = Omit<VideoDetails, 'viewCount'> & { videoId: string; viewCount: bigint | null }

/** By video id; videos of which nothing is known are missing. */
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

/** A part of recording rows: what was learnt of the videos in `ready`. What is new wins over what was known. */
export function upsertDetails(): RawBuilder<unknown> {
  return sql`, learnt as (
      insert into video_details (video_id, channel_id, duration_seconds, view_count, keywords, description, category)
      select video_id, channel_id, duration_seconds, view_count, keywords, description, category
      from held, ready where is_learnt order by video_id
      on conflict (video_id) do update
      set channel_id = coalesce(excluded.channel_id, video_details.channel_id),
        duration_seconds = coalesce(excluded.duration_seconds, video_details.duration_seconds),
        view_count = coalesce(excluded.view_count, video_details.view_count),
        keywords = coalesce(excluded.keywords, video_details.keywords),
        description = coalesce(excluded.description, video_details.description),
        category = coalesce(excluded.category, video_details.category), learnt_at = now()
    )`
}
