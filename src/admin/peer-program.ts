/**
 * Another program for captions, which takes yt-dlp's options: its words of a track. It runs without a shell and without
 * the service's settings, goes its own way to the platform, and writes to a folder that is removed.
 */
import { spawn } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { programEnvironment } from '../config/config.ts'
import { ConfigError } from '../kit/settings.ts'
import { readTimedtext } from '../model/transcripts/timedtext.ts'
import { textOf, type TrackKind } from '../model/transcripts/transcript.ts'

/** Time for one run of the program, which may make a dozen requests. */
const RUN_MS = 90_000
/** Time for the program to say its version; one that is packed unpacks itself first. */
const VERSION_MS = 30_000
/** The most that is kept of what it prints, and of what it says of a failure. */
const OUTPUT_CHARS_MAX = 20_000
const SAID_CHARS_MAX = 300
/** The largest file of captions that is read. */
const FILE_BYTES_MAX = 50_000_000
const LANGUAGE = /^[a-z][\w-]{0,39}$/i

export type Peer = { program: string; args: string[]; version: string }

export type PeerTrack = { videoId: string; languageCode: string; trackKind: TrackKind }

type PeerWords = { kind: 'words'; text: string } | { kind: 'failed'; sentence: string }

/** Finds the program that the words name. Throws one sentence where it cannot be started. */
export async function findPeer(command: string): Promise<Peer> {
  const [program = '', ...args] = command.split(/\s+/).filter((word) => word !== '')
  if (program === '') throw new ConfigError('--peer names no program; yt-dlp is one')
  const ran = await runBounded(program, [...args, '--version'], VERSION_MS)
  if (ran.status === 0) {
    const version = ran.stdout.trim().split('\n', 1)[0]?.slice(0, 80) ?? ''
    return { program, args, version }
  }
  const why = ran.failure ?? said(ran.stderr) ?? `it ended with ${ran.status}`
  throw new ConfigError(
    `--peer: ${program} cannot be asked for its version: ${why}; install it, or name another program`,
  )
}

/** Returns the program's words of a track, as our own reader of captions reads its file. Throws nothing. */
export async function askPeer(peer: Peer, track: PeerTrack): Promise<PeerWords> {
  const { videoId, languageCode, trackKind } = track
  if (!LANGUAGE.test(languageCode)) return failed(`It cannot be asked for ${languageCode}.`)
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'scriptorium-peer-'))
  try {
    const ran = await runBounded(peer.program, [...peer.args, ...optionsFor(track, folder)], RUN_MS)
    const file = await findFile(folder, track)
    if (file === null) {
      const why = ran.failure ?? said(ran.stderr) ?? `ended with ${ran.status}, and no file`
      return failed(`It wrote no captions in ${languageCode} (${trackKind}) of ${videoId}: ${why}`)
    }
    const { size } = await fs.stat(file)
    if (size > FILE_BYTES_MAX) return failed(`Its file is larger than ${FILE_BYTES_MAX} bytes.`)
    const read = readTimedtext(await fs.readFile(file), trackKind)
    return read.kind === 'segments'
      ? { kind: 'words', text: textOf(read.segments) }
      : failed(`Its file for ${videoId} is ${read.kind}.`)
  } finally {
    await fs.rm(folder, { recursive: true, force: true })
  }
}

function failed(sentence: string): PeerWords {
  return { kind: 'failed', sentence }
}

/**
 * Returns yt-dlp's options (2026-08). Automatic captions as they were recognised are those with `-orig`; the plain code
 * may be a translation, and is the only one where the platform translates nothing.
 */
function optionsFor({ videoId, languageCode, trackKind }: PeerTrack, folder: string): string[] {
  const isAutomatic = trackKind === 'asr'
  return [
    '--skip-download',
    '--ignore-no-formats-error',
    '--no-progress',
    isAutomatic ? '--write-auto-subs' : '--write-subs',
    '--sub-format',
    'json3',
    '--sub-langs',
    isAutomatic ? `${languageCode}-orig,${languageCode}` : languageCode,
    '-o',
    `${folder.replaceAll('%', '%%')}${path.sep}%(id)s`,
    `https://www.youtube.com/watch?v=${videoId}`,
  ]
}

async function findFile(
  folder: string,
  { videoId, languageCode }: PeerTrack,
): Promise<string | null> {
  const there = new Set(await fs.readdir(folder))
  const names = [`${languageCode}-orig`, languageCode].map((code) => `${videoId}.${code}.json3`)
  const name = names.find((each) => there.has(each))
  return name === undefined ? null : path.join(folder, name)
}

/** Returns the last line of an error, without addresses, which may hold a password. */
function said(stderr: string): string | null {
  const line = stderr.trim().split('\n').at(-1)?.trim() ?? ''
  const words = line.split(' ').map((word) => (word.includes('://') ? '…' : word))
  return line === '' ? null : words.join(' ').slice(0, SAID_CHARS_MAX)
}

type Ran = { status: number | null; stdout: string; stderr: string; failure: string | null }

/** Runs a program to its end, or to its deadline; `failure` says why it did not end by itself. */
function runBounded(program: string, args: readonly string[], deadlineMs: number): Promise<Ran> {
  return new Promise((resolve) => {
    const ran: Ran = { status: null, stdout: '', stderr: '', failure: null }
    const env = programEnvironment()
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const deadline = setTimeout(() => {
      ran.failure = `it took longer than ${deadlineMs / 1000} s`
      child.kill('SIGKILL')
      // A child of its own may hold the pipes open.
      child.stdout.destroy()
      child.stderr.destroy()
    }, deadlineMs)
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (chunk: string) => {
        ran[name] = `${ran[name]}${chunk}`.slice(-OUTPUT_CHARS_MAX)
      })
    }
    child.on('error', (error: NodeJS.ErrnoException) => {
      ran.failure ??= error.code === 'ENOENT' ? 'there is no such program' : error.message
    })
    child.on('close', (status) => {
      clearTimeout(deadline)
      resolve({ ...ran, status: ran.failure === null ? status : null })
    })
  })
}
