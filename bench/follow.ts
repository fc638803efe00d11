/**
 * What following costs besides the looks themselves: claiming what is due of 100,000 subscriptions and recording that
 * nothing is new, as CPU time of this process and of its PostgreSQL sessions. Time does not pass: what falls due within
 * an hour is made due at once, since the statements meet the same rows then.
 */
import fs from 'node:fs'
import { sql } from 'kysely'
import { transact } from '../src/kit/postgres/database.ts'
import type { Db } from '../src/store/database.ts'
import { presentSubscription } from '../src/api/subscriptions/present.ts'
import { claimDueLooks, recordLook } from '../src/features/follow/looks.ts'
import type { BenchOptions } from './bench.ts'
import { openOutbox } from '../src/features/mail/outbox.ts'
import { openSecretBox } from '../src/features/mail/secret-box.ts'
import { openBenchDatabase } from './stage/stage.ts'
import { table, verdict } from './table.ts'

export type FollowResult = {
  subscriptions: number
  looks: number
  cpuMsPerLook: number
  cpuMsPerIdleTick: number
  /** Share of one core that all of them would take if each was looked at every hour. */
  hourlyShare: number
}

const SIZES = {
  full: { subscriptions: 100_000, accounts: 10_000, due: 5_000 },
  smoke: { subscriptions: 600, accounts: 60, due: 60 },
}
const AT_ONCE = 16
const IDLE_TICKS = 50
const KNOWN = 100
const GOAL = 0.05
const TICK_MS = 10

export async function run({ smoke }: BenchOptions): Promise<FollowResult> {
  const size = smoke ? SIZES.smoke : SIZES.full
  const closers: (() => Promise<void>)[] = []
  try {
    const { db } = await openBenchDatabase(smoke, (close) => closers.push(close))
    await insertSubscriptions(db, size)
    const deps = {
      db,
      maxActiveJobs: 100,
      present: presentSubscription,
      outbox: openOutbox(db, await openSecretBox(db, null)),
      publicUrl: 'http://localhost',
    }
    await claimDueLooks(db, 1) // prepares the statements

    const before = await cpuMs(db)
    let looks = 0
    for (let claimed = await claimDueLooks(db, AT_ONCE); claimed.length > 0;) {
      for (const look of claimed) {
        const listed = (look.known ?? []).map((videoId) => ({ videoId, isOld: false }))
        const list = { listed, isComplete: false, isNewestFirst: true }
        await recordLook(deps, look, { kind: 'list', list, title: 'x' })
      }
      looks += claimed.length
      claimed = await claimDueLooks(db, AT_ONCE)
    }
    const busy = await cpuMs(db)
    for (let tick = 0; tick < IDLE_TICKS; tick += 1) await claimDueLooks(db, AT_ONCE)
    const idle = await cpuMs(db)

    const cpuMsPerLook = (busy - before) / looks
    const cpuMsPerIdleTick = (idle - busy) / IDLE_TICKS
    const perSecond = (size.subscriptions / 3600) * cpuMsPerLook + cpuMsPerIdleTick
    const result = {
      subscriptions: size.subscriptions,
      looks,
      cpuMsPerLook,
      cpuMsPerIdleTick,
      hourlyShare: perSecond / 1000,
    }
    print(result)
    return result
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

/** Inserts subscriptions: `due` of them are due now, the others within the next day. */
async function insertSubscriptions(
  db: Db,
  { subscriptions, accounts, due }: { subscriptions: number; accounts: number; due: number },
): Promise<void> {
  await sql`insert into account (id, email) select 'a' || n, 'a' || n || '@example.org' from generate_series(1, ${accounts}::int) n`.execute(
    db,
  )
  await sql`insert into balance (account_id) select id from account`.execute(db)
  const batch = 1_000
  for (let from = 1; from <= subscriptions; from += batch) {
    await sql`
      insert into subscription (id, account_id, line, url_set_hash, language, formats, backlog, cap_micros, known, next_look_at)
      select 'sub' || n, 'a' || (n % ${accounts}::int + 1), '@channel' || n, 'hash' || n, 'original', '{text}', 0, 1000000,
        array(select 'v' || lpad(v::text, 10, '0') from generate_series(1, ${KNOWN}::int) v),
        case when n <= ${due}::int then now() - n * interval '1 millisecond' else now() + n % 86400 * interval '1 second' + interval '1 hour' end
      from generate_series(${from}::int, ${Math.min(subscriptions, from + batch - 1)}::int) n
    `.execute(db)
  }
  await transact(db, async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`analyze subscription`.execute(tx)
  })
}

/**
 * Returns the CPU time of this process and its database sessions in milliseconds; without /proc, of this process alone.
 */
async function cpuMs(db: Db): Promise<number> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
  `.execute(db)
  const { user, system } = process.cpuUsage()
  const ticks = rows.map(({ pid }) => {
    try {
      const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      return Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
    } catch {
      return 0
    }
  })
  return (user + system) / 1000 + TICK_MS * ticks.reduce((sum, one) => sum + one, 0)
}

function print({
  subscriptions,
  looks,
  cpuMsPerLook,
  cpuMsPerIdleTick,
  hourlyShare,
}: FollowResult) {
  const share = `${(100 * hourlyShare).toFixed(1)} %`
  console.log(
    table([
      [
        'subscriptions',
        'looks',
        'CPU ms a look',
        'CPU ms an idle tick',
        'of a core, hourly',
        'goal <= 5 %',
      ],
      [
        subscriptions.toLocaleString('en'),
        looks,
        cpuMsPerLook.toFixed(2),
        cpuMsPerIdleTick.toFixed(2),
        share,
        verdict(hourlyShare <= GOAL),
      ],
    ]),
  )
}
