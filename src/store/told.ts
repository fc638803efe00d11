/**
 * A memory of all that was told as committed: the entries of money, the last position of the log, and the timeline on
 * which it was. An external server may fail over to a copy that lacks some of it (timelines.ts), and nobody else would
 * know.
 *
 * It is kept in the process and, for the next one, in a file of DATA_DIR, which several processes may share: each only
 * appends, a line a fact, and begins with the line's end, so that a line torn by a crash damages no other. Nobody waits
 * for the file, whose disk may hang; one that is full becomes the earlier one. A folder that cannot be written is no
 * reason to refuse: the process remembers.
 */
import fs from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { LIMITS } from '../config/config.ts'
import type { Known } from '../kit/postgres/servers.ts'

/** An entry of the ledger; `hash` tells it from another one that got its number. */
export type ChainedEntry = { accountId: string; number: string; hash: string; reference: string }
/** One whose commit was told; `books` is the ledger's oid, which its copies share and no ledger made anew has. */
export type ToldEntry = ChainedEntry & { books: string }
export type ToldMemory = ReturnType<typeof openTold>

/**
 * An entry or a position that was told while the server was on `of`, or before. With neither, that the server was
 * admitted; `isAccepted` where a person chose it.
 */
type Line = { of: Known; entry?: ToldEntry; position?: string; isAccepted?: boolean }

/** Opens what earlier processes remembered of the database `name`. */
export function openTold({ folder, name, log }: { folder: string; name: string; log: Logger }) {
  const file = path.join(folder, `told-${encodeURIComponent(name)}.log`)
  const { known, take, before, last } = openMemory()
  let keptAtMs = -Infinity
  const lines = openLines(file, log, () => {
    const of = known()
    return of === null ? [] : [{ of }]
  })

  function tell(told: readonly Line[]): void {
    told.forEach(take)
    lines.append(told)
  }

  for (const line of readLines(file)) take(line)
  return {
    known,
    before,
    /** Notes that a server is admitted. */
    raise({ systemId, timeline }: Known): void {
      const was = known()
      if (was?.systemId !== systemId || was.timeline < timeline)
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
      const of = known()
      if (of !== null) tell(told.map((entry) => ({ of, entry })))
    },
    /** Notes a position of the log behind which the server confirmed a commit, and its timeline. */
    confirm({ position, timeline }: { position: string; timeline: number }): void {
      const systemId = known()?.systemId
      if (systemId === undefined) return
      const line = { of: { systemId, timeline }, position }
      take(line)
      if (performance.now() - keptAtMs < LIMITS.positionKeptEveryMs) return
      keptAtMs = performance.now()
      lines.append([line])
    },
    /** Resolves once all is in the file, or its disk hangs for longer than `withinMs`. */
    close(withinMs = WRITTEN_WITHIN_MS): Promise<unknown> {
      lines.append(last())
      return lines.written(withinMs)
    },
  }
}

function openMemory() {
  const entries = new Map<string, { of: Known; entry: ToldEntry }>()
  /** The last of each timeline: the new server confirms some before those of the old one are compared. */
  const positions = new Map<string, { of: Known; position: string }>()
  let known: Known | null = null
  return {
    /** The highest timeline that was seen; null before the first. */
    known: (): Known | null => known,
    take({ of, entry, position, isAccepted = false }: Line): void {
      if (entry !== undefined) {
        entries.set(entry.hash, { of, entry })
        const [oldest] = entries.keys()
        if (entries.size > LIMITS.toldEntries && oldest !== undefined) entries.delete(oldest)
      } else if (position !== undefined) {
        const timeline = `${of.systemId}/${of.timeline}`
        const told = positions.get(timeline)
        if (told === undefined || orderOf(told) < orderOf({ of, position }))
          positions.set(timeline, { of, position })
      } else if (known === null || isAccepted || isEarlier(known, of)) known = of
    },
    /** Returns the last position of each timeline. */
    last: () => [...positions.values()],
    /** Returns what was told before the server was on `now`. */
    before(now: Known): { entries: (ToldEntry & Known)[]; position: string | null } {
      const isBefore = ({ of }: { of: Known }): boolean =>
        of.systemId !== now.systemId || isEarlier(of, now)
      return {
        entries: [...entries.values()]
          .filter(isBefore)
          .map(({ of, entry }) => ({ ...of, ...entry })),
        // Positions of two systems have nothing to do with each other.
        position:
          [...positions.values()]
            .filter(({ of }) => isEarlier(of, now))
            .toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
            .at(-1)?.position ?? null,
      }
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

/** How long the end of a process waits for a disk that hangs. */
const WRITTEN_WITHIN_MS = 1_000

/** Opens a file of lines; where it is full, it becomes the earlier one, and a new one begins with `first`. */
function openLines(file: string, log: Logger, first: () => Line[]) {
  let waiting: Line[] = []
  let writing: Promise<void> | null = null
  let isWritable = true

  async function write(): Promise<void> {
    for (; waiting.length > 0;) {
      const text = waiting.map((line) => `\n${JSON.stringify(line)}`).join('')
      waiting = []
      try {
        await fs.mkdir(path.dirname(file), { recursive: true })
        await fs.appendFile(file, text, { mode: 0o600 })
        isWritable = true
        if ((await fs.stat(file)).size <= LIMITS.toldFileBytes) continue
        await fs.rename(file, earlierOf(file))
        waiting.unshift(...first())
      } catch (error) {
        if (isWritable && !isGone(error))
          log.warn({ err: error }, 'what was told is not kept in DATA_DIR: a restart forgets it')
        isWritable = isGone(error)
      }
    }
    writing = null
  }

  return {
    /** Begins to write lines, which are written in order. */
    append(lines: readonly Line[]): void {
      waiting.push(...lines)
      if (waiting.length > LIMITS.toldEntries) waiting = waiting.slice(-LIMITS.toldEntries)
      if (waiting.length > 0) writing ??= write()
    },
    written: (withinMs: number): Promise<unknown> =>
      Promise.race([writing, sleep(withinMs, undefined, { ref: false })]),
  }
}

/** Whether another process has just renamed the file. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

function earlierOf(file: string): string {
  return `${file}.1`
}

/** Yields the whole lines; a torn one, and a file that is not there, have none. */
function* readLines(file: string): Generator<Line> {
  for (const each of [earlierOf(file), file])
    for (const line of wholeText(each).split('\n')) {
      try {
        if (line !== '') yield JSON.parse(line) as Line
      } catch {
        continue
      }
    }
}

function wholeText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // not written yet, or not readable, of which the first line to be written will tell
  }
}
