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

/** An entry whose commit was told; `hash` tells it from another one that got its number. */
export type ToldEntry = { accountId: string; number: bigint; hash: string; reference: string }

/** What was told while the server was on `of`, or before. */
type Remembered<Fact> = Fact & { of: Known }
export type ToldMemory = ReturnType<typeof openTold>

type Line =
  | { known: Known; isAccepted?: true }
  | { of: Known; entry: [accountId: string, number: string, hash: string, reference: string] }
  | { of: Known; position: string }

/** Opens what earlier processes remembered of the database `name`. */
export function openTold({ folder, name, log }: { folder: string; name: string; log: Logger }) {
  const file = path.join(folder, `told-${encodeURIComponent(name)}.log`)
  const entries = new Map<string, Remembered<ToldEntry>>()
  let known: Known | null = null
  /** The last of each timeline: one that was told before a failover is compared after the new server confirmed some. */
  const positions = new Map<string, Remembered<{ position: string }>>()
  /** What is told belongs to it: the timeline up to which all was compared, which is never too high. */
  let compared: Known | null = null
  let isWritable = true
  let keptAtMs = -Infinity

  function take(line: Line): void {
    if ('known' in line) {
      const isHigher =
        known?.systemId === line.known.systemId && known.timeline < line.known.timeline
      if (known === null || isHigher || line.isAccepted === true) known = line.known
    } else if ('entry' in line) {
      const [accountId, number, hash, reference] = line.entry
      keep({ accountId, number: BigInt(number), hash, reference, of: line.of })
    } else if (
      bytesBefore(line.position) > bytesBefore(positions.get(nameOf(line.of))?.position ?? '0/0')
    )
      positions.set(nameOf(line.of), line)
  }

  function keep(entry: Remembered<ToldEntry>): void {
    entries.set(entry.hash, entry)
    const [oldest] = entries.keys()
    if (entries.size > LIMITS.toldEntries && oldest !== undefined) entries.delete(oldest)
  }

  function append(lines: readonly Line[]): void {
    if (lines.length === 0) return
    const text = lines.map((line) => `\n${JSON.stringify(line)}`).join('')
    try {
      fs.mkdirSync(folder, { recursive: true })
      fs.appendFileSync(file, text, { mode: 0o600 })
      isWritable = true
      if (fs.statSync(file).size <= LIMITS.toldFileBytes) return
      fs.renameSync(file, earlier(file))
      if (known !== null) append([{ known }]) // else the next renaming would remove it
    } catch (error) {
      if (isWritable)
        log.warn({ err: error }, 'what was told is not kept in DATA_DIR: a restart forgets it')
      isWritable = false
    }
  }

  for (const from of [earlier(file), file]) for (const line of linesOf(from)) take(line)
  return {
    /** The highest timeline that was seen; null before the first. */
    known: () => known,
    /** Notes that a server is admitted. */
    raise(now: Known): void {
      const { systemId, timeline } = now
      const was = known
      const line: Line = { known: { systemId, timeline } }
      take(line)
      if (known !== was) append([line])
    },
    /** Notes that a person accepted another system, or a lower timeline. */
    accept({ systemId, timeline }: Known): void {
      const line: Line = { known: { systemId, timeline }, isAccepted: true }
      take(line)
      append([line])
    },
    /** Notes entries whose commit the server confirmed. */
    note(told: readonly ToldEntry[]): void {
      const of = compared ?? known
      if (of === null) return
      for (const entry of told) keep({ ...entry, of })
      append(
        told.map(({ accountId, number, hash, reference }) => {
          return { of, entry: [accountId, String(number), hash, reference] }
        }),
      )
    },
    /** Notes a position of the log behind which the server confirmed a commit, and its timeline. */
    confirm({ position: confirmed, timeline }: { position: string; timeline: number }): void {
      if (known === null) return
      const line: Line = { of: { systemId: known.systemId, timeline }, position: confirmed }
      take(line)
      if (performance.now() - keptAtMs < LIMITS.positionKeptEveryMs) return
      keptAtMs = performance.now()
      append([line])
    },
    /** Returns what was told before the server was on `now`. */
    before(now: Known): { entries: ToldEntry[]; position: string | null } {
      const isEarlier = ({ of }: Remembered<object>): boolean =>
        of.systemId !== now.systemId || of.timeline < now.timeline
      // Positions of two systems have nothing to do with each other.
      const last = [...positions.values()]
        .filter((one) => one.of.systemId === now.systemId && isEarlier(one))
        .toSorted((a, b) => a.of.timeline - b.of.timeline)
        .at(-1)
      return {
        entries: [...entries.values()].filter(isEarlier),
        position: last?.position ?? null,
      }
    },
    /** Notes that all that was told before `now` was compared with it. */
    settle(now: Known): void {
      compared = now
    },
    close(): void {
      append([...positions.values()])
    },
  }
}

function earlier(file: string): string {
  return `${file}.1`
}

function nameOf({ systemId, timeline }: Known): string {
  return `${systemId}/${timeline}`
}

/** Returns a position of the log, two hexadecimal halves, as a count of bytes. */
function bytesBefore(position: string): bigint {
  const [high, low] = position.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/** Yields the whole lines of a file; a torn one, and a file that is not there, have none. */
function* linesOf(file: string): Generator<Line> {
  let text = ''
  try {
    text = fs.readFileSync(file, 'utf8')
  } catch {
    return // not written yet, or not readable, of which the first line to be written will tell
  }
  for (const line of text.split('\n')) {
    try {
      if (line !== '') yield JSON.parse(line) as Line
    } catch {
      continue
    }
  }
}
