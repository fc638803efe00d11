/** The processor's time of an attacked process. */
import fs from 'node:fs/promises'
import type { Target } from './attack.ts'

const CLOCK_TICKS_PER_SECOND = 100

/** Returns the CPU time of the attacked process, all its threads. */
export async function cpuSeconds({ process }: Pick<Target, 'process'>): Promise<number> {
  const stat = await fs.readFile(`/proc/${process.pid}/stat`, 'utf8')
  const [user = '0', system = '0'] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) / CLOCK_TICKS_PER_SECOND
}
