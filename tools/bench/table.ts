/** Small tables and curves for the terminal and for tools/bench/README.md. */

/** Returns the rows in columns as wide as their widest cell; the first column to the left, numbers to the right. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  const cells = rows.map((row) => row.map(String))
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd()
  return cells.map(line).join('\n')
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

let goals = { met: 0, missed: 0 }

/** Returns the word for a goal that was met or missed, and counts it for takeGoals(). */
export function verdict(isMet: boolean): string {
  goals[isMet ? 'met' : 'missed'] += 1
  return isMet ? 'met' : 'NOT MET'
}

/** Returns how many goals were met and missed since the last call. */
export function takeGoals(): { met: number; missed: number } {
  const taken = goals
  goals = { met: 0, missed: 0 }
  return taken
}

const BLOCKS = '▁▂▃▄▅▆▇█'

/** Returns a curve of at most `width` characters, each as high as the highest of its share of the values. */
export function sparkline(values: readonly number[], width = 60): string {
  const columns = Math.min(width, values.length)
  const tops = Array.from({ length: columns }, (_, column) => {
    const [from, until] = [column, column + 1].map((edge) =>
      Math.floor((edge * values.length) / columns),
    )
    return Math.max(...values.slice(from, until))
  })
  const [low, high] = [Math.min(...tops), Math.max(...tops)]
  const step = (value: number): number =>
    high === low ? 0 : Math.round(((value - low) / (high - low)) * (BLOCKS.length - 1))
  return tops.map((value) => BLOCKS[step(value)]).join('')
}
