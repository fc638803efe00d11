/** The shipped alert rules, read and run over scrapes as Prometheus runs them: pending, then firing after `for`. */
import fs from 'node:fs'
import path from 'node:path'
import { query } from './query.ts'
import type { Labels, Series } from './series.ts'

export type AlertRule = { name: string; expr: string; forMs: number }

export const RULES_FILE = path.resolve(import.meta.dirname, '../../../docs/operating/alerts.yaml')
/** Interval of scrapes and evaluations in these tests, in milliseconds; Prometheus' usual figure. */
export const SCRAPE_MS = 15_000

export function readAlertRules(): AlertRule[] {
  const [, ...rules] = fs.readFileSync(RULES_FILE, 'utf8').split('- alert: ')
  return rules.map((text) => {
    const [, after = ''] = text.split(/\n {8}expr: /)
    const expr = (after.split(/\n {8}\w+:/)[0] ?? '').replace(/^\|\n/, '')
    const [, amount = '0', unit = 's'] = /\n {8}for: (\d+)([smh])/.exec(text) ?? []
    const forMs = Number(amount) * { s: 1_000, m: 60_000, h: 3_600_000 }[unit as 's' | 'm' | 'h']
    return { name: text.split('\n')[0] ?? '', expr, forMs }
  })
}

/** Collects a process's answers to /metrics, at times that the test names. */
export function openScrapes(labels: Labels = { job: 'scriptorium', instance: 'one' }) {
  const all = new Map<string, Series>()
  const add = (name: string, own: Labels, point: Series['points'][number]): void => {
    const key = `${name} ${JSON.stringify(own)}`
    const series = all.get(key) ?? { name, labels: { ...own, ...labels }, points: [] }
    series.points.push(point)
    all.set(key, series)
  }
  return {
    series: (): Series[] => [...all.values()],
    scrape(text: string, atMs: number): void {
      add('up', {}, { atMs, value: 1 })
      for (const line of text.split('\n')) {
        const [, name, list = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
        if (name === undefined) continue
        const pairs = [...list.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, text]) => [label, text])
        const own = Object.fromEntries(pairs) as Labels
        add(name, own, { atMs, value: Number((value ?? '').replace('+Inf', 'Infinity')) })
      }
    },
  }
}

/** Returns when each alert first fired, in milliseconds of the scrapes' time; alerts that never did are left out. */
export function firstFirings(
  rules: readonly AlertRule[],
  series: readonly Series[],
  times: readonly number[],
): Map<string, number> {
  const firings = new Map<string, number>()
  for (const { name, expr, forMs } of rules) {
    const since = new Map<string, number>()
    for (const atMs of times) {
      const active = new Set(
        query(expr, series, atMs).map(({ labels }) =>
          JSON.stringify(Object.entries(labels).sort()),
        ),
      )
      for (const key of since.keys()) if (!active.has(key)) since.delete(key)
      for (const key of active) if (!since.has(key)) since.set(key, atMs)
      const fires = [...since.values()].some((fromMs) => atMs - fromMs >= forMs)
      if (fires && !firings.has(name)) firings.set(name, atMs)
    }
  }
  return firings
}
