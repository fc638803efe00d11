/** The dashboard, the alert rules and compose.yaml name only what exists. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { ROW_STATUSES } from '../../src/model/jobs/video-row.ts'
import { JOB_STATES } from '../../src/model/jobs/job.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const read = (name: string): string => fs.readFileSync(path.join(ROOT, name), 'utf8')

type Dashboard = {
  panels: {
    id: number
    title: string
    gridPos: { x: number; y: number; w: number; h: number }
    targets: { expr: string }[]
  }[]
}

const dashboard = JSON.parse(read('docs/operating/grafana-dashboard.json')) as Dashboard
const alerts = read('docs/operating/alerts.yaml')
const QUERIES = [
  ...dashboard.panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => ({ where: title, expr })),
  ),
  ...alerts
    .split('- alert: ')
    .slice(1)
    .map((rule) => ({ where: rule.split('\n')[0] ?? '', expr: exprOf(rule) })),
]

function exprOf(rule: string): string {
  const [, after = ''] = rule.split(/\n {8}expr: /)
  return after.split(/\n {8}\w+:/)[0] ?? ''
}

test('every metric and label of the dashboard and the alert rules is one that the service has', async () => {
  const metrics = createMetrics().registry.getMetricsAsArray() as unknown as {
    name: string
    type: string
    labelNames: string[]
  }[]
  const known = new Map(metrics.map(({ name, labelNames }) => [name, new Set(labelNames)]))
  assert.ok(QUERIES.length > 25)
  for (const { where, expr } of QUERIES) {
    const names = [...expr.matchAll(/\b((?:scriptorium|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)]
    assert.ok(names.length > 0 || /^(count\()?up\{/.test(expr), `${where}: ${expr}`)
    for (const [, name = '', labels = ''] of names) {
      const base = known.has(name) ? name : name.replace(/_(bucket|count|sum)$/, '')
      const own = known.get(base)
      assert.ok(own !== undefined, `${where}: there is no metric ${name}`)
      for (const [, label = ''] of labels.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)) {
        assert.ok(own.has(label) || label === 'job', `${where}: ${name} has no label ${label}`)
      }
    }
    const values = [...expr.matchAll(/\b(state|status)=~?"([a-z|_]+)"/g)].flatMap(
      ([, , list = '']) => list.split('|'),
    )
    for (const value of values)
      assert.ok(
        [...ROW_STATUSES, ...JOB_STATES].some((one) => one === value),
        `${where}: ${value}`,
      )
  }
})

test('every line of the log that an alert tells people to search for is one that the code writes', () => {
  const searched = [...alerts.matchAll(/Search the log for [^`\n]*`([^`]+)`/g)]
  assert.ok(searched.length > 1)
  const code = fs
    .readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => read(`src/${name}`))
    .join('\n')
  for (const [, line = ''] of searched) assert.ok(code.includes(`'${line}'`), line)
})

test('every metric of ours is looked at by a panel or a rule', () => {
  const ours = createMetrics()
    .registry.getMetricsAsArray()
    .map(({ name }) => name)
    .filter((name) => name.startsWith('scriptorium_'))
  const unseen = ours.filter((name) => !QUERIES.some(({ expr }) => expr.includes(name)))
  assert.deepEqual(unseen, [])
})

test('panels have their own ids and do not overlap', () => {
  const { panels } = dashboard
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
  for (const [at, { title, gridPos: a }] of panels.entries()) {
    assert.ok(a.x + a.w <= 24, title)
    for (const { title: other, gridPos: b } of panels.slice(at + 1)) {
      const isApart = a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y
      assert.ok(isApart, `${title} and ${other}`)
    }
  }
})

test('what the Dockerfile copies is what .dockerignore lets in', () => {
  const lines = read('Dockerfile')
    .split('\n')
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
  const copied = lines.flatMap((line) => line.split(' ').slice(1, -1))
  const admitted = new Set(
    read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1)),
  )
  for (const name of copied) {
    assert.ok(fs.existsSync(path.join(ROOT, name)), name)
    assert.ok(
      admitted.has(name) || [...admitted].some((one) => name.startsWith(`${one}/`)),
      `${name} is not let in`,
    )
  }
})
