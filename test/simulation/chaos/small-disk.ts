/** A disk that a test may fill: memory mounted as one, made smaller than its content and larger again. */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const WHOLE = '4g'
const LOOK_MS = 100

export type SmallDisk = {
  /** Resolves when nothing has fitted for so long; space that is freed meanwhile is taken, too. */
  isFullFor(ms: number): Promise<void>
  remove(): void
}

/** Returns null where mounting is refused. */
export function mountDisk(folder: string): SmallDisk | null {
  const made = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${WHOLE},mode=755`, 'none', folder])
  if (made.status !== 0) return null
  const resize = (size: string): void =>
    void spawnSync('mount', ['-o', `remount,size=${size}`, folder])
  return {
    async isFullFor(ms) {
      const until = performance.now() + ms
      try {
        while (performance.now() < until) {
          const { blocks, bfree, bsize } = fs.statfsSync(folder)
          // The resize is refused where more was written since: the next look corrects that.
          if (bfree > 0) resize(String((blocks - bfree) * bsize))
          await sleep(LOOK_MS)
        }
      } finally {
        resize(WHOLE)
      }
    },
    remove: () => void spawnSync('umount', ['--lazy', folder]),
  }
}
