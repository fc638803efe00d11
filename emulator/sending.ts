/** Writes replies: masks and compresses them, and does to the connection what a fault demands. */
import type { ServerResponse } from 'node:http'
import { gzip, gzipSync } from 'node:zlib'
import { promisify } from 'node:util'
import { type Call, CONTENT_TYPES, type PlatformReply } from './call.ts'
import { masked } from './fields.ts'
import type { FaultRule } from './faults.ts'

/** The size below which compressing at once is quicker than in another thread. */
const SMALL_BYTES = 65_536
const FAST = { level: 1 }
const DRIPS_PER_SECOND = 10
const gzipLater = promisify(gzip)

/** A reply as bytes, encoded as its caller accepts. */
export type Packed = { status: number; headers: Record<string, string>; body: Buffer }

export async function packed(
  call: Call,
  reply: PlatformReply,
  acceptsGzip: boolean,
): Promise<Packed> {
  const text =
    typeof reply.body === 'string' ? reply.body : JSON.stringify(maskedBody(call, reply.body))
  const plain = Buffer.from(text)
  const headers: Record<string, string> = {
    'content-type': CONTENT_TYPES[reply.type],
    ...reply.headers,
  }
  if (!acceptsGzip || plain.length < 200) return { status: reply.status, headers, body: plain }
  const body = plain.length < SMALL_BYTES ? gzipSync(plain, FAST) : await gzipLater(plain, FAST)
  return { status: reply.status, headers: { ...headers, 'content-encoding': 'gzip' }, body }
}

function maskedBody(
  call: Call,
  body: Exclude<PlatformReply['body'], string>,
): Exclude<PlatformReply['body'], string> {
  const fields = call.query.get('$fields')
  return fields === null || 'error' in body ? body : masked(body, fields)
}

/** Sends a reply, or what a fault of the transport leaves of it. Returns how many bytes of the body were sent. */
export function send(
  response: ServerResponse,
  { status, headers, body }: Packed,
  fault: FaultRule | null,
): number {
  switch (fault?.do) {
    case 'hang':
      return 0
    case 'reset':
      response.socket?.resetAndDestroy()
      return 0
    case 'truncated': {
      const part = body.subarray(0, fault.bytes ?? Math.floor(body.length / 2))
      response.writeHead(status, { ...headers, 'transfer-encoding': 'chunked' })
      response.write(part, () => response.socket?.destroy())
      return part.length
    }
    case 'drip':
      response.writeHead(status, { ...headers, 'content-length': body.length })
      drip(
        response,
        body,
        Math.max(Math.floor((fault.bytesPerSecond ?? 1000) / DRIPS_PER_SECOND), 1),
      )
      return body.length
    default:
      response.writeHead(status, { ...headers, 'content-length': body.length })
      response.end(body)
      return body.length
  }
}

function drip(response: ServerResponse, body: Buffer, step: number): void {
  let at = 0
  const timer = setInterval(() => {
    if (response.destroyed) clearInterval(timer)
    else if (at >= body.length) {
      clearInterval(timer)
      response.end()
    } else {
      response.write(body.subarray(at, at + step))
      at += step
    }
  }, 1000 / DRIPS_PER_SECOND)
}
