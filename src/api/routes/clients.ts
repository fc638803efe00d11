/** GET /clients/: the clients of this version, packed for npm, pip and copying, with their checksums. No key needed. */
import fs from 'node:fs/promises'
import path from 'node:path'
import type { FastifyPluginAsync } from 'fastify'
import { etagOf, matchesEtag } from '../../kit/http/content.ts'
import { JSON_TYPE } from '../../kit/http/errors.ts'

/** The folder that `npm run pack:clients` fills, with a list of its files. */
const PACKED = path.join(import.meta.dirname, '../../../clients/dist')
const LIST = 'list.json'
const TYPES: Record<string, string> = {
  '.tgz': 'application/gzip',
  '.whl': 'application/zip',
  '.js': 'text/javascript; charset=utf-8',
  '.py': 'text/x-python; charset=utf-8',
}
/** Pages of any site may import a client; a kept copy is checked again, so that it matches the server. */
const HEADERS = { 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-cache' }

type PackedClient = { name: string; version: string; file: string; sha256: string }

/** Routes of the clients. Where nothing was packed the list is empty: the API works without clients. */
export function clientRoutes(folder = PACKED): FastifyPluginAsync {
  return async (app) => {
    const clients = await readList(folder)
    const hidden = { schema: { hide: true } }
    for (const url of ['/clients', '/clients/']) {
      app.get(url, hidden, (_request, reply) => {
        return reply.headers(HEADERS).type(JSON_TYPE).send(JSON.stringify(clients))
      })
    }
    for (const { file, sha256 } of clients) {
      const content = await fs.readFile(path.join(folder, file))
      const etag = etagOf(sha256, 'identity')
      app.get(`/clients/${file}`, hidden, (request, reply) => {
        reply.headers({ ...HEADERS, ETag: etag })
        if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
        return reply.type(TYPES[path.extname(file)] ?? 'application/octet-stream').send(content)
      })
    }
  }
}

/** Returns the file of the command line; null where it was not packed. */
export async function findCommandFile(folder = PACKED): Promise<string | null> {
  const clients = await readList(folder)
  return clients.find(({ name }) => name === 'scriptorium-cli')?.file ?? null
}

async function readList(folder: string): Promise<PackedClient[]> {
  try {
    return JSON.parse(await fs.readFile(path.join(folder, LIST), 'utf8')) as PackedClient[]
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
