/** Attacks by what things are called: formulas in every table that a customer opens in a spreadsheet. */
import assert from 'node:assert/strict'
import { parse } from 'csv-parse/sync'
import { addLibrary, LARGE_CHANNEL } from '../../support/large-library.ts'
import { Customer } from '../../../tools/conformance/customer.ts'
import { addCredit } from '../../../src/features/money/balance.ts'
import { transact } from '../../../src/kit/postgres/database.ts'
import { isStorable } from '../../../src/kit/text/outside-text.ts'
import { FORMULAS, isFormula } from '../../support/formula-beginnings.ts'
import { unzipped } from '../../support/unzipped.ts'
import type { Attack, Target } from '../attack.ts'
import { type Member, signUp } from '../member.ts'
import { BEHIND_PROXY } from './sign-in-visits.ts'

/** Names that people give: signs in their plain and other forms, with what has no ink in front. */
const GIVEN = [
  '=cmd()',
  '＝cmd()',
  '\u00a0=cmd()',
  '\u200b\u202e＋cmd()',
  ' ﹣cmd()',
  '\u2060＠cmd()',
  '\u2212cmd()',
  '\ufeff=cmd()',
]
const CALLED = FORMULAS.filter(isStorable)
/** Jobs of `addLibrary` have 500 rows each. */
const VIDEOS = Math.ceil(CALLED.length / 500) * 500
const SEGMENT_MS = 20_000
/** What is no formula whatever its sign: an amount, and a video's id, of which a spreadsheet makes no call. */
const EXACT = /^-(?:[\d.]+|[\w-]{10})$/

export const TABLES: readonly Attack[] = [
  {
    name: 'formulas in titles, names, captions, tags and reasons, in every table that a spreadsheet opens',
    class: 'controls of terminals',
    isInGate: true,
    settings: BEHIND_PROXY,
    async run(target) {
      const owner = await ownerOfFormulas(target)
      await callThem(target, owner)
      const seen = { tables: 0, cells: 0 }
      for (const [name, csv] of await tablesOf(target, owner)) {
        const rows = parse(csv, { bom: true, record_delimiter: '\r\n' }) as string[][]
        const cells = rows.flat()
        const run = cells.filter((cell) => isFormula(cell) && !EXACT.test(cell))
        assert.equal(run.length, 0, `${name} has ${run.length}: ${JSON.stringify(run.slice(0, 5))}`)
        const defused = cells.filter((cell) => cell.startsWith("'") && isFormula(cell.slice(1)))
        assert.ok(defused.length > 0, `${name} has no cell that would have been one`)
        seen.tables += 1
        seen.cells += defused.length
      }
      return `${seen.cells} cells of ${seen.tables} tables are text`
    },
  },
]

/** A member who bought what others named, named it, and has keys and a credit that somebody named. */
async function ownerOfFormulas(target: Target): Promise<Member> {
  const { database, platform } = target.fleet
  const owner = await signUp(target)
  const { accountId, visitor } = owner
  for (const reason of GIVEN) {
    const credit = { accountId, micros: 1_000_000n, reference: reason, reason }
    await transact(database.db, (tx) => addCredit(tx, credit))
  }
  // Each key buys one video; what the platform itself calls so is among them.
  const { world } = platform
  const talks = world.uploads(world.channel('talks'), 'video')
  await Promise.all(
    GIVEN.map(async (name, at) => {
      const special = ['title-formula', 'title-formula-at'][at]
      const video = special === undefined ? talks.at(at) : world.special(special)
      const made = await visitor.asks('POST', '/account/keys', { name })
      const buyer = new Customer({ address: target.address, accountId, apiKey: made.body.apiKey })
      await buyer.orders({ urls: video.videoId, maxVideos: 1 })
    }),
  )
  await addLibrary(database.pool, {
    accountId,
    texts: VIDEOS,
    collections: 1,
    videosEach: 0,
    transcript: {
      languageCode: 'en',
      trackKind: 'asr',
      source: null,
      segments: GIVEN.map((text, at) => ({
        startMs: at * SEGMENT_MS,
        endMs: at * SEGMENT_MS + 900,
        text: `${text} word`,
      })),
    },
  })
  return owner
}

/** Gives each bought video a title, a channel and tags of its own, as the platform could send them. */
async function callThem({ fleet }: Target, { accountId }: Member): Promise<void> {
  const { pool } = fleet.database
  const job = `job-${LARGE_CHANNEL}-%`
  await pool.query(
    `with named as (select job_id, index, ($2::text[])[1 + (row_number() over (order by job_id, index) - 1)
        % cardinality($2)] as name from video_row where job_id like $1)
    update video_row r set title = name, channel_name = name from named n
    where (r.job_id, r.index) = (n.job_id, n.index)`,
    [job, CALLED],
  )
  await pool.query(
    `update video_details d set keywords = array[r.title, r.title] from video_row r
    where r.video_id = d.video_id and r.job_id like $1`,
    [job],
  )
  await pool.query('update collection set title = $2 where account_id = $1', [accountId, GIVEN[1]])
}

/** Every table that the owner can open, by its address. */
async function tablesOf(target: Target, owner: Member): Promise<[name: string, csv: string][]> {
  const { visitor, accountId } = owner
  const { bearer: apiKey } = (await visitor.asks('POST', '/account/bearer')).body
  const api = new Customer({ address: target.address, accountId, apiKey })
  const project = await api.asks('POST', '/projects', { body: { name: GIVEN[1] } })
  const [job, library] = [`/jobs/job-${LARGE_CHANNEL}-0/files`, `/library/${LARGE_CHANNEL}/files`]
  const added = { job: `job-${LARGE_CHANNEL}-0` }
  await api.asks('POST', `/projects/${project.body['id']}/videos`, { body: added })
  const mine = `/library/${project.body['id']}/files`
  const ofApi = [job, library, mine].flatMap((files) => [
    `${files}/report.csv`,
    `${files}/report.csv?bom=1`,
    ...(files === job ? [] : [`${files}/export.4cat.csv`]),
  ])
  const named: [string, string][] = []
  for (const path of ofApi) named.push([path, (await api.downloads(path)).toString()])
  for (const files of [job, mine]) {
    const inside = unzipped(await api.downloads(`${files}/zip`))
    named.push([`${files}/zip`, [...inside].find(([name]) => name.endsWith('.csv'))?.[1] ?? ''])
  }
  const ofSite = ['statement.csv', 'spending.csv', `library/${LARGE_CHANNEL}/export.4cat.csv`]
  for (const path of [...ofSite, 'mentions.csv?q=word']) {
    const { status, text } = await visitor.asks('GET', `/account/${path}`)
    assert.equal(status, 200, `${path}: ${text.slice(0, 200)}`)
    named.push([path, text])
  }
  return named
}
