/** `scriptorium library`: what the account has, and all of a channel as a file, from jobs that brought it in parts. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { sharedService } from '../support/shared-service.ts'
import { unzipped } from '../support/unzipped.ts'
import { CLI_SOURCE, cliUser } from './cli-command.ts'
import { EXPORTS, WHOLES } from '../../src/model/files/catalogue.ts'

const { platform, customer, address } = await sharedService({ after })
const channel = platform.world.channel('small')
const who = await customer()
const user = cliUser({ after }, { SCRIPTORIUM_URL: address, SCRIPTORIUM_API_KEY: who.apiKey })

before(async () => {
  const order = { urls: [`https://www.youtube.com/${channel.handle}`], maxVideos: 5 }
  for (const _ of [1, 2]) await who.orders(order)
})

test('a channel is listed, told of, and goes on by the command that is printed', async () => {
  const list = await user.runs('library')
  assert.equal(list.code, 0, list.stderr)
  assert.equal(list.stdout, `${channel.channelId}  10/24  ${channel.title}\n`)
  const one = await user.runs('library', channel.channelId)
  assert.match(one.stdout, /^delivered +10 of 24$/m)
  assert.match(one.stdout, /^charged +\$0\.08$/m)
  const [, command = ''] =
    /^The rest \(at most \$[\d.]+\): scriptorium (.+)$/m.exec(one.stderr) ?? []
  const rest = await user.runs(...command.split(' '))
  assert.equal(rest.code, 3, `two have no captions: ${rest.stderr}`)
  const { collections } = JSON.parse((await user.runs('library', '--json')).stdout)
  assert.equal(collections[0].delivered, 22)
  const told = JSON.parse((await user.runs('library', channel.channelId, '--json')).stdout)
  assert.deepEqual([told.delivered, told.noCaptions], [22, 2])
})

test('of a large playlist the printed command is one that is taken, and tells what is left out', async () => {
  const large = platform.world.playlist('huge')
  const reader = await customer()
  const own = cliUser({ after }, { SCRIPTORIUM_URL: address, SCRIPTORIUM_API_KEY: reader.apiKey })
  await reader.orders({
    urls: [`https://www.youtube.com/playlist?list=${large.playlistId}`],
    maxVideos: 2,
  })
  await reader.orders({ urls: [`https://www.youtube.com/watch?v=${large.at(50).videoId}`] })
  const { stderr } = await own.runs('library', large.playlistId)
  assert.deepEqual(stderr.trimEnd().split('\n'), [
    `The rest (at most $39.984): scriptorium get 'https://www.youtube.com/playlist?list=${large.playlistId}' --max 4998`,
    '1 of these 4998 videos came in other orders: they are left out, and cost nothing.',
  ])
})

test('all of it is one file of each kind, with the bytes that the API gives', async () => {
  const saved = async (kind: string, ...more: string[]): Promise<Buffer> => {
    const file = path.join(user.folder, `channel.${kind}`)
    const words = [
      process.execPath,
      CLI_SOURCE,
      'library',
      channel.channelId,
      '--as',
      kind,
      ...more,
    ]
    const line = `${words.map((word) => `'${word}'`).join(' ')} > '${file}'`
    await promisify(execFile)('sh', ['-c', line], { env: user.env })
    return fs.readFileSync(file)
  }
  const zip = await saved('zip', '--format', 'text,srt')
  const names = [...unzipped(zip).keys()]
  assert.equal(names.filter((name) => name.endsWith('.srt')).length, 22)
  const wholes = Object.entries({ ...WHOLES, ...EXPORTS }).filter(([name]) => name !== 'zip')
  for (const [name, { command }] of wholes) {
    const given = await who.downloads(`/library/${channel.channelId}/files/${name}`)
    assert.ok((await saved(command)).equals(given), command)
  }
  const parts = ['--max-words', '1000', '--parts', '300']
  assert.ok(unzipped(await saved('notebook', ...parts)).size > 1)
  const jsonl = await saved('jsonl', '--seconds', '30')
  const passages = jsonl.toString().trimEnd().split('\n')
  const seconds = passages.map((line) => JSON.parse(line).metadata)
  assert.ok(seconds.length > 50)
  assert.ok(seconds.every(({ start_seconds: start, end_seconds: end }) => end - start <= 45))
})

test('a channel is found by its handle, its title and its address', async () => {
  const { stdout } = await user.runs('library', channel.channelId)
  const names = [
    [channel.handle ?? ''],
    [channel.title.toLowerCase()],
    channel.title.split(' '),
    [`https://www.youtube.com/${channel.handle}`],
    [`https://www.youtube.com/channel/${channel.channelId}`],
  ]
  for (const words of names)
    assert.equal((await user.runs('library', ...words)).stdout, stdout, words.join(' '))
})

test('a project is made, filled from a channel and a job, read by its name, and deleted', async () => {
  const made = JSON.parse((await user.runs('project', 'new', 'Häuser', '🏠', '--json')).stdout)
  assert.equal(made.name, 'Häuser 🏠')
  const filled = await user.runs('project', 'add', '@hauser', '--from', channel.title)
  assert.match(filled.stderr, /^\d+ added, 0 already there, 0 without a text$/m)
  const { jobs } = JSON.parse((await user.runs('jobs', '--json')).stdout)
  const again = await user.runs('project', 'add', made.id, '--from', jobs.at(-1).id, '--json')
  assert.equal(JSON.parse(again.stdout).added, 0)
  const listed = JSON.parse((await user.runs('project', '--json')).stdout).projects
  const told = JSON.parse((await user.runs('library', 'Häuser', '🏠', '--json')).stdout)
  assert.deepEqual([told.kind, told.delivered], ['project', listed[0].videos])
  const text = await user.runs('library', 'Häuser 🏠', '--as', 'text')
  assert.equal(text.stdout.match(/^URL: /gm)?.length, told.delivered)
  assert.match((await user.runs('project', 'add', 'Nothing', '--from', 'x')).stderr, /no project/)
  assert.match((await user.runs('project', 'add', 'Häuser')).stderr, /needs --from/)
  assert.equal((await user.runs('project', 'remove', made.id)).code, 0)
  assert.match((await user.runs('project')).stderr, /No projects/)
})

test('what cannot be is refused with a sentence', async () => {
  const noId = await user.runs('library', '--as', 'zip')
  assert.deepEqual([noId.code, noId.stdout], [2, ''])
  assert.match(noId.stderr, /--as needs a channel or playlist/)
  const other = await user.runs('library', channel.channelId, '--as', 'pdf')
  const kinds = Object.values({ ...WHOLES, ...EXPORTS }).map(({ command }) => command)
  assert.ok(other.stderr.includes(`--as is ${kinds.join(', ')}, not "pdf"`), other.stderr)
  const unknown = await user.runs('library', 'UCnothing')
  assert.equal(unknown.code, 1)
  assert.match(unknown.stderr, /the library has no channel, playlist or project "UCnothing"/)
  assert.match(unknown.stderr, /scriptorium library lists all of them/)
})
