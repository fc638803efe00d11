/**
 * A small Prometheus for tests: evaluates the expressions of the shipped rules over scraped samples, at
 * instants that the test names. Where promtool is installed, it has to agree.
 *
 *     expr      and > compare > + - > * / > call, aggregate, selector, number
 *     call      abs, rate, increase, max_over_time, histogram_quantile
 *     aggregate sum, max, min, count, each with `by (…)`
 */
import assert from 'node:assert/strict'
import { overTime, quantile } from './functions.ts'
import { type Labels, type Sample, type Series, unnamed } from './series.ts'

type Result = number | Sample[]

/** Returns the instant vector of `expr` at `atMs`. Throws for parts of the language that are missing here. */
export function query(expr: string, series: readonly Series[], atMs: number): Sample[] {
  const reader = { tokens: tokensOf(expr), at: 0, series, atMs }
  const result = readAnd(reader)
  assert.equal(reader.at, reader.tokens.length, `not understood: ${expr}`)
  return typeof result === 'number' ? [{ labels: {}, value: result }] : result
}

type Reader = { tokens: string[]; at: number; series: readonly Series[]; atMs: number }

/** How long a sample stands for its series when nothing newer was scraped, in milliseconds. */
const LOOK_BACK_MS = 5 * 60_000
const TOKEN =
  /\s+|([a-zA-Z_:][\w:]*|\d+(?:\.\d+)?|"[^"]*"|=~|!~|!=|>=|<=|==|[-+*/<>=(){},[\]]|[\s\S])/y
const AGGREGATES = ['sum', 'max', 'min', 'count']

function tokensOf(expr: string): string[] {
  return [...expr.matchAll(new RegExp(TOKEN, 'gy'))].flatMap(([, token]) => token ?? [])
}

const peek = ({ tokens, at }: Reader): string => tokens[at] ?? ''

function next(reader: Reader): string {
  reader.at += 1
  return reader.tokens[reader.at - 1] ?? ''
}

function take(reader: Reader, wanted: string): void {
  const found = next(reader)
  assert.equal(found, wanted, `${reader.tokens.join(' ')} at ${reader.at}`)
}

function readAnd(reader: Reader): Result {
  let left = readComparison(reader)
  while (peek(reader) === 'and') {
    next(reader)
    const right = vector(readComparison(reader))
    left = vector(left).filter((one) => right.some(({ labels }) => isSame(labels, one.labels)))
  }
  return left
}

function readComparison(reader: Reader): Result {
  const left = readSum(reader)
  const sign = peek(reader)
  if (!['>', '<', '>=', '<=', '==', '!='].includes(sign)) return left
  next(reader)
  const right = readSum(reader)
  return vector(left).filter(({ labels, value }) => {
    const other = valueFor(right, labels)
    return other !== null && compare(sign, value, other)
  })
}

function compare(sign: string, a: number, b: number): boolean {
  switch (sign) {
    case '>':
      return a > b
    case '<':
      return a < b
    case '>=':
      return a >= b
    case '<=':
      return a <= b
    case '==':
      return a === b
    default:
      return a !== b
  }
}

function readSum(reader: Reader): Result {
  return readBinary(reader, ['+', '-'], readProduct)
}

function readProduct(reader: Reader): Result {
  return readBinary(reader, ['*', '/'], readUnit)
}

function readBinary(reader: Reader, signs: string[], readPart: (reader: Reader) => Result): Result {
  let left = readPart(reader)
  while (signs.includes(peek(reader))) {
    const sign = next(reader)
    const right = readPart(reader)
    if (typeof left === 'number' && typeof right === 'number') left = count(sign, left, right)
    else
      left = vector(left).flatMap(({ labels, value }) => {
        const other = valueFor(right, labels)
        return other === null ? [] : [{ labels: unnamed(labels), value: count(sign, value, other) }]
      })
  }
  return left
}

function count(sign: string, a: number, b: number): number {
  if (sign === '+') return a + b
  if (sign === '-') return a - b
  return sign === '*' ? a * b : a / b
}

function readUnit(reader: Reader): Result {
  const word = peek(reader)
  if (word === '(') {
    next(reader)
    const inner = readAnd(reader)
    take(reader, ')')
    return inner
  }
  if (/^\d/.test(word)) return Number(next(reader))
  if (AGGREGATES.includes(word)) return readAggregate(reader)
  if (reader.tokens[reader.at + 1] === '(') return readCall(reader)
  return readSelector(reader).map(({ labels, points }) => {
    return { labels, value: points.at(-1)?.value ?? Number.NaN }
  })
}

function readAggregate(reader: Reader): Sample[] {
  const how = next(reader)
  const by = peek(reader) === 'by' ? readNames(reader) : []
  take(reader, '(')
  const samples = vector(readAnd(reader))
  take(reader, ')')
  const named = peek(reader) === 'by' ? readNames(reader) : by
  const groups = Map.groupBy(samples, ({ labels }) =>
    JSON.stringify(named.map((name) => [name, labels[name] ?? ''])),
  )
  return [...groups].map(([key, group]) => {
    const labels = Object.fromEntries(
      (JSON.parse(key) as [string, string][]).filter(([, value]) => value !== ''),
    )
    return {
      labels,
      value: aggregate(
        how,
        group.map(({ value }) => value),
      ),
    }
  })
}

function aggregate(how: string, values: number[]): number {
  if (how === 'sum') return values.reduce((sum, value) => sum + value, 0)
  if (how === 'count') return values.length
  return how === 'max' ? Math.max(...values) : Math.min(...values)
}

function readNames(reader: Reader): string[] {
  take(reader, 'by')
  take(reader, '(')
  const names: string[] = []
  while (peek(reader) !== ')') {
    const name = next(reader)
    if (name !== ',') names.push(name)
  }
  take(reader, ')')
  return names
}

function readCall(reader: Reader): Sample[] {
  const name = next(reader)
  take(reader, '(')
  let result: Sample[]
  if (name === 'histogram_quantile') {
    const share = readAnd(reader)
    take(reader, ',')
    result = quantile(Number(share), vector(readAnd(reader)))
  } else if (name === 'abs') {
    result = vector(readAnd(reader)).map(({ labels, value }) => {
      return { labels: unnamed(labels), value: Math.abs(value) }
    })
  } else {
    const ranged = readSelector(reader)
    result = overTime(name, ranged, reader.atMs)
  }
  take(reader, ')')
  return result
}

/**
 * Returns the series with the points that the selector sees: those of its range, or the last one before the instant.
 */
function readSelector(reader: Reader): (Series & { rangeMs: number })[] {
  const name = next(reader)
  const matchers = peek(reader) === '{' ? readMatchers(reader) : []
  const rangeMs = peek(reader) === '[' ? readRange(reader) : 0
  const { atMs } = reader
  const fromMs = atMs - (rangeMs === 0 ? LOOK_BACK_MS : rangeMs)
  return reader.series
    .filter((one) => one.name === name && matchers.every((matches) => matches(one.labels)))
    .map(({ labels, points }) => {
      const seen = points.filter((point) => point.atMs >= fromMs && point.atMs <= atMs)
      return { name, labels: { ...labels, __name__: name }, points: seen, rangeMs }
    })
    .filter(({ points }) => points.length > 0)
}

function readMatchers(reader: Reader): ((labels: Labels) => boolean)[] {
  const matchers: ((labels: Labels) => boolean)[] = []
  take(reader, '{')
  while (peek(reader) !== '}') {
    const [label, sign, text] = [next(reader), next(reader), next(reader).slice(1, -1)]
    const whole = new RegExp(`^(?:${text})$`)
    matchers.push((labels) => {
      const value = labels[label] ?? ''
      const hit = sign.includes('~') ? whole.test(value) : value === text
      return sign.startsWith('!') ? !hit : hit
    })
    if (peek(reader) === ',') next(reader)
  }
  take(reader, '}')
  return matchers
}

function readRange(reader: Reader): number {
  take(reader, '[')
  const amount = Number(next(reader))
  const unit = { s: 1_000, m: 60_000, h: 3_600_000 }[next(reader)]
  take(reader, ']')
  assert.ok(unit !== undefined, 'a range is in s, m or h')
  return amount * unit
}

function vector(result: Result): Sample[] {
  assert.ok(typeof result !== 'number', 'a vector belongs here')
  return result
}

function valueFor(result: Result, labels: Labels): number | null {
  if (typeof result === 'number') return result
  return result.find((one) => isSame(one.labels, labels))?.value ?? null
}

function isSame(a: Labels, b: Labels): boolean {
  const key = (labels: Labels): string => JSON.stringify(Object.entries(unnamed(labels)).sort())
  return key(a) === key(b)
}
