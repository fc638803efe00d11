/**
 * `npm run attack [-- WORD…]`: every known attack on a real service, a line each with the worst stall of the
 * event loop seen meanwhile. Words choose attacks whose name contains one. Exit 0 only if none succeeds.
 */
import { ATTACKS } from './attacks/all.ts'
import { runAttacks } from './run-attacks.ts'

const words = process.argv.slice(2)
const wanted = ATTACKS.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
const ends: (() => Promise<void>)[] = []
let failed = 0
let done = 0
for await (const { name, seen, stallMs, failure } of runAttacks({ after: (end) => void ends.push(end) }, wanted)) {
  const outcome = failure === null ? `held: ${seen}` : `SUCCEEDED: ${failure.message.split('\n', 1)[0]}`
  console.log(`${Math.round(stallMs).toString().padStart(6)} ms  ${name} — ${outcome}`)
  if (failure === null) done += 1
  else failed += 1
}
for (const end of ends.reverse()) await end()
console.log(`${done} passed, ${failed} failed`)
process.exit(failed > 0 || done === 0 ? 1 : 0)
