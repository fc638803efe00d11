/**
 * What was told as committed: the entries of money, the last position of the log, and the timeline on which it was. An
 * external server may fail over to a copy that lacks some of it (timelines.ts), and nobody else would know.
 *
 * It is kept in the process and, for the next one, in a file of DATA_DIR, which several processes may share: each only
 * appends, a line a fact, and begins with the line's end, so that a line torn by a crash damages no other. A file that
 * is full becomes the earlier one. A folder that cannot be written is no reason to refuse: the process remembers.
 */
import fs from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import { LIMITS } from '../config/config.ts'
import type { Known } from '../kit/postgres/servers.ts'

/** An entry of the ledger; `hash` tells it from another one that got its number. */
export type ChainedEntry = { accountId: string; number: string; hash: string; reference: string }
/** One whose commit was told; `books` is the ledger's oid, which its copies share, and one that is made anew has not. */
export type ToldEntry = ChainedEntry & { books: string }
export type ToldMemory = ReturnType<typeof openTold>

/**
 * What was told while the server was on `of`, or before: an entry, or a position. With neither, that the server was
 * admitted; `isAccepted` where a person chose it.
 */
type Line = { of: Known; entry?: ToldEntry; position?: string; isAccepted?: boolean }

/** Opens what earlier processes remembered of the database `name`. */
export function openTold({ folder, name, log }: { folder: string; name: string; log: Logger }) {
  const lines = openLines(path.join(folder, `told-${encodeURIComponent(name)}.log`), log)
  const entries = new Map<string, { of: Known; entry: ToldEntry }>()
  let known: Known | null = null
  let latest: { of: Known; position: string } | null = null
  let keptAtMs = -Infinity

  function take({ of, entry, position, isAccepted = false }: Line): void {
    if (entry !== undefined) {
      entries.set(entry.hash, { of, entry })
      const [oldest] = entries.keys()
      if (entries.size > LIMITS.toldEntries && oldest !== undefined) entries.delete(oldest)
    } else if (position !== undefined) {
      const isLater =
        latest?.of.systemId !== of.systemId || orderOf(latest) < orderOf({ of, position })
      if (isLater) latest = { of, position }
    } else if (known === null || isAccepted || isEarlier(known, of)) known = of
  }
  function tell(told: readonly Line[]): void {
    told.forEach(take)
    lines.append(told)
  }

  for (const line of lines.read()) take(line)
  return {
    /** The highest timeline that was seen; null before the first. */
    known: () => known,
    /** Notes that a server is admitted. */
    raise({ systemId, timeline }: Known): void {
      if (known?.systemId !== systemId || known.timeline < timeline)
        tell([{ of: { systemId, timeline } }])
    },
    /** Notes that a person accepted another system, or a lower timeline. */
    accept({ systemId, timeline }: Known): void {
      tell([{ of: { systemId, timeline }, isAccepted: true }])
    },
    /**
     * Notes entries whose commit the server confirmed. None is of a server before the known one: its connections were
     * broken before the known one was admitted.
     */
    note(told: readonly ToldEntry[]): void {
      const of = known
      if (of !== null) tell(told.map((entry) => ({ of, entry })))
    },
    /** Notes a position of the log behind which the server confirmed a commit, and its timeline. */
    confirm({ position, timeline }: { position: string; timeline: number }): void {
      if (known === null) return
      const line = { of: { systemId: known.systemId, timeline }, position }
      take(line)
      if (performance.now() - keptAtMs < LIMITS.positionKeptEveryMs) return
      keptAtMs = performance.now()
      lines.append([line])
    },
    /** Returns what was told before the server was on `now`. */
    before(now: Known): { entries: (ToldEntry & Known)[]; position: string | null } {
      const isBefore = ({ of }: { of: Known }): boolean =>
        of.systemId !== now.systemId || isEarlier(of, now)
      return {
        entries: [...entries.values()]
          .filter(isBefore)
          .map(({ of, entry }) => ({ ...of, ...entry })),
        // Positions of two systems have nothing to do with each other.
        position: latest !== null && isEarlier(latest.of, now) ? latest.position : null,
      }
    },
    close(): void {
      if (latest !== null) lines.append([latest])
    },
  }
}

function isEarlier(one: Known, other: Known): boolean {
  return one.systemId === other.systemId && one.timeline < other.timeline
}

/** Returns text that orders the positions of a system as the names of log files do. */
function orderOf({ of, position }: { of: Known; position: string }): string {
  const parts = [of.timeline.toString(16), ...position.toLowerCase().split('/')]
  return parts.map((part) => part.padStart(8, '0')).join('')
}

/** Opens a file of lines; where it is full, it becomes the earlier one, and that is gone. */
function openLines(file: string, log: Logger) {
  const earlier = `${file}.1`
  let isWritable = true
  return {
    /** Yields the whole lines; a torn one, and a file that is not there, have none. */
    *read(): Generator<Line> {
      for (const line of [...linesOf(earlier), ...linesOf(file)]) {
        try {
          if (line !== '') yield JSON.parse(line) as Line
        } catch {
          continue
        }
      }
    },
    append(lines: readonly Line[]): void {
      if (lines.length === 0) return
      try {
        fs.mkdirSync(path.dirname(file), { recursive: true })
        const text = lines.map((line) => `\n${JSON.stringify(line)}`).join('')
        fs.appendFileSync(file, text, { mode: 0o600 })
        isWritable = true
        if (fs.statSync(file).size > LIMITS.toldFileBytes) fs.renameSync(file, earlier)
      } catch (error) {
        if (isWritable)
          log.warn({ err: error }, 'what was told is not kept in DATA_DIR: a restart forgets it')
        isWritable = false
      }
    },
  }
}

function linesOf(file: string): string[] {
  try {
    return fs.readFileSync(file, 'utf8').split('\n')
  } catch {
    return [] // not written yet, or not readable, of which the first line to be written will tell
  }
}
