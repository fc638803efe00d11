/** Checks the rooms of `src` against their storeys, and writes the table of both that `npm run check` prints. */
import { type Import, type Source, findRings } from './import-graph.ts'
import { roomOf, STOREYS, storeyOf } from './storeys.ts'

const HEIGHTS = STOREYS.map(({ name }) => name)

type Arrow = { from: string; to: string; imports: Import[] }

/** Returns a sentence for each breach between rooms. `sources` are those of `src`, tests left out. */
export function findRoomBreaches(sources: readonly Source[]): string[] {
  const arrows = arrowsOf(sources)
  const upward = arrows
    .filter(({ from, to }) => heightOf(to) > heightOf(from))
    .flatMap(({ imports }) => imports)
    .map(({ from, to }) => `no room imports from a storey above: ${from} -> ${to}`)
  const rings = findRings(arrows).map((ring) => {
    const files = ring.slice(1).map((to, at) => {
      const [one] =
        arrows.find((arrow) => arrow.from === ring[at] && arrow.to === to)?.imports ?? []
      return `${one?.from} -> ${one?.to}`
    })
    return `no ring of rooms: ${ring.join(' -> ')} (${files.join(', ')})`
  })
  return [...upward, ...rings]
}

/** Returns the storeys from the top down with their rooms, files and lines, and the number of arrows between rooms. */
export function tableOfStoreys(sources: readonly Source[]): string {
  const lines = STOREYS.toReversed().flatMap(({ name }) => {
    const here = sources.filter(({ file }) => storeyOf(roomIn(file)) === name)
    const rooms = [...new Set(here.map(({ file }) => roomIn(file)))].sort()
    const sum = here.reduce((all, { lines: count }) => all + count, 0)
    const names = rooms.map((room) => room.replace(`${name}/`, '')).join(' ')
    return `${name.padEnd(9)} ${String(here.length).padStart(4)} files ${String(sum).padStart(6)} lines  ${names}`
  })
  const rooms = new Set(sources.map(({ file }) => roomIn(file)))
  const arrows = arrowsOf(sources)
  const upward = arrows.filter(({ from, to }) => heightOf(to) > heightOf(from))
  const mutual = arrows.filter(
    ({ from, to }) => from < to && arrows.some((back) => back.from === to && back.to === from),
  )
  const sum = `${rooms.size} rooms, ${arrows.length} arrows, ${upward.length} upward, ${mutual.length} pairs that import each other`
  return [...lines, sum].join('\n')
}

function arrowsOf(sources: readonly Source[]): Arrow[] {
  const files = new Set(sources.map(({ file }) => file))
  const between = sources
    .flatMap(({ imports }) => imports)
    .filter(({ from, to }) => files.has(to) && roomIn(from) !== roomIn(to))
  return [...Map.groupBy(between, ({ from, to }) => `${roomIn(from)} ${roomIn(to)}`)].map(
    ([pair, imports]) => {
      const [from = '', to = ''] = pair.split(' ')
      return { from, to, imports }
    },
  )
}

function heightOf(room: string): number {
  return HEIGHTS.indexOf(storeyOf(room))
}

/** Returns the room of a file, whose path begins at the root of the project. */
function roomIn(file: string): string {
  return roomOf(file.replace(/^src\//, ''))
}
