/**
 * Preloaded into a process (`--import`): its notice of a stop, STOP_NOTICE, ends when its parent says so. So a test
 * sees what the process does meanwhile, however slow the machine, and does not wait for the notice.
 */
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'

const NOTICE_MS = Number(process.env['STOP_NOTICE']) * 1000

const wait = timers.setTimeout
let endNotice: (() => void) | null = null

timers.setTimeout = <T>(ms?: number, value?: T, options?: object): Promise<T> => {
  if (ms !== NOTICE_MS) return wait(ms, value, options)
  return new Promise((resolve) => {
    endNotice = () => resolve(value as T)
  })
}
syncBuiltinESMExports()

process.on('message', () => {
  process.send?.({ wasWaiting: endNotice !== null })
  endNotice?.()
})
process.channel?.unref()
