/** The alert rules of docs/operating/alerts.yaml, printed from the list of alerts. */
import { type Alert, type GaugeCondition, isGaugeAlert } from '../../src/model/operator/alert.ts'
import { ALERTS } from '../../src/model/operator/alerts.ts'

const HEAD = `# Printed by \`npm run print\` from src/model/operator/alerts.ts.
#
# Alert rules for Prometheus: \`rule_files: [alerts.yaml]\`. Scrape /metrics of every process, as a job named
# scriptorium: the API on PORT, worker-only processes on HEALTH_PORT. Every process reports the same values for
# what all of them share (jobs, queue, ledger, resting routes), hence max() over them.
groups:
  - name: scriptorium
    rules:
`

export function alertRules(): string {
  return HEAD + ALERTS.map(ruleText).join('\n')
}

/** Indentation of a rule's fields. */
const FIELD = ' '.repeat(8)

function ruleText(alert: Alert): string {
  const { name, remark, forMinutes, severity, summary, action } = alert
  const lines = [
    `      - alert: ${name}`,
    ...(remark === undefined ? [] : [`${FIELD}# ${remark}`]),
    ...blockOf('expr', exprOf(alert)),
    ...(forMinutes === undefined ? [] : [`${FIELD}for: ${forMinutes}m`]),
    `${FIELD}labels: { severity: ${severity} }`,
    `${FIELD}annotations:`,
    `${FIELD}  summary: ${scalar(summary)}`,
    `${FIELD}  action: ${scalar(action)}`,
  ]
  return `${lines.join('\n')}\n`
}

/** Returns a text as YAML reads it back: bare where nothing in it has a meaning, otherwise in quotes. */
function scalar(text: string): string {
  return /^[A-Z][^:#"\\]*$/.test(text) ? text : JSON.stringify(text)
}

function blockOf(field: string, text: string): string[] {
  const [first, ...more] = text.split('\n')
  if (more.length === 0) return [`${FIELD}${field}: ${first}`]
  return [`${FIELD}${field}: |`, ...[first, ...more].map((line) => `${FIELD}  ${line}`)]
}

/** Returns the alert's condition in PromQL. */
export function exprOf(alert: Alert): string {
  if (!isGaugeAlert(alert)) return alert.expr
  return alert.when.map(comparisonOf).join('\n  and ')
}

function comparisonOf(condition: GaugeCondition): string {
  const { per, is, than } = condition
  const bound = typeof than === 'number' ? than : `max(${than.gauge})`
  const value = valueOf(condition)
  if (per === 'process') return `${value} ${is} ${bound}`
  return `max${per === undefined ? '' : ` by (${per.join(', ')}) `}(${value}) ${is} ${bound}`
}

function valueOf({ gauge, labels = {}, per, isAbsolute, isOverMinute }: GaugeCondition): string {
  const matchers = [
    ...(per === 'process' ? ['job="scriptorium"'] : []),
    ...Object.entries(labels).map(([label, some]) => `${label}=~"${some.join('|')}"`),
  ]
  const series = matchers.length === 0 ? gauge : `${gauge}{${matchers.join(',')}}`
  const value = isOverMinute ? `max_over_time(${series}[1m])` : series
  return isAbsolute ? `abs(${value})` : value
}
