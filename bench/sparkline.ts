/** A curve as a line of text and as an SVG. */

const BLOCKS = '▁▂▃▄▅▆▇█'

/** As many characters as `width`, each the highest of its share of the values. */
export function sparkline(values: readonly number[], width = 60): string {
  const columns = Math.min(width, values.length)
  const tops = Array.from({ length: columns }, (_, column) => {
    const [from, until] = [column, column + 1].map((edge) => Math.floor((edge * values.length) / columns))
    return Math.max(...values.slice(from, until))
  })
  const [low, high] = [Math.min(...tops), Math.max(...tops)]
  const step = (value: number): number => high === low ? 0 : Math.round(((value - low) / (high - low)) * (BLOCKS.length - 1))
  return tops.map((value) => BLOCKS[step(value)]).join('')
}

export type Curve = { name: string; colour: string; values: readonly number[] }

const SIZE = { width: 720, height: 260, left: 60, bottom: 30, top: 20 }

/** All curves over one time axis from zero; `unit` names the values. */
export function curvesSvg(curves: readonly Curve[], { title, unit, seconds }: { title: string; unit: string; seconds: number }): string {
  const { width, height, left, bottom, top } = SIZE
  const high = Math.max(...curves.flatMap(({ values }) => values)) * 1.1
  const y = (value: number): number => height - bottom - (value / high) * (height - bottom - top)
  const lines = curves.map(({ name, colour, values }, at) => {
    const x = (index: number): number => left + (index / Math.max(1, values.length - 1)) * (width - left - 10)
    const points = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(' ')
    const label = `<text x="${left + 10 + at * 130}" y="${top + 10}" fill="${colour}">${name}</text>`
    return `<polyline fill="none" stroke="${colour}" stroke-width="1.5" points="${points}"/>${label}`
  })
  const grid = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const value = (high / 1.1) * share
    return `<line x1="${left}" x2="${width - 10}" y1="${y(value)}" y2="${y(value)}" stroke="#ddd"/>` +
      `<text x="${left - 8}" y="${y(value) + 4}" text-anchor="end">${Math.round(value)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/><title>${title}</title>
${grid.join('\n')}
${lines.join('\n')}
<text x="${left}" y="${height - 8}">0 s</text><text x="${width - 10}" y="${height - 8}" text-anchor="end">${Math.round(seconds)} s</text>
<text x="${left - 8}" y="${top - 6}" text-anchor="end">${unit}</text>
</svg>
`
}
