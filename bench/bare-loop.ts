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
import { CLIENT_PROFILES, type ClientProfile } from '../src/platform/youtube/clients.ts'
import { DATE_FIELDS, PLAYER_FIELDS } from '../src/platform/youtube/innertube.ts'
import { readListing } from '../src/platform/youtube/listing.ts'

export type LoopInput = { channelId: string; videos: number; parallel: number; wantsDates: boolean }
export type BareLoop = {
  /** Reads a channel; resolves with the number of videos that have captions. */
  run(ask: LoopInput): Promise<number>
  /** Reads one video by its id; resolves with whether it has captions. */
  one(videoId: string): Promise<boolean>
  close(): Promise<void>
}

/** Minting an identity is left out, since the service keeps the one of its first job. */
export async function openBareLoop(origin: string): Promise<BareLoop> {
  const pool = new Pool(origin, { connections: 64, pipelining: 1 })
  const minted = JSON.parse(
    await post(
      pool,
      '/youtubei/v1/visitor_id',
      { context: { client: profile('WEB').context } },
      profile('WEB'),
      null,
    ),
  )
  const identity = (minted as { responseContext: { visitorData: string } }).responseContext
    .visitorData
  return {
    run: (ask) => walk(pool, identity, ask),
    one: (videoId) => deliver(pool, identity, { videoId, wantsDates: true }),
    close: () => pool.destroy(),
  }
}

async function walk(
  pool: Pool,
  identity: string,
  { channelId, videos, parallel, wantsDates }: LoopInput,
): Promise<number> {
  const queue: string[] = []
  const waiting: (() => void)[] = []
  let [isListed, listed, delivered] = [false, 0, 0]
  const wake = (): void => waiting.splice(0).forEach((resolve) => resolve())

  async function list(): Promise<void> {
    let body: object = { browseId: `VLUU${channelId.slice(2)}` }
    for (;;) {
      const text = await post(
        pool,
        '/youtubei/v1/browse?prettyPrint=false',
        { ...contextOf('WEB', identity), ...body },
        profile('WEB'),
        identity,
      )
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
      else if (await deliver(pool, identity, { videoId, wantsDates })) delivered += 1
    }
  }

  await Promise.all([list(), ...Array.from({ length: parallel }, work)])
  return delivered
}

async function deliver(
  pool: Pool,
  identity: string,
  { videoId, wantsDates }: { videoId: string; wantsDates: boolean },
): Promise<boolean> {
  let path: string | undefined
  for (const client of ['VISIONOS', 'ANDROID']) {
    const mask = client === 'VISIONOS' ? `&$fields=${PLAYER_FIELDS}` : ''
    const reply = await post(
      pool,
      `/youtubei/v1/player?prettyPrint=false${mask}`,
      playerBody(client, identity, videoId),
      profile(client),
      identity,
    )
    path = captionPath(reply)
    if (path !== undefined) break
  }
  const date = wantsDates
    ? post(
        pool,
        `/youtubei/v1/player?prettyPrint=false&$fields=${DATE_FIELDS}`,
        playerBody('WEB', identity, videoId),
        profile('WEB'),
        identity,
      )
    : null
  if (path !== undefined) {
    const { body } = await pool.request({
      method: 'GET',
      path,
      headers: { 'accept-encoding': 'gzip, br' },
    })
    await body.arrayBuffer()
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

async function post(
  pool: Pool,
  path: string,
  body: object,
  client: ClientProfile,
  identity: string | null,
): Promise<string> {
  const reply = await pool.request({
    method: 'POST',
    path,
    headers: {
      'content-type': 'application/json',
      'accept-encoding': 'gzip, br',
      'user-agent': client.userAgent,
      'x-youtube-client-name': String(client.headerId),
      ...(identity === null ? {} : { 'x-goog-visitor-id': identity }),
    },
    body: JSON.stringify(body),
  })
  const bytes = Buffer.from(await reply.body.arrayBuffer())
  return (reply.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString()
}

function playerBody(client: string, identity: string, videoId: string): object {
  return { ...contextOf(client, identity), videoId, contentCheckOk: true, racyCheckOk: true }
}

function contextOf(client: string, visitorData: string): object {
  return { context: { client: { ...profile(client).context, hl: 'en', gl: 'US', visitorData } } }
}

function profile(name: string): ClientProfile {
  const found = CLIENT_PROFILES.find((one) => one.name === name)
  if (found === undefined) throw new Error(`there is no client ${name}`)
  return found
}
