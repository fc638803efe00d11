/**
 * The tables `subscription_job` and `subscription_video`: jobs that subscriptions started, each in the month it counts
 * against, and new videos that are neither delivered nor given up.
 */
import { sql } from 'kysely'
import type { FollowedOutcome, FollowedVideo } from '../model/follow/followed-video.ts'
import type { JobState } from '../model/jobs/job.ts'
import type { RowStatus } from '../model/jobs/video-row.ts'
import { type Db, query, type Tx } from './database.ts'

export async function insertSubscriptionJob(
  tx: Tx,
  {
    subscriptionId,
    slot,
    jobId,
    month,
  }: { subscriptionId: string; slot: number; jobId: string; month: string },
): Promise<void> {
  await sql`
    insert into subscription_job (subscription_id, slot, job_id, month) values (${subscriptionId}, ${slot}, ${jobId}, ${month})
  `.execute(tx)
}

/** Cost of the jobs of a month, in micros: `spent` is the charges of final jobs and the reserves of open ones. */
type MonthSpent = { spentMicros: bigint; chargedMicros: bigint }

const SPENT = sql`coalesce(sum(coalesce(j.charged_micros, j.reserved_micros)), 0)::bigint as "spentMicros",
      coalesce(sum(j.charged_micros), 0)::bigint as "chargedMicros"`

export async function sumSpent(
  tx: Tx,
  { subscriptionId, month }: { subscriptionId: string; month: string },
): Promise<MonthSpent> {
  return query<MonthSpent>`
    select ${SPENT} from subscription_job s join job j on j.id = s.job_id
    where s.subscription_id = ${subscriptionId} and s.month = ${month}
  `.onlyRow(tx)
}

export type SubscriptionSpending = MonthSpent & { id: string; jobIds: string[] }

/**
 * Returns, for each subscription, what this month's jobs cost (the month is the database's, in UTC) and its latest
 * jobs, newest first.
 */
export async function readSpendingOfMonth(
  db: Db,
  { subscriptionIds, jobsMax }: { subscriptionIds: string[]; jobsMax: number },
): Promise<SubscriptionSpending[]> {
  return query<SubscriptionSpending>`
    select k.id, m."spentMicros", m."chargedMicros", coalesce(l.ids, '{}') as "jobIds"
    from unnest(${subscriptionIds}::text[]) as k (id)
    left join lateral (
      select ${SPENT} from subscription_job s join job j on j.id = s.job_id
      where s.subscription_id = k.id and s.month = to_char(now() at time zone 'utc', 'YYYY-MM')
    ) m on true
    left join lateral (
      select array_agg(job_id order by slot desc) as ids from (
        select job_id, slot from subscription_job where subscription_id = k.id order by slot desc limit ${jobsMax}
      ) latest
    ) l on true
  `.rows(db)
}

type FollowedRow = FollowedVideo & { jobState: JobState | null; status: RowStatus | null }

/** A followed video with what its job did; a null `outcome` means that no job has the video. */
export type FollowedLine = { video: FollowedVideo; outcome: FollowedOutcome | null }

/** Returns a subscription's followed videos, oldest first, with what their jobs say. */
export async function listFollowed(db: Db, subscriptionId: string): Promise<FollowedLine[]> {
  const rows = await query<FollowedRow>`
    select v.video_id as "videoId", v.number, v.found_at as "foundAt", v.due_at as "dueAt", v.young_until as until,
      v.tries, v.refused_as as "refusedAs", v.is_offered as "isOffered", v.job_id as "jobId", j.state as "jobState", r.status
    from subscription_video v
    left join job j on j.id = v.job_id
    left join video_row r on r.job_id = v.job_id and r.video_id = v.video_id
    where v.subscription_id = ${subscriptionId} order by v.number
  `.rows(db)
  return rows.map(({ jobState, status, ...video }) => ({
    video,
    outcome: jobState === null ? null : { jobState, status },
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
        "foundAt" timestamptz, "dueAt" timestamptz, until timestamptz, tries int, "refusedAs" text, "isOffered" boolean,
        "jobId" text)
    ), gone as (
      delete from subscription_video v where v.subscription_id = ${subscriptionId}
        and not exists (select from given g where g."videoId" = v.video_id)
    )
    insert into subscription_video as v (subscription_id, video_id, number, found_at, due_at, young_until, tries, refused_as,
      is_offered, job_id)
    select ${subscriptionId}, "videoId", number, "foundAt", "dueAt", until, tries, "refusedAs", "isOffered", "jobId" from given
    on conflict (subscription_id, video_id) do update set due_at = excluded.due_at, young_until = excluded.young_until,
      tries = excluded.tries, refused_as = excluded.refused_as, is_offered = excluded.is_offered, job_id = excluded.job_id
  `.execute(tx)
}
