/** Checks our small Prometheus against the real promtool. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import { RULES_FILE, readAlertRules, SCRAPE_MS } from './rules.ts'
import type { Series } from './series.ts'

type Run = { series: readonly Series[]; times: readonly number[]; firings: Map<string, number> }

/** Asserts that each alert is pending or quiet until its instant and fires at it, by promtool's account too. */
export async function agreesWithPromtool(t: TestContext, run: Run): Promise<void> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'promtool-'))
  t.after(() => fs.rm(folder, { recursive: true }))
  const file = path.join(folder, 'alerts.test.json')
  await fs.writeFile(file, JSON.stringify(testFile(run)))
  const asked = promisify(execFile)('promtool', ['test', 'rules', file])
  const { stdout, stderr } = await asked.catch((error: { stdout: string; stderr: string }) => error)
  const said = stdout + stderr
  // promtool prints what fired beside what was expected, which is nothing. JSON is YAML, so that it reads our file.
  for (const { name } of readAlertRules()) {
    const fired = new RegExp(`alertname: ?${name}, time: (\\w+),`).exec(said)?.[1]
    const ours = run.firings.get(name)
    assert.equal(fired, ours === undefined ? undefined : instant(ours), `${name}: ${said}`)
  }
}

function testFile({ series, times }: Run): unknown {
  const rules = readAlertRules()
  return {
    rule_files: [RULES_FILE],
    evaluation_interval: instant(SCRAPE_MS),
    tests: [
      {
        interval: instant(SCRAPE_MS),
        input_series: series.map(({ name, labels, points }) => {
          const pairs = Object.entries(labels).map(
            ([label, value]) => `${label}=${JSON.stringify(value)}`,
          )
          return { series: `${name}{${pairs.join(',')}}`, values: valuesOf(points, times) }
        }),
        alert_rule_test: times.flatMap((atMs) =>
          rules.map(({ name }) => ({ eval_time: instant(atMs), alertname: name, exp_alerts: [] })),
        ),
      },
    ],
  }
}

/** Returns the values in promtool's notation, with `_` for a scrape without such a series. */
function valuesOf(points: Series['points'], times: readonly number[]): string {
  const values = new Map(points.map(({ atMs, value }) => [atMs, value]))
  return times.map((atMs) => String(values.get(atMs) ?? '_').replace('Infinity', 'Inf')).join(' ')
}

function instant(ms: number): string {
  const [minutes, seconds] = [Math.floor(ms / 60_000), (ms / 1000) % 60]
  if (minutes === 0) return `${seconds}s`
  return seconds === 0 ? `${minutes}m` : `${minutes}m${seconds}s`
}
