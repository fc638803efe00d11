/**
 * Failovers that lost something: a new timeline of the database server that began before what was told as committed.
 * Each process compares what it remembers when the server's timeline rises, and at its start; what any of them misses
 * is a gap in the database, until an operator accepts it. The number of such timelines is the epoch, which every
 * process follows: what was numbered before is numbered anew.
 */
import type { Logger } from 'pino'
import { counted } from '../../kit/text/counted.ts'
import { LIMITS } from '../../config/config.ts'
import { type Loop, startLoop } from '../../kit/loop.ts'
import { isDatabaseAway, transact } from '../../kit/postgres/database.ts'
import type { Known, ServerIdentity, Servers } from '../../kit/postgres/servers.ts'
import type { Db } from '../../store/database.ts'
import { endIncident, openIncidents } from '../../store/incidents.ts'
import { insertAct } from '../../store/operators.ts'
import {
  acceptGaps,
  findTimeline,
  type Gap,
  listGaps,
  readEpoch,
  recordLost,
  recordTimeline,
} from '../../store/timelines.ts'
import type { ToldMemory } from '../../store/told.ts'

/** How often a process looks whether the epoch has risen. */
const EPOCH_READ_EVERY_MS = 1_000
/** Number of remembered entries that are compared in one statement. */
const COMPARED_AT_ONCE = 1_000
/** An answer of the old server may have been under way at the first comparison. */
const COMPARISONS = 2
/** Number of lost entries that a sentence names. */
const ENTRIES_NAMED = 3

export type { Gap }
export type Failovers = ReturnType<typeof openFailovers>

/** `external` is null for the embedded database, which cannot fail over. */
export function openFailovers(
  db: Db,
  { external, log }: { external: { servers: Servers; told: ToldMemory } | null; log: Logger },
) {
  const listeners = new Set<() => void>()
  const closing = new AbortController()
  let loop: Loop | null = null
  let epoch = 0
  let admitted: ServerIdentity | null = null
  let settled: Known | null = null
  let comparisons = 0
  const stopListening = external?.servers.onRaised((_was, now) => {
    external.told.raise(now)
    admitted = now
    comparisons = 0
    loop?.wake()
  })

  async function look(): Promise<void> {
    const now = external?.servers.known() ?? null
    if (external !== null && now !== null && !isSame(settled, now)) {
      const row = await findTimeline(db, now.systemId)
      if (row !== null) external.servers.remember(row)
      const open = await compare(db, external.told, { now, admitted })
      if (open > 0 && comparisons === 0)
        for (const gap of await listGaps(db, ENTRIES_NAMED)) log.error({ gap }, sentenceOfGap(gap))
      comparisons += 1
      // What an earlier process was told needs one, since nothing of it is under way.
      if (settled === null || comparisons >= COMPARISONS) {
        external.told.settle(now)
        settled = now
      }
    }
    const was = epoch
    epoch = await readEpoch(db)
    if (epoch > was) for (const listener of listeners) listener()
  }

  return {
    /** Compares what is remembered where that is due, and reads the epoch. */
    look,
    epoch: () => epoch,
    /** Calls the listener when the epoch has risen. */
    onRisen(listener: () => void): void {
      listeners.add(listener)
    },
    /** Goes on looking until it is closed. */
    start(): void {
      const onError = (error: unknown): void => {
        if (!isDatabaseAway(error)) log.error({ err: error }, 'comparing what was told failed')
      }
      const { signal } = closing
      loop = startLoop(look, { everyMs: EPOCH_READ_EVERY_MS, signal, onError })
    },
    /** Notes a position of the log behind which the server confirmed a commit, and its timeline. */
    confirm: (at: { position: string; timeline: number }): void => external?.told.confirm(at),
    /** Accepts the server that a person chose. Returns it where it replaces the one that was known, else null. */
    acceptSystem(): Known | null {
      const now = external?.servers.known() ?? null
      const known = external?.told.known() ?? null
      if (now === null || known === null || isSame(known, now)) return null
      external?.told.accept(now)
      return now
    },
    async close(): Promise<void> {
      closing.abort()
      stopListening?.()
      await loop?.done
      external?.told.close()
    },
  }
}

function isSame(known: Known | null, now: Known): boolean {
  return known?.systemId === now.systemId && known.timeline === now.timeline
}

/** Compares what was told before with the server as it is now; may be repeated. Returns how many gaps are open. */
async function compare(
  db: Db,
  told: ToldMemory,
  { now, admitted }: { now: Known; admitted: ServerIdentity | null },
): Promise<number> {
  const { entries, position } = told.before(now)
  const beganAt = isSame(admitted, now) ? (admitted?.beganAt ?? null) : null
  const noted = await transact(db, async (tx) => {
    let count = await recordTimeline(tx, now, { beganAt, position })
    for (let at = 0; at < entries.length; at += COMPARED_AT_ONCE)
      count += await recordLost(tx, now, entries.slice(at, at + COMPARED_AT_ONCE))
    return count
  })
  const gaps = await listGaps(db, 0)
  if (noted > 0 && gaps.length > 0) await openIncidents(db, ['commits_lost'])
  return gaps.length
}

/** Says what a failover lost, in a sentence. */
export function sentenceOfGap(gap: Gap): string {
  const { systemId, timeline, beganAt, toldPosition, entries, accounts, listed } = gap
  const began = beganAt === null ? 'behind what was told' : `at ${beganAt}`
  const told = toldPosition === null ? '' : `, and commits were told up to ${toldPosition}`
  const named = listed
    .slice(0, ENTRIES_NAMED)
    .map((one) => `${one.number} of ${one.accountId} (${one.reference})`)
  const first = named.length === 0 ? '' : `, first ${named.join(', ')}`
  return (
    `a failover lost commits: timeline ${timeline} of system ${systemId} began ${began}${told}; ` +
    `${counted(entries, 'remembered entry', 'remembered entries')} of ${counted(accounts, 'account')} ` +
    `${entries === 1 ? 'is' : 'are'} gone${first}; \`admin failover accept\` once they are made good`
  )
}

/** Accepts what failovers lost, and `system`, where another one was accepted. Returns the gaps there were. */
export function acceptFailovers(
  db: Db,
  { actor, reason, system }: { actor: string; reason: string; system: Known | null },
): Promise<Gap[]> {
  return transact(db, async (tx) => {
    const gaps = await listGaps(tx, ENTRIES_NAMED)
    if (gaps.length === 0 && system === null) return gaps
    await acceptGaps(tx, { actor, reason })
    await endIncident(tx, 'commits_lost')
    const of = system === null ? [] : [`system ${system.systemId} instead of the earlier one`]
    const detail = [...of, ...gaps.map(sentenceOfGap)].join('; ').slice(0, LIMITS.checkDetailChars)
    await insertAct(tx, {
      act: 'accept_failover',
      accountId: null,
      jobId: null,
      actor,
      reason,
      detail,
    })
    return gaps
  })
}
