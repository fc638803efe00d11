/** Every command of the command line against the real service. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { verifyWebhook } from '../../clients/typescript/src/index.ts'
import { testService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { cliUser } from './cli-command.ts'

const CHANNEL = 'https://www.youtube.com/@smallworkshop'
const VIDEO = 'https://www.youtube.com/watch?v=QIyCJblUw9E'
const SILENT = 'https://www.youtube.com/watch?v=fSLdA7iVffE'

const it = await testService({ after })
const customer = await it.customer()
const user = cliUser(
  { after },
  { SCRIPTORIUM_URL: it.address, SCRIPTORIUM_API_KEY: customer.apiKey },
)

test('a first job of the channel', async () => {
  assert.equal((await user.runs('get', CHANNEL, '--out', 'talks')).code, 3)
})

test('the same command again buys nothing, writes nothing twice, and fills another folder', async () => {
  const balance = await customer.balance()
  const again = await user.runs('get', CHANNEL, '--out', 'talks')
  assert.match(again.stderr, /0 files written to talks, \$0\.00\n/)
  assert.match(again.stderr, /22 videos had been delivered before/)
  const elsewhere = await user.runs('get', CHANNEL, '--out', 'copy', '--names', 'id', '--json')
  const summary = JSON.parse(elsewhere.stdout)
  assert.equal(summary.files.length, 22)
  assert.ok(user.files('copy').includes(`${summary.files[0].videoId}.txt`))
  assert.equal(summary.missing.length, 2)
  assert.deepEqual(Object.keys(summary).sort(), ['files', 'folder', 'job', 'missing'])
  assert.equal(elsewhere.stderr, '')
  assert.equal(await customer.balance(), balance)
})

test('every format of a video has one name, and a file of another content is never replaced', async () => {
  fs.mkdirSync(path.join(user.folder, 'own'))
  fs.writeFileSync(path.join(user.folder, 'own/QIyCJblUw9E.srt'), 'my own notes')
  const args = ['get', VIDEO, '--out', 'own', '--names', 'id', '--format', 'text,srt,vtt,segments']
  assert.equal((await user.runs(...args)).code, 0)
  const named = ['json', 'srt', 'txt', 'vtt'].map((ending) => `QIyCJblUw9E (2).${ending}`)
  assert.deepEqual(user.files('own'), [...named, 'QIyCJblUw9E.srt'])
  assert.equal(
    fs.readFileSync(path.join(user.folder, 'own/QIyCJblUw9E.srt'), 'utf8'),
    'my own notes',
  )
})

test('URLs come from standard input, too', async () => {
  const { code, stderr } = await user.pipes(
    `# mine\n${VIDEO}  # the first\n\n${SILENT}#t=3\t# silent\n`,
    'get',
    '-',
    '-o',
    'piped',
  )
  assert.equal(code, 3, stderr)
  assert.equal(user.files('piped').length, 1)
})

test('a file of any kind is understood by the service, and its lines keep their numbers', async () => {
  const files = [
    `title,url\n"A talk #shorts, cut",${VIDEO}\nAnother,${SILENT}\n`,
    `<p>See <a href="${VIDEO}">this</a>\nand <a href="${SILENT}">that</a></p>`,
    JSON.stringify({ urls: [VIDEO, SILENT] }, null, 2),
    `# mine\n#talk ${VIDEO}\n; ${CHANNEL}\n#${CHANNEL}\n${SILENT} ; silent\n] end\n`,
    `Talk # 1 ${VIDEO}\nTalk # 2 ${SILENT}\n`,
    `play ${VIDEO} # was ${CHANNEL}\nplay ${SILENT} # ${CHANNEL}\n`,
  ]
  for (const file of files) {
    const { code, stdout, stderr } = await user.pipes(file, 'get', '-', '--dry-run', '--json')
    assert.equal(code, 0, stderr)
    const { preview } = JSON.parse(stdout)
    assert.deepEqual(
      preview.sources.map(({ line }: { line: string }) => line),
      [VIDEO, SILENT],
    )
  }
  const wrong = await user.pipes(`# mine\n\n${VIDEO} # one\n\nsmallworkshop\n`, 'get', '-')
  assert.equal(wrong.code, 2)
  assert.match(wrong.stderr, /Line 5 is not .*"smallworkshop".* Did you mean @smallworkshop\?/s)
  const many = await user.pipes(
    `a,b\n${`x,${CHANNEL}\n`.repeat(2)}`,
    'get',
    '-',
    '--dry-run',
    '--json',
  )
  assert.equal(JSON.parse(many.stdout).preview.sources.length, 1)
})

test('--dry-run tells the cost at most and orders nothing', async () => {
  const before = await customer.gets('/jobs')
  const { stdout } = await user.runs('get', CHANNEL, '--max-usd', '0.10', '--dry-run', '--json')
  const { request, videosMax, costAtMost, unfinishedJob, preview } = JSON.parse(stdout)
  assert.deepEqual([videosMax, costAtMost, unfinishedJob], [12, preview.costAtMost, null])
  assert.deepEqual([preview.state, preview.sources[0].videos], ['ready', 24])
  assert.match(
    (await user.runs('get', CHANNEL, '--dry-run')).stdout,
    /to fetch +Small Workshop \(channel of 24.*\)\n\n\d+ videos: at most \$\d/,
  )
  assert.deepEqual(request, { urls: [CHANNEL], maxVideos: 12 })
  assert.equal((await customer.gets('/jobs')).total, before['total'])
})

test('jobs, job, results, cancel and balance are for people and, with --json, for programs', async () => {
  const { jobs } = JSON.parse((await user.runs('jobs', '--json')).stdout)
  const id = jobs.at(-1).id
  const [head = '', ...lines] = (await user.runs('jobs')).stdout.trimEnd().split('\n')
  assert.match(head, /^job +ordered +state +delivered +cost +called$/)
  assert.equal(lines.length, jobs.length)
  assert.match(lines.at(-1) ?? '', / 22 of 24 /)
  assert.equal(
    JSON.parse((await user.runs('job', id, '--watch', '--json')).stdout).state,
    'finished',
  )
  assert.match((await user.runs('job', id)).stdout, /\ndelivered +22 of 24 found\n/)
  const silent = await user.runs('results', id, '--status', 'no_captions', '--json')
  assert.equal(JSON.parse(silent.stdout).videos.length, 2)
  assert.equal((await user.runs('results', id)).stdout.trimEnd().split('\n').length, 24)
  assert.match((await user.runs('cancel', id)).stdout, /state +finished/)
  const { balance } = JSON.parse((await user.runs('balance', '--json')).stdout)
  assert.equal(balance, await customer.balance())
})

test('follow lists, pauses, changes and ends what is followed, by its id or its URL', async () => {
  const made = await user.runs('follow', '@dailynotes', '--cap', '0.5', '--every', '6')
  assert.equal(made.code, 0, made.stderr)
  assert.match(
    made.stdout,
    /^sub_\w+ {2}active +\$0\.00 of \$0\.50 {2}6 h +(?:Daily Notes {2})?@dailynotes\n$/,
  )
  const listed = JSON.parse((await user.runs('follow', '--json')).stdout)
  assert.equal(listed.subscriptions.length, 1)
  const set = await user.runs('follow', 'set', '@dailynotes', '--cap', '2', '--every', 'auto')
  assert.match(set.stdout, /\$2\.00 {2}auto/)
  assert.match((await user.runs('follow', 'pause', listed.subscriptions[0].id)).stdout, /paused/)
  assert.equal((await user.runs('follow', 'remove', '@dailynotes')).code, 0)
  assert.equal((await user.runs('follow', 'remove', '@dailynotes')).code, 1)
  assert.equal((await user.runs('follow', '@dailynotes')).code, 2)
  assert.equal((await user.runs('follow')).stdout, '')
  const missing = await user.runs('follow', '@nosuchchannelatall', '--cap', '1')
  assert.deepEqual([missing.code, missing.stdout], [1, ''])
  assert.match(missing.stderr, /the platform has no channel or playlist @nosuchchannelatall/)
  assert.equal((await user.runs('follow')).stdout, '', 'nothing is followed there')
  const terms = await user.runs('follow', '--cap', '2')
  assert.deepEqual([terms.code, terms.stdout], [2, ''])
  assert.match(terms.stderr, /--cap needs the URL of what it is for/)
})

test('a receipt is saved and verified; a changed one is refused', async () => {
  const { jobs } = JSON.parse((await user.runs('jobs', '--json')).stdout)
  const { issuer, ...receipt } = JSON.parse(
    (await user.runs('receipt', 'get', jobs.at(-1).id)).stdout,
  )
  const write = (content: object): void =>
    fs.writeFileSync(path.join(user.folder, 'receipt.json'), JSON.stringify(content))
  write({ issuer, ...receipt })
  const args = ['receipt', 'verify', 'receipt.json', '--texts']
  const keys = await (await fetch(`${it.address}/.well-known/scriptorium-keys.json`)).text()
  fs.writeFileSync(path.join(user.folder, 'keys.json'), keys)
  const held = await user.runs(...args, '--keys', 'keys.json')
  assert.match(held.stdout, /^Receipt verified \(signature, sums, ledger and texts\)/, held.stderr)
  write({ issuer, ...receipt, charged: '0.008' })
  const changed = await user.runs(...args, '--keys', 'keys.json', '--json')
  assert.equal(changed.code, 1)
  assert.equal(JSON.parse(changed.stdout).isValid, false)
})

test('a key is saved for its service only, readable by its user only, and forgotten', async () => {
  const one = cliUser({ after }, {})
  const { address } = it
  assert.equal((await one.runs('config', 'url', `${address}/api/v1/`)).code, 0)
  assert.equal((await one.runs('login')).code, 2, 'never asks without a terminal')
  assert.equal((await one.pipes('sk_wrong', 'login', '--key-stdin')).code, 4)
  assert.equal((await one.pipes(`${customer.apiKey}\n`, 'login', '--key-stdin')).code, 0)
  assert.equal((await one.runs('balance')).code, 0)
  assert.equal((await one.runs('balance', '--server', 'http://127.0.0.1:1')).code, 4)

  const { configFile, keyFrom, key } = JSON.parse((await one.runs('config', '--json')).stdout)
  assert.equal(fs.statSync(configFile).mode & 0o777, 0o600)
  assert.equal(configFile, path.join(one.folder, '.config/scriptorium/config.json'))
  assert.equal(keyFrom, configFile)
  assert.ok(key.length < 12 && customer.apiKey.startsWith(key.slice(0, -1)))
  assert.equal((await one.runs('logout')).code, 0)
  assert.equal((await one.runs('balance')).code, 4)
})

test('search prints where something is said, with the words marked and a link to the second', async () => {
  const { code, stdout, stderr } = await user.runs('search', '"small team"', '--limit', '2')
  assert.equal(code, 0, stderr)
  const [title = '', said = '', url = ''] = stdout.split('\n')
  assert.match(title, /, Small Workshop, 20\d\d-\d\d-\d\d$/)
  assert.match(said, /^ {2}.*\*small team\*/i)
  assert.match(url, /^ {2}https:\/\/www\.youtube\.com\/watch\?v=[\w-]{11}&t=\d+s$/)
  assert.match(stderr, /^2 of \d+ hits/)
  const found = JSON.parse((await user.runs('search', 'small', '--newest', '--json')).stdout)
  assert.equal(found.hits.length, Math.min(10, found.total))
  assert.equal((await user.runs('search', '--', '-small')).code, 2)
})

test('search counts and prints mentions, and writes all of them as CSV', async () => {
  const q = ['small', 'OR', 'team']
  const { code, stdout, stderr } = await user.runs('search', ...q, '--mentions', '--limit', '3')
  assert.equal(code, 0, stderr)
  assert.equal(stdout.match(/&t=\d+s/g)?.length, 3)
  const [, told = ''] = /^3 of ([\d,]+) mentions, in [\d,]+ transcripts/.exec(stderr) ?? []
  const total = Number(told.replaceAll(',', ''))
  const csv = await user.runs('search', ...q, '--csv')
  assert.equal(csv.stdout.match(/&t=\d+s/g)?.length, total)
  const found = JSON.parse((await user.runs('search', ...q, '--mentions', '--json')).stdout)
  assert.equal(found.total, total)
  assert.equal((await user.runs('search', ...q, '--csv', '--newest')).code, 2)
})

test('webhook listen posts each job that ends to a program on this machine, signed', async (t) => {
  const received: [body: string, headers: http.IncomingHttpHeaders][] = []
  const receiver = http.createServer(async (request, response) => {
    received.push([await text(request), request.headers])
    response.end()
  })
  t.after(() => receiver.close())
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  const { child, ended } = user.starts('webhook', 'listen', `127.0.0.1:${port}/hook`)
  let said = ''
  child.stderr?.on('data', (chunk: string) => (said += chunk))
  await until('it has looked', () => said.includes('Signed with '))
  const [, secret = ''] = /Signed with (\S+)/.exec(said) ?? []
  const job = await customer.waitsFor(await customer.startsJob({ urls: [SILENT] }))
  await until('it says so', () => said.includes(`job.finished ${job['id']}: 200`))
  child.kill('SIGINT')
  assert.equal((await ended).code, 130)

  const [[body, headers], ...others] = received as [(typeof received)[0]]
  assert.equal(others.length, 0)
  const event = await verifyWebhook(body, headers, secret)
  const { finishedAt } = job
  assert.deepEqual(event, { type: 'job.finished', timestamp: finishedAt, data: job })
})

test('what was mistyped is told in the words of the command, not of the API or the file system', async () => {
  const told = async (code: number, ...args: string[]): Promise<string> => {
    const ended = await user.runs(...args)
    assert.equal(ended.code, code, ended.stderr)
    return ended.stderr
  }
  const dated = /^scriptorium: --since must be an existing date \(YYYY-MM-DD\).* "yesterday"\.\n$/
  for (const words of [
    ['get', CHANNEL],
    ['search', 'zoo'],
    ['follow', CHANNEL, '--cap', '1'],
  ])
    assert.match(await told(2, ...words, '--since', 'yesterday'), dated)
  assert.match(await told(2, 'get', CHANNEL, '--until', '2026-02-31'), /: --until must be/)
  assert.match(await told(2, 'get', CHANNEL, '--language', 'no language'), /: --language /)
  assert.match(
    await told(1, 'receipt', 'verify', 'none.json'),
    /^scriptorium: none\.json: there is no such file or folder\n$/,
  )
  assert.match(
    await told(1, 'receipt', 'verify', user.folder),
    /: it is a folder, and a file is needed\n$/,
  )
  for (const command of ['job', 'results', 'cancel', 'download', 'rename'])
    assert.match(
      await told(1, command, 'nope'),
      /^scriptorium: you have no job or batch "nope"\n {2}scriptorium jobs /,
    )
  assert.match(
    await told(1, 'receipt', 'get', 'nope'),
    /: there is no receipt yet, or no job "nope"\n/,
  )
  assert.match(
    await told(1, 'library', 'UCnone0000000'),
    /: the library has no .* "UCnone0000000"\n/,
  )
})
