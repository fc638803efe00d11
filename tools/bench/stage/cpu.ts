/** Processor time, which a busy machine changes little. */

/** Returns the user and system time of this process since its start, all threads, in milliseconds. */
export function spentMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Returns the time of this process for some work. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = spentMs()
  await work()
  return spentMs() - before
}

/** Returns the least time of some rounds: collecting garbage of earlier work is not this work's cost. */
export async function leastCpuMsOf(rounds: number, work: () => unknown): Promise<number> {
  let least = Infinity
  for (let round = 0; round < rounds; round += 1) least = Math.min(least, await cpuMsOf(work))
  return least
}
