/** `npm run rehearse-upgrade -- --served 200`: the last release and this one under load, with figures. */
import { readArguments } from '../../scripts/arguments.ts'
import { testDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/embedded-process.ts'
import { findRelease, unpackRelease } from '../support/last-release.ts'
import { exitOnSignals } from '../support/service-process.ts'
import { rehearse, servesEach } from './rehearsal.ts'

const { values } = readArguments({ options: { served: { type: 'string', default: '50' } } })
const release = findRelease()
if (release === null) {
  process.stderr.write('this copy has no history: the last release is not here\n')
  process.exit(1)
}
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const leaving: (() => void | Promise<void>)[] = []
const scope = { after: (work: () => void | Promise<void>): void => void leaving.unshift(work) }
exitOnSignals()
try {
  say(
    `from ${release} to the present state; each orders, reads and downloads ${values.served} times`,
  )
  const old = unpackRelease(release, temporaryFolder(scope))
  const database = await testDatabase({ after: scope.after })
  await database.pool.query('drop schema public cascade; create schema public')
  const { done, wrong, lost, passedOn, exits, refusal, figures } = await rehearse({
    database,
    old,
    serves: servesEach(Number(values.served)),
    noticeSeconds: 3,
    customers: 5,
    say,
  })
  const underWay = lost.filter(({ wasUnderWay }) => wasUnderWay).length
  const counts = { ...done, passedOn, lostUnderWay: underWay, lost: lost.length - underWay }
  for (const [name, count] of Object.entries({ ...counts, ...figures }))
    say(`${name.padEnd(18)} ${count}`)
  say(`the last release afterwards: ${refusal.trim()}`)
  for (const { request, why } of lost) say(`lost: ${request}: ${why}`)
  const bad = [...wrong, ...exits.filter((code) => code !== 0).map((code) => `exit ${code}`)]
  for (const line of bad) say(line)
  process.exitCode = bad.length > 0 || lost.length > underWay ? 1 : 0
} finally {
  for (const work of leaving) await work()
}
