/** The table `subscription_video`: new videos that are neither delivered nor given up. */
import { sql } from 'kysely'
import type { JobState } from '../model/jobs/job.ts'
import type { RowStatus } from '../model/jobs/video-row.ts'
import type { Tx } from './database.ts'
import type { FollowedOutcome, FollowedVideo } from '../model/follow/followed-video.ts'

type FollowedRow = FollowedVideo & {
  jobState: JobState | null
  status: RowStatus | null
  isTransient: boolean
}

/** A followed video with what its job did; a null `outcome` means that no job has the video. */
export type FollowedLine = { video: FollowedVideo; outcome: FollowedOutcome | null }

/** Returns a subscription's followed videos, oldest first, with what their jobs say. */
export async function listFollowed(
  tx: Tx,
  { id, accountId, urlSetHash }: { id: string; accountId: string; urlSetHash: string },
): Promise<FollowedLine[]> {
  const { rows } = await sql<FollowedRow>`
    select v.video_id as "videoId", v.number, v.found_at as "foundAt", v.due_at as "dueAt", v.young_until as "youngUntil",
      v.tries, v.job_id as "jobId", j.state as "jobState", r.status, coalesce(h.outcome = 'transient', false) as "isTransient"
    from subscription_video v
    left join job j on j.id = v.job_id
    left join video_row r on r.job_id = v.job_id and r.video_id = v.video_id
    left join history h on h.account_id = ${accountId} and h.url_set_hash = ${urlSetHash} and h.video_id = v.video_id
    where v.subscription_id = ${id} order by v.number
  `.execute(tx)
  return rows.map(({ jobState, status, isTransient, ...video }) => ({
    video,
    outcome: jobState === null ? null : { jobState, status, isTransient },
  }))
}

/**
 * Replaces all followed videos of a subscription. A video's `jobId` is the job that takes it now, or the earlier one.
 */
export async function replaceFollowed(
  tx: Tx,
  subscriptionId: string,
  videos: FollowedVideo[],
): Promise<void> {
  await sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(videos)}::jsonb) as g ("videoId" text, number int,
        "foundAt" timestamptz, "dueAt" timestamptz, "youngUntil" timestamptz, tries int, "jobId" text)
    ), gone as (
      delete from subscription_video v where v.subscription_id = ${subscriptionId}
        and not exists (select from given g where g."videoId" = v.video_id)
    )
    insert into subscription_video as v (subscription_id, video_id, number, found_at, due_at, young_until, tries, job_id)
    select ${subscriptionId}, "videoId", number, "foundAt", "dueAt", "youngUntil", tries, "jobId" from given
    on conflict (subscription_id, video_id) do update set due_at = excluded.due_at,
      young_until = excluded.young_until, tries = excluded.tries, job_id = excluded.job_id
  `.execute(tx)
}
