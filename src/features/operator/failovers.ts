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
import { acceptGaps, type Gap, listGaps, readEpoch, recordTimeline } from '../../store/timelines.ts'
import type { ToldMemory } from '../../store/told.ts'

/** How often a process looks whether the epoch has risen. */
const EPOCH_READ_EVERY_MS = 1_000
/** Number of lost entries that a sentence names. */
const ENTRIES_NAMED = 3

export type { Gap }
export type Failovers = ReturnType<typeof openFailovers>

/** `told` is null for the embedded database, which cannot fail over. */
export function openFailovers(
  db: Db,
  { servers, told, log }: { servers: Servers; told: ToldMemory | null; log: Logger },
) {
  const listeners = new Set<() => void>()
  const closing = new AbortController()
  let loop: Loop | null = null
  let epoch = 0
  let admitted: ServerIdentity | null = null
  let compared: Known | ServerIdentity | null = null
  const stopListening = servers.onRaised((_was, now) => {
    told?.raise(now)
    admitted = now
    loop?.wake()
  })

  /** Compares what was told before with the server as it is now; may be repeated. */
  async function compare(memory: ToldMemory, now: Known | ServerIdentity): Promise<void> {
    const beganAt = 'beganAt' in now ? now.beganAt : null
    const isNews = await recordTimeline(db, now, { beganAt, told: memory.before(now) })
    const gaps = await listGaps(db, ENTRIES_NAMED)
    for (const gap of gaps) log.error({ gap }, sentenceOfGap(gap))
    if (isNews && gaps.length > 0) await openIncidents(db, ['commits_lost'])
  }

  async function look(): Promise<void> {
    // A server that is as it was remembered is not raised.
    const now = admitted ?? servers.known()
    if (told !== null && now !== null && now !== compared) {
      await compare(told, now)
      compared = now
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
    confirm: (at: { position: string; timeline: number }): void => told?.confirm(at),
    /** Accepts the server that a person chose. Returns it where it replaces the one that was known, else null. */
    acceptSystem(): Known | null {
      const [now, known] = [servers.known(), told?.known() ?? null]
      if (now === null || known === null || isSame(known, now)) return null
      told?.accept(now)
      return now
    },
    async close(): Promise<void> {
      closing.abort()
      stopListening()
      await loop?.done
      await told?.close()
    },
  }
}

function isSame(known: Known | null, now: Known): boolean {
  return known?.systemId === now.systemId && known.timeline === now.timeline
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
