/** Small tables for the terminal and for bench/README.md. */

/** Columns as wide as their widest cell; the first to the left, numbers to the right. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  const cells = rows.map((row) => row.map(String))
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ').trimEnd()
  return cells.map(line).join('\n')
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

export function verdict(isMet: boolean): string {
  return isMet ? 'met' : 'NOT MET'
}
