/**
 * Alerts: what an operator is told of. Those that need no history are conditions over this service's own gauges, so
 * that a worker can judge them at a look at their present values, as Prometheus does from its scrapes.
 */

/** Holds where the largest value of a gauge is above something, or the same. */
export type GaugeCondition = {
  gauge: string
  /** The values of labels that count; absent where all do. */
  labels?: Readonly<Record<string, readonly string[]>>
  /**
   * Whose largest value it is: of all processes where it is absent, or each process's own, or that of each set of these
   * labels, by which Prometheus tells several alerts apart.
   */
  per?: 'process' | readonly string[]
  /** Whether the value counts without its sign. */
  isAbsolute?: true
  /** Whether the values of the last minute count, too. */
  isOverMinute?: true
  is: '>' | '>=' | '=='
  than: number | { gauge: string }
}

export type Alert = {
  name: string
  severity: 'page' | 'ticket'
  /** One sentence; in braces it may name labels as Prometheus does. */
  summary: string
  action: string
  /** How long it has to last; without it, it fires at once. */
  forMinutes?: number
  /** A remark for those who read the rules. */
  remark?: string
} & (
  | {
      /** All have to hold. */
      when: readonly [GaugeCondition, ...GaugeCondition[]]
      /** The summary of a mail; absent where it is the same. */
      mailed?: string
    }
  | {
      /** PromQL that needs what a worker does not have: earlier values, or those of processes that are gone. */
      expr: string
    }
)

/** An alert that a worker can judge by itself. */
export type GaugeAlert = Extract<Alert, { when: unknown }>

/** The values of each gauge at one look, by the gauge's name. */
export type GaugeLook = ReadonlyMap<
  string,
  readonly { value: number; labels: Readonly<Record<string, string | number | undefined>> }[]
>

export function isGaugeAlert(alert: Alert): alert is GaugeAlert {
  return 'when' in alert
}

/**
 * Returns a function that takes the look of each minute, and returns the alerts whose conditions have held for as long
 * as they have to: at one look more than there are minutes.
 */
export function alertWatch(alerts: readonly GaugeAlert[]): (look: GaugeLook) => GaugeAlert[] {
  const inARow = new Map<string, number>()
  let before: GaugeLook | null = null
  return (look) => {
    const firing = alerts.filter((alert) => {
      const holds = alert.when.every((condition) => isMet(condition, look, before))
      const looks = holds ? (inARow.get(alert.name) ?? 0) + 1 : 0
      inARow.set(alert.name, looks)
      return looks > (alert.forMinutes ?? 0)
    })
    before = look
    return firing
  }
}

/** Whether the condition holds at a look; `before` is the one a minute earlier, null at the first. */
export function isMet(
  { gauge, labels = {}, isAbsolute, isOverMinute, is, than }: GaugeCondition,
  look: GaugeLook,
  before: GaugeLook | null,
): boolean {
  const seen = [look.get(gauge), isOverMinute ? before?.get(gauge) : undefined]
  const values = seen
    .flatMap((all) => all ?? [])
    .filter((one) =>
      Object.entries(labels).every(([label, some]) => some.includes(String(one.labels[label]))),
    )
    .map(({ value }) => (isAbsolute ? Math.abs(value) : value))
  const bound =
    typeof than === 'number'
      ? than
      : Math.max(...(look.get(than.gauge) ?? []).map(({ value }) => value))
  if (values.length === 0 || bound === -Infinity) return false
  const largest = Math.max(...values)
  if (is === '==') return largest === bound
  return is === '>' ? largest > bound : largest >= bound
}
