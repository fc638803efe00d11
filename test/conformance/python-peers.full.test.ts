/**
 * yt-dlp and youtube-transcript-api, unmodified, through the proxy that ends TLS, since they insist
 * on the real hosts. YTDLP_DIR and YTA_DIR name source checkouts; without them these are skipped.
 */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import {
  listedIds,
  type PeerStage,
  stage,
  truthAbout,
  truthOfTrack,
  wordsOf,
} from './peer-support.ts'

const { YTDLP_DIR, YTA_DIR, PYTHON = 'python3' } = process.env
const run = promisify(execFile)
const OUTPUT_BYTES_MAX = 50_000_000

const ytdlp = {
  skip: YTDLP_DIR === undefined && 'YTDLP_DIR names no checkout of yt-dlp',
}
const yta = { skip: whyNoYta() }

/** Starts before the tests, so that these end after all of them. */
const wanted = YTDLP_DIR !== undefined || YTA_DIR !== undefined
const places = wanted
  ? {
      lockup: await stage({ layout: 'lockup', tls: true }),
      legacy: await stage({ layout: 'legacy', tls: true }),
      mixed: await stage({ layout: 'mixed', tls: true }),
    }
  : null

for (const layout of ['lockup', 'legacy', 'mixed'] as const) {
  test(`yt-dlp lists a playlist of 250 to its end (${layout})`, ytdlp, async () => {
    const staged = stageOf(layout)
    const { playlistId } = staged.world.playlist('mid')
    const ids = await flatList(staged, `https://www.youtube.com/playlist?list=${playlistId}`)
    assert.deepEqual(ids, listedIds(staged, { playlist: playlistId }))
  })

  test(`yt-dlp lists the videos of a channel of 1,200 uploads (${layout})`, ytdlp, async () => {
    const staged = stageOf(layout)
    const channel = staged.world.channel('medium')
    const ids = await flatList(staged, `https://www.youtube.com/${channel.handle}/videos`)
    const list = staged.world.uploads(channel, 'video')
    assert.deepEqual(
      ids,
      Array.from({ length: list.length }, (_, at) => list.at(at).videoId),
    )
  })
}

test('yt-dlp finds all three tabs of a channel', ytdlp, async () => {
  const staged = stageOf('lockup')
  const { channelId } = staged.world.channel('small')
  const ids = await flatList(staged, `https://www.youtube.com/channel/${channelId}`)
  assert.deepEqual([...ids].sort(), [...listedIds(staged, { channel: channelId })].sort())
})

test('yt-dlp refuses missing playlists and terminated channels', ytdlp, async () => {
  const staged = stageOf('lockup')
  const { playlistId } = staged.world.playlist('missing')
  await assert.rejects(
    flatList(staged, `https://www.youtube.com/playlist?list=${playlistId}`),
    /does not exist/,
  )
  const { channelId } = staged.world.channel('terminated')
  await assert.rejects(
    flatList(staged, `https://www.youtube.com/channel/${channelId}`),
    /terminated/,
  )
})

for (const [key, kind] of [
  ['both', 'manual'],
  ['asr', 'asr'],
  ['overlapping', 'manual'],
  ['arabic', 'asr'],
] as const) {
  test(
    `yt-dlp downloads the ${kind} captions of "${key}" with the true words and times`,
    ytdlp,
    async () => {
      const staged = stageOf('lockup')
      const { videoId, segments } = truthOfTrack(staged, key, kind)
      const events = await downloadedJson3(staged, videoId)
      const lines = events
        .filter(({ segs, aAppend }) => segs !== undefined && aAppend === undefined)
        .map(({ tStartMs, segs = [] }) => ({
          startMs: tStartMs,
          text: segs.map(({ utf8 }) => utf8).join(''),
        }))
      assert.equal(wordsOf(lines), wordsOf(segments))
      assert.deepEqual(
        lines.map((line) => line.startMs),
        segments.map((segment) => segment.startMs),
      )
    },
  )
}

test('yt-dlp reads title, channel and exact date as the truth has them', ytdlp, async () => {
  const staged = stageOf('lockup')
  const truth = truthAbout(staged, staged.world.special('both').videoId)
  const printed = await askYtdlp(
    staged,
    '--print',
    '%(title)s|%(channel)s|%(timestamp)s',
    watchUrl(truth.videoId),
  )
  const [title, channel, timestamp] = printed.trim().split('|')
  assert.equal(title, truth.title)
  assert.equal(channel, truth.channelName)
  assert.equal(Number(timestamp) * 1000, Date.parse(truth.publishedAt ?? ''))
})

for (const [key, reason] of [
  ['private', /private/i],
  ['deleted', /unavailable/i],
  ['members', /members/i],
  ['premium', /Music Premium/],
  ['region', /country/],
  ['age', /age|inappropriate/i],
  ['upcoming-live', /will begin/],
] as const) {
  test(`yt-dlp understands why "${key}" does not play`, ytdlp, async () => {
    const staged = stageOf('lockup')
    await assert.rejects(
      askYtdlp(staged, '--print', 'id', watchUrl(staged.world.special(key).videoId)),
      reason,
    )
  })
}

test(
  'youtube-transcript-api lists and reads captions with the true words and times',
  yta,
  async () => {
    const staged = stageOf('lockup')
    const { videoId, segments } = truthOfTrack(staged, 'both', 'manual')
    const read = (await askYta(
      staged,
      `
api = YouTubeTranscriptApi()
tracks = [[t.language_code, t.is_generated] for t in api.list('${videoId}')]
lines = [[s.text, s.start, s.duration] for s in api.fetch('${videoId}')]
print(json.dumps({'tracks': tracks, 'lines': lines}))`,
    )) as { tracks: unknown[]; lines: [string, number, number][] }
    assert.deepEqual(read.tracks, [
      ['en', false],
      ['en', true],
    ])
    assert.deepEqual(
      read.lines.map(([text, start, duration]) => [
        text,
        Math.round(start * 1000),
        Math.round(duration * 1000),
      ]),
      segments.map(({ text, startMs, endMs }) => [text, startMs, endMs - startMs]),
    )
  },
)

for (const [key, name] of [
  ['private', 'VideoUnplayable'],
  ['no-captions', 'TranscriptsDisabled'],
  ['deleted', 'VideoUnavailable'],
  ['age', 'AgeRestricted'],
] as const) {
  test(`youtube-transcript-api calls "${key}" ${name}`, yta, async () => {
    const staged = stageOf('lockup')
    assert.equal(await ytaError(staged, staged.world.special(key).videoId), name)
  })
}

test('youtube-transcript-api takes the bot check for a block', yta, async () => {
  const staged = await stage({ tls: true, faults: [{ do: 'bot_check', on: 'player' }] })
  assert.equal(await ytaError(staged, staged.world.special('asr').videoId), 'RequestBlocked')
})

function stageOf(layout: 'lockup' | 'legacy' | 'mixed'): PeerStage {
  assert(places !== null)
  return places[layout]
}

function watchUrl(videoId: string): string {
  return `https://www.youtube.com/watch?v=${videoId}`
}

async function flatList(staged: PeerStage, url: string): Promise<string[]> {
  return (await askYtdlp(staged, '--flat-playlist', '--print', 'id', url))
    .split('\n')
    .filter((id) => id !== '')
}

type Event = { tStartMs: number; aAppend?: number; segs?: { utf8: string }[] }

async function downloadedJson3(staged: PeerStage, videoId: string): Promise<Event[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'peer-'))
  after(() => rmSync(folder, { recursive: true }))
  const { languageCode } =
    staged.world.special('asr').videoId === videoId
      ? { languageCode: 'en' }
      : languageOf(staged, videoId)
  await askYtdlp(
    staged,
    '--skip-download',
    '--write-subs',
    '--write-auto-subs',
    '--sub-langs',
    languageCode,
    '--sub-format',
    'json3',
    '-o',
    path.join(folder, 'video'),
    watchUrl(videoId),
  )
  return (
    JSON.parse(readFileSync(path.join(folder, `video.${languageCode}.json3`), 'utf8')) as {
      events: Event[]
    }
  ).events
}

function languageOf(staged: PeerStage, videoId: string): { languageCode: string } {
  return truthAbout(staged, videoId).tracks[0] ?? { languageCode: 'en' }
}

async function askYtdlp(staged: PeerStage, ...args: string[]): Promise<string> {
  const usual = [
    '--ignore-config',
    '--no-cache-dir',
    '--no-update',
    '--compat-options',
    'no-certifi',
  ]
  const proxy = ['--proxy', staged.tls?.proxy ?? '']
  const { stdout } = await run(PYTHON, ['-m', 'yt_dlp', ...usual, ...proxy, ...args], {
    ...surroundings(staged, YTDLP_DIR ?? ''),
    maxBuffer: OUTPUT_BYTES_MAX,
  })
  return stdout
}

async function askYta(staged: PeerStage, program: string): Promise<unknown> {
  const source = `import json\nfrom youtube_transcript_api import YouTubeTranscriptApi\n${program}`
  const { stdout } = await run(PYTHON, ['-c', source], surroundings(staged, YTA_DIR ?? ''))
  return JSON.parse(stdout) as unknown
}

async function ytaError(staged: PeerStage, videoId: string): Promise<unknown> {
  return askYta(
    staged,
    `
try:
    YouTubeTranscriptApi().fetch('${videoId}')
    print(json.dumps(None))
except Exception as error:
    print(json.dumps(type(error).__name__))`,
  )
}

function surroundings(staged: PeerStage, cwd: string): { cwd: string; env: NodeJS.ProcessEnv } {
  const { proxy = '', caFile = '' } = staged.tls ?? {}
  const trust = {
    SSL_CERT_FILE: caFile,
    REQUESTS_CA_BUNDLE: caFile,
    HTTPS_PROXY: proxy,
    HTTP_PROXY: proxy,
  }
  return { cwd, env: { ...process.env, ...trust } }
}

function whyNoYta(): string | false {
  if (YTA_DIR === undefined) return 'YTA_DIR names no checkout of youtube-transcript-api'
  const probe = spawnSync(PYTHON, ['-c', 'import requests, defusedxml'])
  return (
    probe.status !== 0 && 'youtube-transcript-api needs the Python packages requests and defusedxml'
  )
}
