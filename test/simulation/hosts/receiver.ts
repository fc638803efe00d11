/** The receiver of webhooks outside, which keeps everything it is sent. */
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import type { Json } from '../../../tools/conformance/http.ts'

export type HookReceiver = {
  url: string
  /** Secret by which what comes is checked; set once the webhook is made. */
  secret: string
  /** Everything taken, in order; a delivery that was repeated stands here as often. */
  taken: { id: string; atMs: number; event: Json }[]
  /** Deliveries whose signature was wrong. */
  forged: number
  close(): Promise<void>
}

export async function openReceiver(host: string): Promise<HookReceiver> {
  const server = http.createServer((request, response) => {
    take(request).then(
      () => response.writeHead(204).end(),
      () => response.destroy(), // a sender that was killed leaves half a request behind
    )
  })
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const receiver: HookReceiver = {
    url: `http://${host}:${port}/`,
    secret: '',
    taken: [],
    forged: 0,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  async function take(request: http.IncomingMessage): Promise<void> {
    const body = await text(request)
    const headers = request.headers as Record<string, string>
    try {
      new StandardWebhook(receiver.secret).verify(body, headers)
    } catch {
      receiver.forged += 1
    }
    const event = JSON.parse(body) as Json
    receiver.taken.push({ id: headers['webhook-id'] ?? '', atMs: performance.now(), event })
  }
  return receiver
}
