/**
 * `npm run attack [-- WORD…]`: every known attack on a real service, a line each with the worst stall of the event loop
 * seen meanwhile. Words choose attacks whose name contains one. Exit code 0 only where none succeeds, 1 where one does,
 * 2 where no attack has such a name.
 */
import { ATTACKS } from './attacks/all.ts'
import { longestTurnMs } from '../stalls/measure.ts'
import { runMeasured } from './measured-attacks.ts'

const words = process.argv.slice(2)
const wanted = ATTACKS.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
)
process.exitCode = wanted.length === 0 ? sayNone() : await attack()
process.exit()

function sayNone(): number {
  console.error(`no attack's name contains ${words.join(' or ')}`)
  return 2
}

async function attack(): Promise<number> {
  const startedAt = performance.now()
  const ends: (() => Promise<void>)[] = []
  let held = 0
  let worst = { stallMs: 0, name: '' }
  for await (const { name, seen, stallMs, tookMs, failure } of runMeasured(
    { after: (end) => void ends.push(end) },
    wanted,
  )) {
    if (failure === null) held += 1
    if (stallMs > worst.stallMs) worst = { stallMs, name }
    console.log(
      `${failure === null ? 'held     ' : 'SUCCEEDED'} ${milliseconds(stallMs)} stall ${seconds(tookMs)}  ${name}`,
    )
    console.log(`${' '.repeat(35)}${failure === null ? seen : firstLines(failure.message)}`)
  }
  for (const end of ends.reverse()) await end()

  console.log(
    `\n${held} of ${wanted.length} attacks held in ${seconds(performance.now() - startedAt).trim()}`,
  )
  if (worst.name !== '')
    console.log(
      `worst stall of the event loop: ${milliseconds(worst.stallMs).trim()} of ${Math.round(longestTurnMs())} ms allowed (${worst.name})`,
    )
  return held === wanted.length ? 0 : 1
}

function milliseconds(ms: number): string {
  return `${Number.isFinite(ms) ? Math.round(ms).toString() : 'endless'} ms`.padStart(10)
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`.padStart(8)
}

function firstLines(message: string): string {
  return message.split('\n', 3).join(' ').slice(0, 300)
}
