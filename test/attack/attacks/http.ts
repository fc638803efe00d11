/** Attacks on the cost of a connection: answers that are not read, requests that do not end, too many of both. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { openContext } from '../../../src/open-context.ts'
import { FORMATS } from '../../../src/model/files/catalogue.ts'
import { newCustomer } from '../../files/file-service.ts'
import { noisySegments } from '../../files/noise.ts'
import { testConfig } from '../../support/settings.ts'
import { until } from '../../support/until.ts'
import type { Attack, Target } from '../attack.ts'

/** Answers must be read within a second. No worker takes the job that the attack records by itself. */
export const IMPATIENT = { ROLES: 'api', DOWNLOAD_STALL: '1' }
/** Longest wait for a close; a connection that the service does not end would stay open for ever. */
const CLOSED_MS_MAX = 150_000
const PER_NETWORK = 256
/** Connections of an IPv4 /24. */
const PER_WIDER = 512
const DOWNLOADS_AT_ONCE = 10

export const HTTP: readonly Attack[] = [
  {
    name: '50 ZIPs that nobody reads',
    class: 'floods',
    settings: IMPATIENT,
    async run(target) {
      const ctx = await openContext(
        testConfig({ DATABASE_URL: target.fleet.database.url, ROLES: 'api' }),
      )
      try {
        const reader = await newCustomer(ctx, target.address)
        const videos = Array.from({ length: 16 }, (_, at) => ({
          title: `${at}`,
          segments: noisySegments(at),
        }))
        const job = await reader.recordsJob(videos, { formats: [...FORMATS], isFinal: true })
        await target.begins() // recording the job is our own load on the machine
        const ask = `GET /api/v1/jobs/${job.id}/files/zip HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${reader.key}\r\n\r\n`
        const held = await Promise.all(
          Array.from({ length: 50 }, () => holds(target, { send: ask, drip: '\r\n' })),
        )
        const statuses = await Promise.all(held.map(({ status }) => status))
        const sent = held.filter((_, at) => statuses[at] === 200)
        assert.equal(sent.length, DOWNLOADS_AT_ONCE, `${sent.length} of 50 were sent at once`)
        assert.equal(statuses.filter((status) => status === 429).length, 40)
        const took = await until('they are closed', () =>
          sent.every(({ socket }) => socket.destroyed),
        )
        held.forEach(({ socket }) => socket.destroy())
        assert.equal((await reader.downloads(`${job.id}/files/all.txt`)).status, 200)
        return `${sent.length} sent, closed after ${Math.round(took)} ms`
      } finally {
        await ctx.close()
      }
    },
  },
  {
    name: 'thousands of requests in one packet',
    class: 'endless requests',
    isInGate: true,
    settings: IMPATIENT,
    async run(target) {
      for (let n = 0; n < 20; n += 1) await asks(target, '/account/session', {})
      await target.begins() // the very first request loads code
      const { socket } = await holds(target, {
        send: 'GET /account/session HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(5000),
        reads: true,
      })
      await until('it is closed', () => socket.destroyed)
      return 'closed'
    },
  },
  {
    name: '400 connections from one address',
    class: 'floods',
    async run(target) {
      const held = await Promise.all(
        Array.from({ length: 400 }, () => holds(target, { localAddress: '127.0.0.77' })),
      )
      await until(
        'the rest was refused',
        () => held.filter(({ socket }) => socket.destroyed).length >= 400 - PER_NETWORK,
      )
      const open = held.filter(({ socket }) => !socket.destroyed).length
      assert.ok(open <= PER_NETWORK, `${open} stayed open`)
      assert.equal((await fetch(`${target.address}/healthz`)).status, 200)
      held.forEach(({ socket }) => socket.destroy())
      return `${open} stayed, others came in`
    },
  },
  {
    name: '900 connections from six addresses of one IPv4 /24, beside a client from elsewhere',
    class: 'floods',
    async run(target) {
      const held = await Promise.all(
        Array.from({ length: 900 }, (_, n) =>
          holds(target, { localAddress: `127.9.0.${1 + (n % 6)}` }),
        ),
      )
      await until(
        'the rest was refused',
        () => held.filter(({ socket }) => socket.destroyed).length >= 900 - PER_WIDER,
      )
      const open = held.filter(({ socket }) => !socket.destroyed).length
      assert.ok(open <= PER_WIDER, `${open} stayed open`)
      assert.equal((await fetch(`${target.address}/healthz`)).status, 200)
      held.forEach(({ socket }) => socket.destroy())
      return `${open} stayed; to take all 10,000 takes ten IPv4 /16, or five /32 of IPv6`
    },
  },
  {
    name: 'requests that never end: silence, slow headers, slow bodies, a second one that stays half',
    class: 'endless requests',
    isInGate: true,
    settings: IMPATIENT,
    async run(target) {
      const { apiKey } = await target.customer()
      const post = `POST /api/v1/jobs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\n`
      const phases = {
        silence: { reads: true },
        'slow headers': { send: 'GET / HTTP/1.1\r\nX-Slow: ', drip: 'x' },
        'slow body': { send: `${post}Content-Length: 60000\r\n\r\n{`, drip: ' ' },
        'slow chunks': { send: `${post}Transfer-Encoding: chunked\r\n\r\n`, drip: '1\r\n \r\n' },
        'slow rest of a refused body': {
          send: `POST /api/v1/nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n{`,
          drip: ' ',
        },
        'refused, and never closed': {
          send: `POST /api/v1/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 60000\r\n\r\n{`,
          drip: ' ',
        },
        'half a second request': {
          send: 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /healthz HTTP/1.1\r\nHo',
          drip: 's',
        },
      }
      const seconds = await Promise.all(
        Object.entries(phases).map(async ([phase, how]) => {
          const all = await Promise.all(Array.from({ length: 10 }, () => holds(target, how)))
          return Math.round(
            (await until(
              `${phase} is closed`,
              () => all.every(({ socket }) => socket.destroyed),
              CLOSED_MS_MAX,
            )) / 1000,
          )
        }),
      )
      return `closed after ${seconds.join(', ')} s`
    },
  },
  {
    name: 'metrics asked for through a proxy of the same machine',
    class: 'metrics',
    isInGate: true,
    settings: IMPATIENT,
    async run(target) {
      const disguises = [
        { 'X-Forwarded-For': '127.0.0.1' },
        { Forwarded: 'for=127.0.0.1' },
        { 'X-Real-IP': '127.0.0.1' },
        { Via: '1.1 here' },
        { Host: 'texts.example' },
        { Host: 'localhost.texts.example' },
        { 'X-Forwarded-Proto': 'https' },
      ]
      for (const headers of disguises) {
        const answer = await asks(target, '/metrics', headers as Record<string, string>)
        assert.ok(
          answer.status === 404 && !answer.body.includes('scriptorium_'),
          `${JSON.stringify(headers)}: ${answer.status}`,
        )
      }
      return `404 in ${disguises.length} disguises`
    },
  },
  {
    name: 'metrics with a wrong token',
    class: 'metrics',
    settings: { METRICS_TOKEN: 'a token of the operator' },
    async run(target) {
      for (const token of [
        '',
        'Bearer',
        'Bearer a token of the operato',
        'Basic a token of the operator',
      ]) {
        const { status } = await asks(target, '/metrics', { Authorization: token })
        assert.equal(status, 401, JSON.stringify(token))
      }
      return '401'
    },
  },
]

type How = { send?: string; drip?: string; localAddress?: string; reads?: boolean }

/**
 * Opens a connection that sends `send`, then `drip` again and again. It reads no more than a status, and stays open
 * when the other side ends, unless it `reads`.
 */
async function holds(
  { address }: Target,
  { send = '', drip, localAddress = '127.0.0.1', reads = false }: How,
) {
  const socket = net.connect({
    host: '127.0.0.1',
    port: Number(new URL(address).port),
    localAddress,
    allowHalfOpen: !reads,
  })
  socket.on('error', () => undefined)
  const status = new Promise<number>((resolve) => {
    socket.once('data', (chunk: Buffer) => {
      if (!reads) socket.pause() // the end is noticed later, by sending
      resolve(Number(chunk.toString('latin1', 9, 12)))
    })
    socket.once('close', () => resolve(0))
  })
  if (drip !== undefined) {
    const dripping = setInterval(() => socket.write(drip), 300)
    socket.once('close', () => clearInterval(dripping))
  }
  if (send !== '') socket.write(send)
  if (reads) socket.resume()
  // A connection above the limit is reset before it is open.
  await Promise.race([once(socket, 'connect').catch(() => undefined), status])
  return { socket, status }
}

function asks(
  { address }: Target,
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    http
      .get(address + path, { headers, agent: false }, (answer) => {
        let body = ''
        answer
          .setEncoding('utf8')
          .on('data', (chunk: string) => (body += chunk))
          .on('end', () => resolve({ status: answer.statusCode ?? 0, body }))
      })
      .on('error', reject)
  })
}
