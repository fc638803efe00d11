/**
 * `npm run rehearse-upgrade -- --served 200`: the last release and the present state under load, with figures;
 * `--from X.Y.Z` takes an earlier release. On the commit of a release that is a rehearsal between two releases.
 */
import { readArguments } from '../../tools/scripts/arguments.ts'
import { findReleases } from '../support/releases.ts'
import { exitOnSignals } from '../support/service-process.ts'
import { rehearse, VERDICT } from './rehearsal.ts'

const { values } = readArguments({
  options: { served: { type: 'string', default: '50' }, from: { type: 'string' } },
})
const releases = findReleases('HEAD^')
const from = releases.find(({ version }) => version === (values.from ?? releases[0]?.version))
if (from === undefined) {
  const there = releases.map(({ version }) => version).join(', ')
  const what = there === '' ? 'no release: it has no history' : `only ${there}`
  process.stderr.write(`before this commit, this copy contains ${what}\n`)
  process.exit(1)
}
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const leaving: (() => void | Promise<void>)[] = []
const scope = { after: (work: () => void | Promise<void>): void => void leaving.unshift(work) }
exitOnSignals()
try {
  say(`from ${from.version} (${from.commit.slice(0, 12)}) to the present state`)
  say(`whatever serves orders, reads and downloads ${values.served} times before the next step`)
  const { done, wrong, lost, passedOn, exits, verified, figures } = await rehearse(scope, {
    from,
    served: Number(values.served),
    customers: 5,
    say,
  })
  const underWay = lost.filter(({ wasUnderWay }) => wasUnderWay).length
  const counts = { ...done, passedOn, lostUnderWay: underWay, lost: lost.length - underWay }
  for (const [name, count] of Object.entries({ ...counts, ...figures }))
    say(`${name.padEnd(18)} ${count}`)
  say(`${from.version} afterwards: ${verified.trim()}`)
  for (const { request, why } of lost) say(`lost: ${request}: ${why}`)
  const bad = [...wrong, ...exits.filter((code) => code !== 0).map((code) => `exit ${code}`)]
  if (!VERDICT.test(verified)) bad.push(`${from.version} should say ${VERDICT}`)
  for (const line of bad) say(line)
  process.exitCode = bad.length > 0 || lost.length > underWay ? 1 : 0
} finally {
  for (const work of leaving) await work()
}
