/**
 * Preloaded into a process (`--import`): its clock is wrong by CLOCK_AHEAD_MS, as on a machine whose clock nobody sets,
 * and steps by a number of ms when its parent sends `clock MS`.
 */
let aheadMs = Number(process.env['CLOCK_AHEAD_MS'] ?? 0)
const RealDate = Date

class WrongDate extends RealDate {
  constructor(...given: unknown[]) {
    if (given.length === 0) super(WrongDate.now())
    else super(...(given as [number]))
  }

  static override now(): number {
    return RealDate.now() + aheadMs
  }
}

globalThis.Date = WrongDate as DateConstructor

process.on('message', (question) => {
  const [, stepMs] = /^clock (-?\d+)$/.exec(String(question)) ?? []
  if (stepMs === undefined) return
  aheadMs += Number(stepMs)
  process.send?.({ nowMs: Date.now() })
})
process.channel?.unref()
