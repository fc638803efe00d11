/**
 * The physical limit: a bare loop over undici that sends only the requests nobody can leave out, with
 * the same number of videos in flight, and does nothing with what it gets but find the next address.
 *
 *     browse (a page of 100) ──▶ browse …          one page ahead of the videos
 *         └──▶ player ──▶ timedtext, date          16 videos at once; a second player where the
 *                                                  first lists no captions, as in facts of 2026
 */
import { gunzipSync } from 'node:zlib'
import { Pool } from 'undici'
import { CLIENT_PROFILES, type ClientProfile } from '../../src/platform/youtube/clients.ts'
import { DATE_FIELDS, PLAYER_FIELDS } from '../../src/platform/youtube/innertube.ts'
import { readListing } from '../../src/platform/youtube/listing.ts'
import type { ChannelLoop } from './peer-loops.ts'
import type { Stage } from './stage/stage.ts'

const PARALLEL = 16

/** Minting an identity is left out of the loop, since the service keeps the one of its first job. */
export async function openBareLoop({ origin, after }: Stage): Promise<ChannelLoop> {
  const pool = new Pool(origin, { connections: 64, pipelining: 1 })
  after(() => pool.destroy())
  const minted = await post(pool, { name: 'visitor_id', client: 'WEB', body: {} })
  const { responseContext } = JSON.parse(minted) as { responseContext: { visitorData: string } }
  const platform = { pool, identity: responseContext.visitorData }
  return (ask) => walk(platform, ask)
}

type Platform = { pool: Pool; identity: string }

async function walk(platform: Platform, ask: Parameters<ChannelLoop>[0]): Promise<number> {
  const { channelId, videos } = ask
  const queue: string[] = []
  const waiting: (() => void)[] = []
  let [isListed, listed, delivered] = [false, 0, 0]
  const wake = (): void => waiting.splice(0).forEach((resolve) => resolve())

  async function list(): Promise<void> {
    let body: object = { browseId: `VLUU${channelId.slice(2)}` }
    for (;;) {
      const text = await post(platform.pool, { ...platform, name: 'browse', client: 'WEB', body })
      const { videos: found, token } = readListing(JSON.parse(text), 'playlist')
      queue.push(...found.slice(0, videos - listed).map(({ videoId }) => videoId))
      listed += found.length
      wake()
      if (token === null || listed >= videos) break
      body = { continuation: token }
    }
    isListed = true
    wake()
  }

  async function work(): Promise<void> {
    for (;;) {
      const videoId = queue.shift()
      if (videoId === undefined && isListed) return
      if (videoId === undefined) await new Promise<void>((resolve) => waiting.push(resolve))
      else if (await deliver(platform, videoId)) delivered += 1
    }
  }

  await Promise.all([list(), ...Array.from({ length: PARALLEL }, work)])
  return delivered
}

async function deliver({ pool, identity }: Platform, videoId: string): Promise<boolean> {
  const body = { videoId, contentCheckOk: true, racyCheckOk: true }
  const player = (client: string, fields?: string): Promise<string> =>
    post(pool, { identity, name: 'player', client, body, fields })
  const path =
    captionPath(await player('VISIONOS', PLAYER_FIELDS)) ?? captionPath(await player('ANDROID'))
  const date = player('WEB', DATE_FIELDS)
  if (path !== undefined) {
    const headers = { 'accept-encoding': 'gzip, br' }
    const captions = await pool.request({ method: 'GET', path, headers })
    await captions.body.arrayBuffer()
  }
  await date
  return path !== undefined
}

/**
 * Returns the path of the first track's captions with `fmt=json3` in place of any other, or undefined without a track.
 * The service would choose among tracks.
 */
function captionPath(reply: string): string | undefined {
  const found = /"baseUrl":"(?:https:\/\/www\.youtube\.com)?([^"]+)"/.exec(reply)?.[1]
  return found === undefined
    ? undefined
    : `${found.replaceAll('\\u0026', '&').replace(/&fmt=\w+/, '')}&fmt=json3`
}

type Ask = {
  name: 'visitor_id' | 'browse' | 'player'
  client: string
  body: object
  identity?: string
  fields?: string | undefined
}

async function post(pool: Pool, { name, client, body, identity, fields }: Ask): Promise<string> {
  const { context, userAgent, headerId } = profile(client)
  const more = identity === undefined ? {} : { hl: 'en', gl: 'US', visitorData: identity }
  const mask = fields === undefined ? '' : `&$fields=${fields}`
  const reply = await pool.request({
    method: 'POST',
    path: `/youtubei/v1/${name}?prettyPrint=false${mask}`,
    headers: {
      'content-type': 'application/json',
      'accept-encoding': 'gzip, br',
      'user-agent': userAgent,
      'x-youtube-client-name': String(headerId),
      ...(identity === undefined ? {} : { 'x-goog-visitor-id': identity }),
    },
    body: JSON.stringify({ context: { client: { ...context, ...more } }, ...body }),
  })
  const bytes = Buffer.from(await reply.body.arrayBuffer())
  return (reply.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString()
}

function profile(name: string): ClientProfile {
  const found = CLIENT_PROFILES.find((one) => one.name === name)
  if (found === undefined) throw new Error(`there is no client ${name}`)
  return found
}
