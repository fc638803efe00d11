/**
 * What tests cost: processor seconds and page faults, which a machine's speed hardly changes, of the processes that ran
 * them and of the database server.
 */
import fs from 'node:fs'

export type Cost = { userSeconds: number; systemSeconds: number; pageFaults: number }

/** Clock ticks a second in /proc: Linux shows this many to programs, whatever its own timer does. */
const TICKS_PER_SECOND = 100
/** Indexes behind the name of the program in /proc/PID/stat (proc(5)): of the process, and of its ended children. */
const OWN = { faults: 7, user: 11, system: 12 }
const OF_CHILDREN = { faults: 8, user: 13, system: 14 }

/** Returns what this process and its ended children cost so far; null where the system does not tell. */
export function costOfRun(): Cost | null {
  return sum([costOf('self', OWN), costOf('self', OF_CHILDREN)])
}

/** Returns what a process, its ended children and its living ones cost so far. */
export function costOfProcesses(pid: number): Cost | null {
  const file = `/proc/${pid}/task/${pid}/children`
  const children = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split(' ') : []
  return sum([
    costOf(String(pid), OWN),
    costOf(String(pid), OF_CHILDREN),
    ...children.filter(Boolean).map((child) => costOf(child, OWN) ?? NOTHING),
  ])
}

const NOTHING: Cost = { userSeconds: 0, systemSeconds: 0, pageFaults: 0 }

function costOf(pid: string, at: typeof OWN): Cost | null {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = (index: number): number => Number(fields[index]) / TICKS_PER_SECOND
    return {
      userSeconds: ticks(at.user),
      systemSeconds: ticks(at.system),
      pageFaults: Number(fields[at.faults]),
    }
  } catch {
    return null // another system, or a process that has ended
  }
}

function sum(costs: readonly (Cost | null)[]): Cost | null {
  const known = costs.filter((cost) => cost !== null)
  if (known.length < costs.length) return null
  return known.reduce((all, cost) => ({
    userSeconds: all.userSeconds + cost.userSeconds,
    systemSeconds: all.systemSeconds + cost.systemSeconds,
    pageFaults: all.pageFaults + cost.pageFaults,
  }))
}

/** Returns what a cost has grown by since an earlier one; all of it where that is null. */
export function costSince(cost: Cost, before: Cost | null): Cost {
  return {
    userSeconds: cost.userSeconds - (before?.userSeconds ?? 0),
    systemSeconds: cost.systemSeconds - (before?.systemSeconds ?? 0),
    pageFaults: cost.pageFaults - (before?.pageFaults ?? 0),
  }
}

/** Returns a cost as a line of text. */
export function costLine(what: string, cost: Cost): string {
  const { userSeconds, systemSeconds, pageFaults } = cost
  return `${what}: ${userSeconds.toFixed(1)} s user, ${systemSeconds.toFixed(1)} s system, ${pageFaults} page faults`
}
