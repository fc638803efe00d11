/** Preloaded into a process (`--import`): its clock is wrong by CLOCK_AHEAD_MS, as where nobody sets it. */
const AHEAD_MS = Number(process.env['CLOCK_AHEAD_MS'])
const RealDate = Date

class WrongDate extends RealDate {
  constructor(...given: unknown[]) {
    if (given.length === 0) super(WrongDate.now())
    else super(...(given as [number]))
  }

  static override now(): number {
    return RealDate.now() + AHEAD_MS
  }
}

globalThis.Date = WrongDate as DateConstructor
