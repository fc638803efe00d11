/** Attacks on those who read what is stored: links where their command writes, and controls for their terminals. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import type { Customer } from '../../../tools/conformance/customer.ts'
import { adminProcess } from '../../admin/admin-command.ts'
import { CLI_SOURCE, type CliUser, cliUser } from '../../clients/cli-command.ts'
import type { TestScope } from '../../support/database.ts'
import type { Attack, Target } from '../attack.ts'

const VIDEO = 'https://www.youtube.com/watch?v=QIyCJblUw9E'

export const READERS: readonly Attack[] = [
  {
    name: 'a link under the name of the file that the command is about to write',
    class: 'planted links',
    isInGate: true,
    run: (target) => asUser(target, plantLinks),
  },
  {
    name: 'C1 controls, escape sequences and turned text in titles and names of channels',
    class: 'controls of terminals',
    isInGate: true,
    settings: { STOP_GRACE: '10' }, // the default; it gives a database of its own, whose titles are changed
    run: (target) => asUser(target, storeControls),
  },
]

/** What the attacker does before the command starts; `$$` is the process id that the command will have. */
const PLANTING = `for ending in part zip; do ln -s "$HOME/precious" "$HOME/talks/.scriptorium-$$.$ending"; done
  exec "$0" "$@"`

type Attempt = (given: { target: Target; user: CliUser; customer: Customer }) => Promise<string>

/** Runs the attempt with a user of the command, whose folder is removed afterwards. */
async function asUser(target: Target, attempt: Attempt): Promise<string> {
  const ends: (() => unknown)[] = []
  const scope = { after: (end: () => unknown) => void ends.push(end) } as TestScope
  const customer = await target.customer()
  const env = { SCRIPTORIUM_URL: target.address, SCRIPTORIUM_API_KEY: customer.apiKey }
  const program = ['/bin/sh', '-c', PLANTING, process.execPath, CLI_SOURCE]
  const user = cliUser(scope, env, program)
  fs.mkdirSync(path.join(user.folder, 'talks'))
  fs.writeFileSync(path.join(user.folder, 'precious'), 'kept')
  try {
    return await attempt({ target, user, customer })
  } finally {
    for (const end of ends) await end()
  }
}

async function plantLinks({ user }: Parameters<Attempt>[0]): Promise<string> {
  const { code, stderr } = await user.runs('get', VIDEO, '--out', 'talks', '--format', 'text,json')
  assert.equal(code, 0, stderr)
  assert.equal(fs.readFileSync(path.join(user.folder, 'precious'), 'utf8'), 'kept')
  const written = user.files('talks').filter((name) => !name.startsWith('.'))
  assert.equal(written.length, 2)
  return 'the files were written beside the links, and what those name is as it was'
}

/** What a terminal obeys, but for tabs and ends of lines. */
const OBEYED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/u
/** What turns text around; files and texts in a pipe keep it, since texts from right to left need its like. */
const TURNED = /[\u202a-\u202e\u2066-\u2069]/u
/** Outputs in which nothing is turned around: tables for people, and JSON, which has escapes. */
const FOR_PEOPLE = /^admin|^library$|json/
const TITLE = 'red \u001b[31m \u009b31m \u009d0;a title\u009c \u007f \u202etxt.exe\u202c end'

async function storeControls({ target, user, customer }: Parameters<Attempt>[0]): Promise<string> {
  const { job } = await customer.orders({ urls: [VIDEO], maxVideos: 1 })
  const id = job['id'] as string
  const { pool, url } = target.fleet.database
  await pool.query('update video_row set title = $2, channel_name = $2 where job_id = $1', [
    id,
    TITLE,
  ])
  await pool.query('update collection set title = $1', [TITLE])
  await pool.query('update api_key set name = $1', [TITLE])
  const named = ['--account', customer.accountId] as const
  const read = async (address: string): Promise<string> => {
    const answer = await fetch(`${target.address}${address}`, {
      headers: { Authorization: `Bearer ${customer.apiKey}` },
    })
    assert.equal(answer.status, 200, address)
    return answer.text()
  }
  const run = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await user.runs(...args)
    assert.notEqual(stdout, '', `${args.join(' ')}: ${stderr}`)
    return stdout + stderr
  }
  const ofJob = `/api/v1/jobs/${id}`
  const collections = JSON.parse(await run('library', '--json')) as {
    collections: { id: string }[]
  }
  const [collection] = collections.collections
  assert.ok(collection !== undefined)
  const seen: Record<string, string> = {
    'results.json': await read(`${ofJob}/results`),
    'library.json': await read('/api/v1/library'),
    'report.csv': await read(`${ofJob}/files/report.csv`),
    'all.txt': await read(`${ofJob}/files/all.txt`),
    'export.md': await read(`${ofJob}/export.md`),
    'export.jsonl': await read(`${ofJob}/export.jsonl`),
    'export.videos.jsonl': await read(`${ofJob}/export.videos.jsonl`),
    'get --format text': await run('get', VIDEO, '--stdout'),
    'get --format markdown': await run('get', VIDEO, '--stdout', '--format', 'markdown'),
    'get --format jsonl': await run('get', VIDEO, '--stdout', '--format', 'jsonl'),
    library: await run('library'),
    'library --json': await run('library', '--json'),
    'library --as csv': await run('library', collection.id, '--as', 'csv'),
    'library --as markdown': await run('library', collection.id, '--as', 'markdown'),
    'admin key list': (await adminProcess(url, 'key', 'list', ...named)).out,
    'admin key list --json': (await adminProcess(url, 'key', 'list', ...named, '--json')).out,
  }
  const unsafe = Object.entries(seen).filter(([what, text]) => {
    if (!what.endsWith('text')) assert.ok(text.includes('red'), `${what} tells the title`)
    return OBEYED.test(text) || (FOR_PEOPLE.test(what) && TURNED.test(text))
  })
  assert.deepEqual(
    unsafe.map(([what]) => what),
    [],
  )
  const rows = (seen['get --format jsonl'] ?? '').split('\n').filter((line) => line.startsWith('{'))
  const titles = rows.map((row) => (JSON.parse(row) as { title: string }).title)
  assert.ok(titles.includes(TITLE), 'in JSON the title is as it was')
  return `none in ${Object.keys(seen).length} outputs`
}
