/** A search that is refused says why: the start of a process, a wait or an index that is behind are not the words. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { openIndexProcesses } from '../../src/features/search/index-processes.ts'
import { openSearch, type Search } from '../../src/features/search/search.ts'
import { openPatience } from '../../src/kit/patience.ts'
import { TaskTooSlow } from '../../src/kit/threads.ts'
import { searchQuestion } from '../../src/api/search/question.ts'
import { testService } from '../support/service.ts'
import { TEST_DEADLINES } from '../support/settings.ts'
import { until } from '../support/until.ts'
import { endlessIndex, indexPath } from './index-files.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'refused-'))
after(() => fs.rmSync(folder, { recursive: true, force: true }))
const { customer, database, service } = await testService({ after })
const who = await customer()
const { rows } = await who.orders({ urls: ['@smallworkshop'], maxVideos: 3 })
const owned = rows.filter(({ status }) => status === 'success').length
const THE = searchQuestion({ q: 'the' })

/** Returns a file for the processes whose start is held, as on a machine that is too busy, until `begin` is called. */
function heldProcess(t: TestContext): { file: URL; begin: () => void } {
  const held = fs.mkdtempSync(path.join(folder, 'held-'))
  const [file, gate] = [path.join(held, 'process.mjs'), path.join(held, 'begin')]
  const real = new URL('../../src/features/search/index-process.ts', import.meta.url).href
  const waits = `while (!fs.existsSync(${JSON.stringify(gate)})) Atomics.wait(nobody, 0, 0, 20)`
  const nobody = 'const nobody = new Int32Array(new SharedArrayBuffer(4))'
  fs.writeFileSync(file, `import fs from 'node:fs'\n${nobody}\n${waits}\nexport * from '${real}'\n`)
  const begin = (): void => fs.writeFileSync(gate, '')
  t.after(begin)
  return { file: pathToFileURL(file), begin }
}

type Places = { library?: string; file?: URL }

function opens(
  t: TestContext,
  deadlines: Partial<typeof TEST_DEADLINES>,
  { library = fs.mkdtempSync(path.join(folder, 'library-')), file }: Places = {},
): Search {
  const search = openSearch({
    pool: database.pool,
    textStore: null,
    log: service.context.log,
    folder: library,
    bytesMax: 1_000_000_000,
    deadlines: { ...TEST_DEADLINES, ...deadlines },
    ...(file === undefined ? {} : { processFile: file }),
  })
  t.after(() => search.close())
  return search
}

test('the start of a process counts against nobody, also not those who wait for the one that asked first', async (t) => {
  const { file, begin } = heldProcess(t)
  const processes = openIndexProcesses({ readers: 1, deadlines: TEST_DEADLINES, file })
  t.after(() => processes.close())
  let nowMs = 0
  const patiences = [1, 2].map(() => openPatience(60_000, () => nowMs))
  const at = { path: indexPath({ after }) }
  const asks = patiences.map((patience) => processes.ask('standing', at, { patience }))
  nowMs = 1_000_000
  begin()
  for (const { indexed } of await Promise.all(asks)) assert.equal(indexed, 0)
  assert.deepEqual(
    patiences.map(({ leftMs }) => leftMs()),
    [60_000, 60_000],
  )
})

test('who does not wait for the start any longer is told so, and the process goes on starting', async (t) => {
  const { file, begin } = heldProcess(t)
  const search = opens(t, { searchStartMs: 1 }, { file })
  const starting = { code: 'server_busy', message: /^Search is starting on this server; / }
  await assert.rejects(search.find(who.accountId, THE), starting)
  await assert.rejects(search.findInAll(who.accountId, THE), starting)
  await assert.rejects(search.streamMentions(who.accountId, THE), starting)
  begin()
  await until('search is up', async () => {
    const found = await search.find(who.accountId, THE).catch((error: Error) => error)
    return !(found instanceof Error) && found.indexed === owned && found.total > 0
  })
})

test('an index that is behind is no answer to an agent, and says how much it lacks to others', async (t) => {
  const search = opens(t, { agentSearchBuildMs: 1, searchBuildMs: 1, mentionsBuildMs: 1 })
  const lock = await database.connect()
  await lock.query('begin; lock table transcript_body in access exclusive mode')
  const { indexed, total, ...found } = await search.find(who.accountId, THE)
  assert.deepEqual([indexed, total, found.owned], [0, 0, owned])
  const behind = new RegExp(
    `^So far 0 of your ${owned} .* and ${owned} are being added; .* in a second`,
  )
  await assert.rejects(search.findInAll(who.accountId, THE), { message: behind })
  await assert.rejects(search.streamMentions(who.accountId, THE), { message: behind })
  await lock.query('rollback')
  await until('an agent has an answer', async () => {
    const all = await search.findInAll(who.accountId, { ...THE, counted: true }).catch(() => null)
    return all !== null && all.indexed === owned && Number(all.mentions) >= all.total
  })
})

test('who waits for a place is not told that their words are slow, and their index is not distrusted', async (t) => {
  const processes = openIndexProcesses({ readers: 1, deadlines: TEST_DEADLINES })
  t.after(() => processes.close())
  const [endless, good] = [indexPath({ after }), indexPath({ after })]
  endlessIndex(endless)
  const ask = (file: string, ms: number) =>
    processes.ask('standing', { path: file }, { patience: openPatience(ms) })
  await ask(good, 60_000)
  const first = assert.rejects(ask(endless, 2_000), (error) => {
    assert.ok(error instanceof TaskTooSlow)
    return error.wasBegun
  })
  await assert.rejects(ask(good, 1), (error) => error instanceof TaskTooSlow && !error.wasBegun)
  await first
})

test('words are blamed where the index itself does not answer in time, and a server that stops says so', async (t) => {
  const library = fs.mkdtempSync(path.join(folder, 'library-'))
  const search = opens(t, { searchMs: 500 }, { library })
  await until('it is indexed', async () => {
    const found = await search.find(who.accountId, THE).catch(() => null)
    return found?.indexed === owned
  })
  endlessIndex(path.join(library, `${who.accountId}.db`))
  const slow = { message: /^Looking these words up took too long; .* longer or for fewer words\.$/ }
  await assert.rejects(search.find(who.accountId, THE), slow)
  await search.close()
  await assert.rejects(search.find(who.accountId, THE), { message: /^This server is stopping; / })
})
