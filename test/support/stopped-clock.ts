/**
 * The database's clock, stopped: what comes back with time, such as tokens of rate limits, is exact however long a
 * machine takes.
 */
import type pg from 'pg'

/**
 * Stops the clock for every session that is opened from now on; it moves by `pass` alone. It is the clock of statements
 * (`clock_timestamp()`); that of transactions (`now()`) and the process's own go on.
 */
export async function stopClock(
  pool: pg.Pool,
): Promise<{ pass(seconds: number): Promise<unknown> }> {
  await pool.query(`
    create table public.stopped_clock (at timestamptz not null);
    insert into public.stopped_clock values (pg_catalog.clock_timestamp());
    create function public.clock_timestamp() returns timestamptz language sql stable
      as 'select at from public.stopped_clock';
    do $$ begin
      -- Where the system's functions are named after ours, ours are found first.
      execute format('alter database %I set search_path = public, pg_catalog', current_database());
    end $$`)
  const pass = (seconds: number) =>
    pool.query(`update public.stopped_clock set at = at + $1 * interval '1 second'`, [seconds])
  return { pass }
}
