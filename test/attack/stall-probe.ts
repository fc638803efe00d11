/**
 * Preloaded into an attacked process (`--import`): answers its parent how long the event loop stood still at worst
 * since the last question.
 *
 * A stall is the smaller of two gaps between looks: on the clock, and in CPU time of the main thread. So a machine that
 * gives its cores to other processes is not taken for a stall of ours.
 */
const LOOK_MS = 4
const CPU_MICROS_PER_MS = 1000

let lastAt = performance.now()
let lastCpu = threadCpuMs()
let worstMs = 0

setInterval(() => {
  const at = performance.now()
  const cpu = threadCpuMs()
  worstMs = Math.max(worstMs, Math.min(at - lastAt, cpu - lastCpu))
  lastAt = at
  lastCpu = cpu
}, LOOK_MS).unref()

process.on('message', (question) => {
  if (question !== 'worst stall?') return
  const pendingMs = Math.min(performance.now() - lastAt, threadCpuMs() - lastCpu)
  process.send?.({ stallMs: Math.max(worstMs, pendingMs) })
  worstMs = 0
})
process.channel?.unref()

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / CPU_MICROS_PER_MS
}
