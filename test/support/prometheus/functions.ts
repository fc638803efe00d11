/** Prometheus' functions over ranges and buckets, as its own source computes them (v2.42, promql/functions.go). */
import assert from 'node:assert/strict'
import { type Sample, type Series, unnamed } from './series.ts'

type Ranged = Series & { rangeMs: number }

/** Returns `rate`, `increase` or `max_over_time` of each series with enough points. */
export function overTime(name: string, ranged: readonly Ranged[], atMs: number): Sample[] {
  return ranged.flatMap((series) => {
    const value = valueOf(name, series, atMs)
    return value === null ? [] : [{ labels: unnamed(series.labels), value }]
  })
}

function valueOf(name: string, series: Ranged, atMs: number): number | null {
  switch (name) {
    case 'max_over_time':
      return Math.max(...series.points.map(({ value }) => value))
    case 'increase':
      return increase(series, atMs)
    case 'rate': {
      const grown = increase(series, atMs)
      return grown === null ? null : grown / (series.rangeMs / 1000)
    }
    default:
      assert.fail(`no function ${name} here`)
  }
}

/**
 * Returns the increase from the first to the last point, counting a fall as a restart, stretched to the ends of the
 * range.
 */
function increase({ points, rangeMs }: Ranged, atMs: number): number | null {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined || points.length < 2) return null
  let grown = last.value - first.value
  for (const [index, point] of points.entries()) {
    const before = points[index - 1]
    if (before !== undefined && point.value < before.value) grown += before.value
  }
  const sampledMs = last.atMs - first.atMs
  const apartMs = sampledMs / (points.length - 1)
  let toStartMs = first.atMs - (atMs - rangeMs)
  if (grown > 0 && first.value >= 0)
    toStartMs = Math.min(toStartMs, sampledMs * (first.value / grown))
  const toEndMs = atMs - last.atMs
  const stretch = (ms: number): number => (ms < apartMs * 1.1 ? ms : apartMs / 2)
  return (grown * (sampledMs + stretch(toStartMs) + stretch(toEndMs))) / sampledMs
}

/** Returns the classic histogram's quantile: linear within the bucket that holds the rank. */
export function quantile(share: number, buckets: readonly Sample[]): Sample[] {
  const groups = Map.groupBy(buckets, ({ labels }) =>
    JSON.stringify(Object.entries(unnamed(labels)).filter(([name]) => name !== 'le')),
  )
  return [...groups].map(([key, group]) => {
    const labels = Object.fromEntries(JSON.parse(key) as [string, string][])
    return { labels, value: rankIn(share, group) }
  })
}

function rankIn(share: number, group: readonly Sample[]): number {
  const steps = group
    .map(({ labels, value }) => ({
      le: Number((labels.le ?? '').replace('+Inf', 'Infinity')),
      value,
    }))
    .sort((a, b) => a.le - b.le)
  const total = steps.at(-1)?.value ?? 0
  if (total === 0) return Number.NaN
  const rank = share * total
  const at = steps.findIndex(({ value }) => value >= rank)
  const below = steps[at - 1] ?? { le: 0, value: 0 }
  const here = steps[at]
  if (here === undefined || here.le === Infinity) return below.le
  return below.le + ((here.le - below.le) * (rank - below.value)) / (here.value - below.value)
}
