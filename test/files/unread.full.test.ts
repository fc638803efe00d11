/** Downloads that nobody reads, and connections without end: their memory and places are given back in time. */
import assert from 'node:assert/strict'
import net from 'node:net'
import { after, test } from 'node:test'
import { FORMATS } from '../../src/model/files/catalogue.ts'
import { until, within } from '../support/until.ts'
import { startFileService } from './file-service.ts'
import { noisySegments } from './noise.ts'

/** Seconds, far above what a busy machine takes from the tenth download to the eleventh. */
const STALL_SECONDS = 15
/** Pause of a slow reader after each piece: the pieces last longer than a stall may. */
const PACE_MS = 150
const AT_ONCE = 10
const PER_NETWORK = 256
/** Number of videos whose ZIP is far larger than a connection's system buffers, so that some of it stays behind. */
const VIDEOS = 16

const { app, url, customer } = await startFileService(
  { after },
  { DOWNLOAD_STALL: String(STALL_SECONDS) },
)
const reader = await customer()
const job = await reader.recordsJob(
  Array.from({ length: VIDEOS }, (_, at) => ({ title: `${at}`, segments: noisySegments(at) })),
  { formats: [...FORMATS], isFinal: true },
)
const { port } = new URL(url)

const ask = (file: string, jobId: string): string =>
  `GET /api/v1/jobs/${jobId}/files/${file} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${reader.key}\r\n\r\n`

type Client = { socket: net.Socket; closed: Promise<void>; status(): Promise<number> }

/** Opens a connection that reads the head of its answer, and then nothing. */
async function opens(file: string, localAddress = '127.0.0.1', jobId = job.id): Promise<Client> {
  const socket = net.connect({ host: '127.0.0.1', port: Number(port), localAddress })
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => undefined)
  after(() => socket.destroy())
  socket.write(ask(file, jobId))
  const head = new Promise<number>((resolve, reject) => {
    socket.once('data', (chunk: Buffer) => {
      socket.pause()
      resolve(Number(String(chunk.subarray(9, 12))))
    })
    void closed.then(() => reject(new Error('closed without an answer')))
  })
  head.catch(() => undefined)
  return { socket, closed, status: () => head }
}

const connections = (): Promise<number> =>
  new Promise((resolve, reject) =>
    app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  )

test('an account has ten downloads at once; those that are not read end, and make place', async () => {
  const zip = await reader.downloads(`${job.id}/files/zip`)
  assert.ok(
    zip.body.length > 8_000_000,
    `the ZIP is larger than what a connection swallows: ${zip.body.length}`,
  )
  const clients = await Promise.all(Array.from({ length: AT_ONCE }, () => opens('zip')))
  assert.deepEqual(await Promise.all(clients.map((one) => one.status())), Array(AT_ONCE).fill(200))

  const refused = await reader.downloads(`${job.id}/files/all.txt`)
  assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '5'])
  assert.match(refused.body.toString(), /"rate_limited".*10 downloads in progress/)
  assert.equal(
    (await reader.downloads(`${job.id}/files/1.txt`)).status,
    200,
    'a single file is none of them',
  )
  const other = await customer()
  assert.equal(
    (await other.downloads(`${job.id}/files/zip`)).status,
    404,
    'other accounts are asked as ever',
  )

  assert.ok(clients.every(({ socket }) => !socket.destroyed))
  await until('all unread downloads are closed', async () => (await connections()) <= 3)
  assert.equal((await reader.downloads(`${job.id}/files/all.txt`)).status, 200)
})

test('a slow reader who goes on reading gets all of it', async () => {
  const size = Number(
    (await reader.downloads(`${job.id}/files/zip`, {}, 'HEAD')).headers['content-length'],
  )
  const { socket, closed } = await opens('zip')
  let bytes = 0
  let [isLong, wasAllRead] = [false, false]
  const long = setTimeout(() => (isLong = true), (STALL_SECONDS + 1) * 1000)
  socket.removeAllListeners('data')
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (isLong) return
    wasAllRead ||= bytes >= size
    socket.pause()
    setTimeout(() => socket.resume(), PACE_MS)
  })
  await until('the whole ZIP was read', () => {
    assert.ok(!socket.destroyed, `it was closed after ${bytes} of ${size} bytes`)
    return bytes >= size
  })
  clearTimeout(long)
  assert.ok(!wasAllRead, 'it takes longer than a stall may')
  socket.end()
  await closed
})

test('input does not keep an unread answer alive', async () => {
  const { socket, closed, status } = await opens('zip')
  assert.equal(await status(), 200)
  const dripping = setInterval(() => socket.writable && socket.write('G'), 100)
  await within('it is closed', closed, 60_000).finally(() => clearInterval(dripping))
})

test('connections of one address are limited, others come in, and what was closed makes place', async () => {
  const hold = (localAddress: string): Promise<net.Socket> =>
    new Promise((resolve) => {
      const socket = net.connect({ host: '127.0.0.1', port: Number(port), localAddress })
      socket.on('error', () => undefined)
      after(() => socket.destroy())
      socket.once('connect', () => resolve(socket))
    })
  const held = await Promise.all(Array.from({ length: PER_NETWORK + 100 }, () => hold('127.0.0.9')))
  await until('the rest was refused', () => held.filter(({ destroyed }) => destroyed).length >= 100)
  assert.equal(held.filter(({ destroyed }) => !destroyed).length, PER_NETWORK)
  const neighbour = await opens('1.txt', '127.0.0.10')
  assert.equal(await neighbour.status(), 200)
  for (const socket of held) socket.destroy()
  await until('they are gone', async () => (await connections()) < PER_NETWORK / 2)
  const again = await opens('1.txt', '127.0.0.9')
  assert.equal(await again.status(), 200)
})

test('a very long text that nobody reads keeps its account from the next one, until it is given up', async () => {
  const cues = Array.from({ length: 100_000 }, (_, at) => ({
    startMs: at * 1_000,
    endMs: at * 1_000 + 900,
    text: `${at} ${'x'.repeat(200)}`,
  }))
  const long = await reader.recordsJob([{ title: 'long', segments: cues }], {
    formats: [...FORMATS],
    isFinal: true,
  })
  const paths = ['files/1.json', 'files/all.txt', 'results', 'export.md', 'files/zip?exports=jsonl']
  for (const path of paths) {
    const unread = await opens('1.json', undefined, long.id)
    assert.equal(await unread.status(), 200)
    const refused = await reader.downloads(`${long.id}/${path}`)
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '5'], path)
    assert.match(refused.body.toString(), /other very long texts/)
    assert.equal((await reader.downloads(`${job.id}/files/1.txt`)).status, 200, 'short ones go on')
    unread.socket.destroy()
    await until(`${path} is answered`, async () => {
      return (await reader.downloads(`${long.id}/${path}`)).status === 200
    })
  }
})
