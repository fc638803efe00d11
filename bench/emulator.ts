/** How quick and how small the emulator is: `node bench/emulator.ts`, or `run()` from the suite. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Pool } from 'undici'
import { startEmulator } from '../emulator/server.ts'

/** Player replies are counted per second of the server's own CPU time: one core's worth. */
export type EmulatorResult = {
  playerPerCpuSecond: { plain: number; masked: number; gzip: number }
  playerPerSecond: number
  listPagesPerCpuSecond: number
  captionsPerCpuSecond: number
  /** What the server holds after all of it, against its start. */
  growthBytes: number
}

const CALLS = {
  full: { warmUp: 2000, player: 12_000, pages: 400, captions: 1500 },
  smoke: { warmUp: 20, player: 100, pages: 5, captions: 20 },
}
const CONNECTIONS = 32
const MASK = '&$fields=playabilityStatus,captions,videoDetails,responseContext.visitorData'
const VISITOR = 'CgtCZW5jaG1hcmtlciijgZfRBg%3D%3D'

/** `heldBytes`: what survives a collection. */
type Usage = { cpuSeconds: number; heldBytes: number }

export async function run({ smoke }: { smoke: boolean }): Promise<EmulatorResult> {
  const calls = CALLS[smoke ? 'smoke' : 'full']
  const child = fork(import.meta.filename, ['serve'], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: ['--expose-gc'],
  })
  const [hello] = (await once(child, 'message')) as [Hello]
  const usage = async (): Promise<Usage> => {
    child.send('usage')
    const [answer] = (await once(child, 'message')) as [Usage]
    return answer
  }
  const pool = new Pool(hello.origin, { connections: CONNECTIONS })
  try {
    const measured = async (count: number, call: (at: number) => Promise<void>) => {
      const [before, startedMs] = [await usage(), performance.now()]
      await inParallel(count, call)
      const seconds = (performance.now() - startedMs) / 1000
      return {
        perSecond: count / seconds,
        perCpu: count / ((await usage()).cpuSeconds - before.cpuSeconds),
      }
    }
    const player = (mask: string, encoding: string) => (at: number) =>
      post(pool, `/youtubei/v1/player?prettyPrint=false${mask}`, playerBody(hello, at), encoding)

    await inParallel(calls.warmUp, player('', 'identity'))
    const before = await usage()
    const plain = await measured(calls.player, player('', 'identity'))
    const masked = await measured(calls.player, player(MASK, 'identity'))
    const gzip = await measured(calls.player, player(MASK, 'gzip'))
    const pages = await measured(calls.pages, () =>
      post(
        pool,
        '/youtubei/v1/browse',
        { context: context('WEB'), browseId: hello.uploads },
        'gzip',
      ),
    )
    const captions = await measured(calls.captions, async (at) => {
      const path = hello.captions[at % hello.captions.length] ?? ''
      await drain(pool.request({ method: 'GET', path }))
    })
    const result = {
      playerPerCpuSecond: { plain: plain.perCpu, masked: masked.perCpu, gzip: gzip.perCpu },
      playerPerSecond: plain.perSecond,
      listPagesPerCpuSecond: pages.perCpu,
      captionsPerCpuSecond: captions.perCpu,
      growthBytes: (await usage()).heldBytes - before.heldBytes,
    }
    print(result)
    return result
  } finally {
    await pool.close()
    child.disconnect()
    await once(child, 'exit')
  }
}

type Hello = { origin: string; videoIds: string[]; uploads: string; captions: string[] }

/** The child: an emulator in a process of its own, which tells what it uses. */
async function serve(): Promise<void> {
  const emulator = await startEmulator()
  const { world } = emulator
  const large = world.channel('large')
  const list = world.uploads(large, 'video')
  const videoIds = Array.from({ length: 2000 }, (_, at) => list.at(at * 5).videoId)
  const captions = await Promise.all(
    videoIds.slice(0, 60).map((videoId) => captionPath(emulator.origin, videoId)),
  )
  const uploads = `VLUU${large.channelId.slice(2)}`
  process.send?.({
    origin: emulator.origin,
    videoIds,
    uploads,
    captions: captions.filter((path) => path !== ''),
  })
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpuSeconds: (user + system) / 1e6, heldBytes: held() })
  })
  process.once('disconnect', () => void emulator.close())
}

function held(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function captionPath(origin: string, videoId: string): Promise<string> {
  const body = JSON.stringify({ context: context('IOS'), videoId })
  const answer = await fetch(`${origin}/youtubei/v1/player`, { method: 'POST', body })
  const found = /"baseUrl":"https:\/\/www\.youtube\.com([^"]+)"/.exec(await answer.text())
  return found?.[1] === undefined ? '' : `${found[1]}&fmt=json3`
}

function playerBody({ videoIds }: Hello, at: number): object {
  return { context: context('VISIONOS'), videoId: videoIds[at % videoIds.length] }
}

function context(clientName: string): object {
  return { client: { clientName, clientVersion: '1.02', hl: 'en', visitorData: VISITOR } }
}

async function post(pool: Pool, path: string, body: object, encoding: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'accept-encoding': encoding }
  await drain(pool.request({ method: 'POST', path, headers, body: JSON.stringify(body) }))
}

async function drain(asked: ReturnType<Pool['request']>): Promise<void> {
  const { statusCode, body } = await asked
  await body.dump({ limit: 50_000_000 })
  if (statusCode !== 200) throw new Error(`the emulator answered ${statusCode}`)
}

async function inParallel(count: number, call: (at: number) => Promise<void>): Promise<void> {
  let next = 0
  const work = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) await call(at)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
}

function print(result: EmulatorResult): void {
  const { plain, masked, gzip } = result.playerPerCpuSecond
  const lines = [
    'emulator, per second of its own CPU time',
    `  player replies    ${plain.toFixed(0)} whole, ${masked.toFixed(0)} masked, ` +
      `${gzip.toFixed(0)} masked and compressed`,
    `  playlist pages    ${result.listPagesPerCpuSecond.toFixed(0)} of 100 videos, compressed`,
    `  caption tracks    ${result.captionsPerCpuSecond.toFixed(0)}`,
    `  by the clock      ${result.playerPerSecond.toFixed(0)} whole player replies a second`,
    `  memory            ${(result.growthBytes / 1e6).toFixed(1)} MB more than after warming up`,
  ]
  console.log(lines.join('\n'))
}

if (process.argv[2] === 'serve') await serve()
else if (process.argv[1] === import.meta.filename) await run({ smoke: process.argv.includes('--smoke') })
