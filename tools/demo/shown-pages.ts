/**
 * Leads from the pictures of the demo's first page to the pages that they show. The service is told this address when
 * it starts, before there is a library to lead to.
 */
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

const LOOPBACK = '127.0.0.1'

export type ShownPages = {
  url: string
  /** Sets the page of each picture, a path of the website at `publicUrl`, by the picture's name. */
  lead(publicUrl: string, paths: ReadonlyMap<string, string>): void
  close(): Promise<void>
}

export async function openShownPages(): Promise<ShownPages> {
  let [website, paths]: [string, ReadonlyMap<string, string>] = ['', new Map()]
  const server = http.createServer((request, response) => {
    const path = paths.get(request.url?.slice(1) ?? '')
    if (path !== undefined) return response.writeHead(303, { Location: `${website}${path}` }).end()
    return response
      .writeHead(404, { 'Content-Type': 'text/plain' })
      .end('Nothing is shown here; while the library is being filled, try again.\n')
  })
  server.listen(0, LOOPBACK)
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    lead: (publicUrl, known) => void ([website, paths] = [publicUrl, known]),
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
