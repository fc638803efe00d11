/** Recorded replies of the real platform, served on loopback by the program that is kept with them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { TestScope } from './database.ts'

/** Folder of `replay.mjs`, or null where none is named. */
export const RECORDED =
  process.env['RECORDED_REPLIES'] === undefined || process.env['RECORDED_REPLIES'] === ''
    ? null
    : path.resolve(process.env['RECORDED_REPLIES'])

/** Starts the program on a free port; ends with `scope`. */
export async function startReplay(scope: TestScope): Promise<{ origin: string }> {
  if (RECORDED === null) throw new Error('RECORDED_REPLIES names no folder')
  const child = spawn(process.execPath, [path.join(RECORDED, 'replay.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  scope.after(async () => {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { origin: line.trim() }
}
