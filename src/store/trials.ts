/** The table `trial`: what visitors without an account had read, kept for a day; its rows are its own tally. */
import { sql } from 'kysely'
import type { Db, Tx } from './database.ts'
import type { TrialFinding } from '../model/previews/trial.ts'
import { HELD_SECONDS } from './previews.ts'

export type TrialRecord = {
  id: string
  videoId: string
  finding: TrialFinding | null
  /** Its time was over when it was read. */
  isOverdue: boolean
}

/** Any number, the same in every process. */
const TRIALS_LOCK = 7_311_941

/** Until the transaction ends, one visitor of all processes is counted. */
export async function lockTrials(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${TRIALS_LOCK}::bigint)`.execute(tx)
}

/** The trial that answers for this video now. */
export async function findTrialOf(db: Db, videoId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from trial where video_id = ${videoId} and good_until > now() and expires_at > now()
    order by good_until desc limit 1
  `.execute(db)
  return rows[0]?.id ?? null
}

/** Seconds until another trial may be started; 0 where one may at once. */
export async function readTrialWait(
  db: Db,
  { perHour, perDay }: { perHour: number; perDay: number },
): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select ceil(greatest(0,
      case when count(*) >= ${perDay}::int then extract(epoch from min(asked_at) + interval '1 day' - now()) end,
      case when count(*) filter (where asked_at > now() - interval '1 hour') >= ${perHour}::int
        then extract(epoch from min(asked_at) filter (where asked_at > now() - interval '1 hour') + interval '1 hour' - now()) end
    ))::float8 as seconds
    from trial where asked_at > now() - interval '1 day'
  `.execute(db)
  return rows[0]?.seconds ?? 0
}

export async function insertTrial(
  tx: Tx,
  trial: { id: string; videoId: string; readSeconds: number; keptSeconds: number },
): Promise<void> {
  const { id, videoId, readSeconds, keptSeconds } = trial
  await sql`
    insert into trial (id, video_id, ends_at, good_until, expires_at)
    values (${id}, ${videoId}, now() + make_interval(secs => ${readSeconds}::double precision),
      now() + make_interval(secs => ${readSeconds}::double precision),
      now() + make_interval(secs => ${keptSeconds}::double precision))
  `.execute(tx)
}

/** Null where it is gone, or never was. */
export async function findTrial(db: Db, trialId: string): Promise<TrialRecord | null> {
  const { rows } = await sql<TrialRecord>`
    select id, video_id as "videoId", finding, ends_at <= now() as "isOverdue"
    from trial where id = ${trialId} and expires_at > now()
  `.execute(db)
  return rows[0] ?? null
}

export type TakenTrial = { id: string; videoId: string; attempt: number; leftMs: number }

/**
 * Claims the next trial for a worker: one that nobody reads, or whose worker is gone. Whoever read it before writes no
 * more. Null where none waits.
 */
export async function claimTrial(db: Db): Promise<TakenTrial | null> {
  const { rows } = await sql<TakenTrial>`
    update trial set attempt = attempt + 1, held_until = now() + make_interval(secs => ${HELD_SECONDS}) where id = (
      select id from trial where finding is null and expires_at > now()
        and (held_until is null or held_until < now())
      order by ends_at limit 1 for update skip locked)
    returning id, video_id as "videoId", attempt,
      (extract(epoch from ends_at - now()) * 1000)::double precision as "leftMs"
  `.execute(db)
  return rows[0] ?? null
}

/** Says that a worker still reads it. */
export async function holdTrial(
  db: Db,
  { id, attempt }: Pick<TakenTrial, 'id' | 'attempt'>,
): Promise<void> {
  await sql`
    update trial set held_until = now() + make_interval(secs => ${HELD_SECONDS})
    where id = ${id} and attempt = ${attempt}
  `.execute(db)
}

/** Hands a trial back, so that another worker reads it. */
export async function releaseTrial(
  db: Db,
  { id, attempt }: Pick<TakenTrial, 'id' | 'attempt'>,
): Promise<void> {
  await sql`update trial set held_until = null where id = ${id} and attempt = ${attempt}`.execute(
    db,
  )
}

/** False where another attempt took over, or it is gone: nothing was written. */
export async function keepTrialFinding(
  db: Db,
  { id, attempt }: Pick<TakenTrial, 'id' | 'attempt'>,
  { finding, goodSeconds }: { finding: TrialFinding; goodSeconds: number },
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update trial set finding = ${JSON.stringify(finding)}::jsonb,
      good_until = now() + make_interval(secs => ${goodSeconds}::double precision)
    where id = ${id} and attempt = ${attempt} and finding is null
    returning id
  `.execute(db)
  return rows.length > 0
}

export async function sweepTrials(db: Db, rowsMax: number): Promise<void> {
  await sql`
    delete from trial where id in (
      select id from trial where expires_at <= now() order by expires_at limit ${rowsMax})
  `.execute(db)
}
