/** `admin doctor --peer`: another program's words of the same tracks, beside ours. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { startEmulator } from '../../emulator/server.ts'
import { withPeer } from '../../src/admin/doctor-peer.ts'
import { findPeer } from '../../src/admin/peer-program.ts'
import { ConfigError } from '../../src/kit/settings.ts'
import { examinePlatform } from '../../src/platform/youtube/doctor.ts'
import { openParts, platformOf } from '../../src/platform/youtube/open-platform.ts'
import { localBudget, NEVER } from '../platform/near-platform.ts'

const { YTDLP_DIR, PYTHON = 'python3' } = process.env

/** A program that takes yt-dlp's options and asks the emulator as an app, in a manner of its own. */
const STAND_IN = `
import fs from 'node:fs'
const [origin, manner, ...args] = process.argv.slice(2)
if (args.includes('--version')) {
  console.log('2026.08.20')
  process.exit()
}
const valueOf = (name) => args[args.indexOf(name) + 1]
if (manner === 'failing') {
  console.error(Object.keys(process.env).sort().join(' '))
  console.error('ERROR: refused by http://me:hidden@proxy.example:8080')
  process.exit(1)
}
const videoId = new URL(args.at(-1)).searchParams.get('v')
const client = { clientName: 'ANDROID', clientVersion: '21.26.364' }
const asked = await fetch(origin + '/youtubei/v1/player', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ context: { client }, videoId }),
})
const { captions } = await asked.json()
const kind = args.includes('--write-auto-subs') ? 'asr' : undefined
const codes = valueOf('--sub-langs').split(',')
const track = captions.playerCaptionsTracklistRenderer.captionTracks.find(
  (each) => each.kind === kind && codes.includes(each.languageCode),
)
const url = new URL(track.baseUrl, origin)
url.searchParams.set('fmt', valueOf('--sub-format'))
const reply = await fetch(origin + url.pathname + url.search)
let text = await reply.text()
if (manner === 'dishonest') {
  const value = JSON.parse(text)
  const piece = value.events.flatMap(({ segs = [] }) => segs).find(({ utf8 }) => /\\w/.test(utf8))
  piece.utf8 = piece.utf8.replace(/\\S+/, 'changed')
  text = JSON.stringify(value)
}
if (manner === 'odd') text = '<html>'
fs.writeFileSync(valueOf('-o').replace('%(id)s', videoId) + '.' + codes.at(-1) + '.json3', text)
`

/** Examines an emulator and compares with the program that `command` names for it. */
async function compared(
  t: TestContext,
  command: (origin: string, folder: string, tls: { proxy: string; caFile: string }) => string,
  { tls = false } = {},
) {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'peer-'))
  const emulator = await startEmulator({ tls })
  const parts = openParts({
    origin: emulator.origin,
    routes: [],
    budget: localBudget(),
    clients: null,
    now: () => new Date(),
  })
  t.after(async () => {
    await parts.routePool.close()
    await parts.context.longReader.close()
    await emulator.close()
    await fs.rm(folder, { recursive: true, force: true })
  })
  await fs.writeFile(path.join(folder, 'peer.mjs'), STAND_IN)
  const { proxy = '', caFile = '' } = emulator.tls ?? {}
  const peer = await findPeer(command(emulator.origin, folder, { proxy, caFile }))
  const found = await examinePlatform(parts, { channel: null, signal: NEVER })
  return withPeer(found, { calls: platformOf(parts), peer, signal: NEVER })
}

function standIn(manner: string) {
  return (origin: string, folder: string): string =>
    `${process.execPath} ${path.join(folder, 'peer.mjs')} ${origin} ${manner}`
}

test('a peer whose words are the same agrees, track by track', async (t) => {
  const { verdict, peer, lines } = await compared(t, standIn('honest'))
  assert.equal(verdict, 'healthy')
  assert.deepEqual(
    peer.tracks.map(({ result }) => result),
    ['equal', 'equal', 'equal'],
  )
  assert.equal(peer.version, '2026.08.20')
  assert.match(lines.join('\n'), /2026\.08\.20: the words of 3 of 3 tracks are equal\./)
  assert.match(lines.at(-1) ?? '', /^Healthy/)
})

test('one word that differs is a fault, named with its place', async (t) => {
  const { verdict, peer, faults, lines } = await compared(t, standIn('dishonest'))
  assert.equal(verdict, 'degraded')
  for (const { result, difference, words } of peer.tracks) {
    assert.equal(result, 'differs')
    assert.deepEqual([difference?.differing, difference?.of, difference?.at], [1, words, 1])
    assert.equal(difference?.theirs, 'changed')
  }
  assert.deepEqual(
    faults.map(({ part, setting }) => `${part} ${setting}`),
    ['peer null', 'peer null', 'peer null'],
  )
  assert.match(
    lines.join('\n'),
    /1 of \d+ words differs, at first word 1: “.*” here, “changed” there/,
  )
})

test('a peer that fails is told as that, and is no fault of ours', async (t) => {
  process.env['METRICS_TOKEN_OF_TEST'] = 'a secret'
  t.after(() => delete process.env['METRICS_TOKEN_OF_TEST'])
  for (const manner of ['failing', 'odd']) {
    const { verdict, peer, faults, lines } = await compared(t, standIn(manner))
    assert.deepEqual([verdict, faults], ['healthy', []], manner)
    assert.ok(peer.tracks.every(({ result }) => result === 'failed'))
    const text = lines.join('\n')
    assert.match(text, manner === 'odd' ? /Its file for \S+ is unreadable/ : /refused by …/)
    assert.doesNotMatch(text, /hidden|METRICS_TOKEN/)
  }
})

test('it learns none of the service’s settings, and its folder is removed', async (t) => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'peer-'))
  t.after(() => fs.rm(folder, { recursive: true }))
  const file = path.join(folder, 'env.mjs')
  await fs.writeFile(file, 'console.log(Object.keys(process.env).sort().join())')
  const { version } = await findPeer(`${process.execPath} ${file}`)
  const names = version.split(',')
  assert.ok(names.includes('PATH'))
  const allowed = ['HOME', 'LANG', 'LC_ALL', 'PATH', 'TMPDIR', '__CF_USER_TEXT_ENCODING']
  assert.deepEqual(
    names.filter((name) => !allowed.includes(name)),
    [],
  )
  const { TMPDIR } = process.env
  t.after(() => {
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
  })
  process.env['TMPDIR'] = folder
  await compared(t, standIn('honest'))
  const left = await fs.readdir(folder)
  assert.deepEqual(
    left.filter((name) => name.startsWith('scriptorium-peer-')),
    [],
  )
})

test('a program that cannot be started is refused in one sentence', async () => {
  await assert.rejects(findPeer('no-such-program --x'), {
    constructor: ConfigError,
    message:
      /^--peer: no-such-program cannot be asked for its version: .*no such program; install it/,
  })
  await assert.rejects(findPeer('  '), /--peer names no program; yt-dlp is one/)
  await assert.rejects(findPeer('false'), /it ended with 1; install it/)
})

test(
  'yt-dlp has the same words',
  { skip: YTDLP_DIR === undefined && 'YTDLP_DIR names no checkout of yt-dlp' },
  async (t) => {
    const { verdict, peer } = await compared(
      t,
      (_, folder, { proxy, caFile }) => {
        const script = [
          `export PYTHONPATH=${YTDLP_DIR} SSL_CERT_FILE=${caFile} HTTPS_PROXY=${proxy}`,
          `exec ${PYTHON} -m yt_dlp --ignore-config --no-cache-dir --compat-options no-certifi "$@"`,
        ]
        const file = path.join(folder, 'yt-dlp.sh')
        writeFileSync(file, script.join('\n'))
        return `sh ${file}`
      },
      { tls: true },
    )
    assert.equal(verdict, 'healthy')
    assert.deepEqual(new Set(peer.tracks.map(({ result }) => result)), new Set(['equal']))
  },
)
