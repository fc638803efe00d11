/** `npm run chaos -- --hosts`: lost hosts, one scenario after another, in an order that the seed draws. */
import { randomOf } from '../../../emulator/random.ts'
import { exitOnSignals, killLaunched } from '../../support/service-process.ts'
import { onBed } from './bed.ts'
import type { HostFigures } from './books.ts'
import { whyNoHosts } from './network.ts'
import { findPgBin } from './pair.ts'
import { type Scenario, SCENARIOS } from './scenarios.ts'
import type { DatabaseWay } from './services.ts'

type Ask = {
  minutes: number
  seed: number
  /** Names of the scenarios to be run; null for all. */
  only: readonly string[] | null
  /** Way to be tried; null for each scenario's own. */
  way: DatabaseWay | null
  /** Whether nothing else keeps the machine busy, so that times count. */
  isQuiet: boolean
  say(line: string): void
}

type Row = {
  scenario: Scenario
  way: DatabaseWay
  figures: HostFigures | null
  withoutS: { event: number | null; promotion: number | null }
  failures: string[]
}

const PROGRAMS = ['ip', 'haproxy', 'runuser', 'sysctl']
const KEEPERS = ['patroni', 'etcd', 'pgbackrest']
const BEFORE = 30
const WARM_MS_MAX = 120_000

/** Returns how many scenarios failed; null where there can be no hosts here, which is said. */
export async function loseHosts(ask: Ask): Promise<number | null> {
  const why = findPgBin() === null ? 'PostgreSQL is not installed' : whyNoHosts(PROGRAMS)
  if (why !== null) {
    ask.say(`skipped: ${why}`)
    return null
  }
  exitOnSignals()
  process.once('exit', killLaunched)
  const rows: Row[] = []
  const endsAtMs = performance.now() + ask.minutes * 60_000
  for (const [scenario, way] of planOf(ask)) {
    if (performance.now() > endsAtMs) break
    const missing = way === 'patroni' ? whyNoHosts(KEEPERS) : null
    if (missing === null) rows.push(await play(scenario, way, ask))
    else ask.say(`${scenario.name} by patroni is skipped: ${missing}`)
  }
  for (const line of tableOf(rows)) ask.say(line)
  const never = planned(ask).filter(({ name }) => !rows.some((row) => row.scenario.name === name))
  if (never.length > 0) ask.say(`no time for ${never.map(({ name }) => name).join(', ')}`)
  const failed = rows.filter(({ failures }) => failures.length > 0)
  for (const { scenario, way, failures } of failed)
    for (const what of failures)
      ask.say(`✖ ${scenario.name} by ${way}: ${what} (--seed ${ask.seed} --only ${scenario.name})`)
  return failed.length
}

function planned({ only }: Ask): Scenario[] {
  return SCENARIOS.filter(({ name }) => only === null || only.includes(name))
}

/** Returns each scenario once by one of its ways, in an order drawn from the seed; then again by the others. */
function planOf(ask: Ask): [Scenario, DatabaseWay][] {
  const { fraction } = randomOf(ask.seed)
  const shuffled = <T>(list: readonly T[]): T[] =>
    list
      .map((one) => ({ one, at: fraction() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ one }) => one)
  const drawn = shuffled(planned(ask)).map((scenario) => ({
    scenario,
    // Patroni comes first: few scenarios have it, and each run is to have it.
    ways: scenario.ways.includes('patroni')
      ? ['patroni' as const, ...shuffled(scenario.ways.filter((way) => way !== 'patroni'))]
      : shuffled(scenario.ways),
  }))
  const rounds = Math.max(...drawn.map(({ ways }) => ways.length))
  return Array.from({ length: rounds }, (_, round) =>
    drawn.flatMap(({ scenario, ways }): [Scenario, DatabaseWay][] => {
      const way = ways[round]
      return way === undefined || (ask.way !== null && way !== ask.way) ? [] : [[scenario, way]]
    }),
  ).flat()
}

async function play(scenario: Scenario, way: DatabaseWay, ask: Ask): Promise<Row> {
  const say = (line: string): void => ask.say(`${scenario.name} by ${way}: ${line}`)
  const row: Row = {
    scenario,
    way,
    figures: null,
    withoutS: { event: null, promotion: null },
    failures: [],
  }
  say(scenario.what)
  try {
    const { seed, isQuiet } = ask
    await onBed({ way, isQuiet, commits: scenario.commits, seed, say }, async (bed) => {
      row.failures = bed.failures
      await bed.client.untilMore(BEFORE, WARM_MS_MAX)
      say(`${bed.client.acknowledged().length} orders are acknowledged; now it happens`)
      row.figures = await scenario.run(bed)
      const { eventMs, promotionMs } = bed.marked
      const sinceOf = (ms: number | null): number | null =>
        ms === null ? null : bed.client.withoutServiceMs(ms) / 1_000
      row.withoutS = { event: sinceOf(eventMs), promotion: sinceOf(promotionMs) }
    })
  } catch (error) {
    row.failures.push(error instanceof Error ? error.message : String(error))
    say(`✖ ${row.failures.at(-1)}`)
  }
  return row
}

const HEAD = ['', 'way', 'acknowledged', 'lost', 'doubled', 'rows missed', 'refusals']
const TIMES = ['s without service', 's from the promotion', 'verdict']

function tableOf(rows: Row[]): string[] {
  const cells = rows.map(({ scenario, way, figures, withoutS, failures }) => [
    scenario.name,
    way,
    ...[figures?.acknowledged, figures?.lost, figures?.doubled].map(shown),
    ...[figures?.missedRows, figures?.refusals].map(shown),
    ...[withoutS.event, withoutS.promotion].map((s) => (s === null ? '-' : s.toFixed(1))),
    failures.length === 0 ? 'holds' : 'FAILS',
  ])
  const all = [[...HEAD, ...TIMES], ...cells]
  const widths = all[0]?.map((_, at) => Math.max(...all.map((line) => line[at]?.length ?? 0))) ?? []
  return all.map((line) => line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '))
}

function shown(count: number | undefined): string {
  return count === undefined ? '-' : String(count)
}
