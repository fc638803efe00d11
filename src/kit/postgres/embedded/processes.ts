/** Other processes of this machine: whether one is alive, and whether it is a cluster's server. */
import fs from 'node:fs'

/** Whether a process is alive; false for a zombie, which has ended without its parent noticing. */
export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    const isForeign = error instanceof Error && 'code' in error && error.code === 'EPERM'
    if (!isForeign) return false
  }
  return readStat(pid)?.state !== 'Z'
}

/**
 * Whether the living process `pid` is a PostgreSQL in `cluster`. Ids are reused, certainly after a container's restart.
 * Where the system does not tell, a living process counts as one.
 */
export function isServerOf(pid: number, cluster: string): boolean {
  if (!isAlive(pid)) return false
  const stat = readStat(pid)
  if (stat === null) return process.platform !== 'linux'
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`) === cluster
  } catch {
    return stat.name.startsWith('postgres')
  }
}

/** Reads `/proc/PID/stat`, see proc_pid_stat(5); the name is in parentheses and may hold spaces. */
function readStat(pid: number): { name: string; state: string } | null {
  if (process.platform !== 'linux') return null
  try {
    const line = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    const name = line.slice(line.indexOf('(') + 1, line.lastIndexOf(')'))
    return { name, state: line.charAt(line.lastIndexOf(')') + 2) }
  } catch {
    return null
  }
}
