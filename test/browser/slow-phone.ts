/** A phone 4 times slower than this machine, by the browser's own throttle, and the work of its pages. */
import { machineLine, measureMachine, ranOut } from '../../tools/bench/stage/machine.ts'
import { type BrowserContext, type CDPSession, type Page, PHONE } from './site.ts'

/**
 * Factor on the aims. People compare the printed figures with the aims; a test that shares its machine fails only at
 * twice the aim.
 */
export const LENIENCY = 2

/** A phone with a CPU 4 times slower than this machine, 1.6 Mbit/s down, 0.75 up, 150 ms. */
export const SLOW_PHONE = {
  name: 'CPU 4x slower, 1.6 Mbit/s, 150 ms',
  cpu: 4,
  window: { viewport: PHONE, hasTouch: true, isMobile: true },
  network: {
    offline: false,
    latency: 150,
    downloadThroughput: 1_600_000 / 8,
    uploadThroughput: 750_000 / 8,
  },
}

export async function slowDown(
  context: BrowserContext,
  page: Page,
  { hasSlowNetwork }: { hasSlowNetwork: boolean },
): Promise<CDPSession> {
  const devtools = await context.newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOW_PHONE.cpu })
  await devtools.send('Network.enable')
  if (hasSlowNetwork) await devtools.send('Network.emulateNetworkConditions', SLOW_PHONE.network)
  return devtools
}

/** Returns the work of the page's thread, in its own time: other load on this machine does not count. */
export async function workOf(devtools: CDPSession): Promise<Work> {
  const { metrics } = await devtools.send('Performance.getMetrics')
  const ms = (name: string): number => (metrics.find((one) => one.name === name)?.value ?? 0) * 1000
  return { ms: ms('TaskDuration'), scriptMs: ms('ScriptDuration'), layoutMs: ms('LayoutDuration') }
}

export type Work = { ms: number; scriptMs: number; layoutMs: number }

/** Returns the work since the page was opened, or since `before`, in words. */
export function workWords(work: Work, before: Work = { ms: 0, scriptMs: 0, layoutMs: 0 }): string {
  const spent = (of: (one: Work) => number): string => `${(of(work) - of(before)).toFixed(0)} ms`
  return `CPU ${spent(({ ms }) => ms)}, of it scripts ${spent(({ scriptMs }) => scriptMs)}, layout ${spent(({ layoutMs }) => layoutMs)}`
}

/** Returns how fast the machine is now, beside which the figures have to be read, and whether it was the test's own. */
export async function machineNow(): Promise<{ line: string; isOurs: boolean }> {
  const machine = await measureMachine()
  return { line: machineLine(machine), isOurs: ranOut(machine) === null }
}
