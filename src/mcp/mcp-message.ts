/** A message of the Model Context Protocol and its answer, as HTTP carries them. */
import type { IncomingHttpHeaders } from 'node:http'

/** The request as it arrived, its body read. `departure` aborts when the client leaves; asked only by those who wait. */
export type McpRequest = {
  headers: IncomingHttpHeaders
  body: unknown
  url: string
  departure(): AbortSignal
}

export type McpAnswer = { status: number; type: string | null; body: string | null }

const JSON_TYPE = 'application/json'

/** An error of the protocol; `id` null where the message that it is about has none. */
export function rpcError(
  status: number,
  error: { code: number; message: string },
  id: unknown = null,
): McpAnswer {
  return { status, type: JSON_TYPE, body: JSON.stringify({ jsonrpc: '2.0', error, id }) }
}

/** The result of a message, in the order of the library. */
export function resultAnswer(result: object, id: string | number): McpAnswer {
  const body = JSON.stringify({ result, jsonrpc: '2.0', id })
  return { status: 200, type: JSON_TYPE, body }
}

/** For messages that are taken and need no answer. */
export const TAKEN: McpAnswer = { status: 202, type: null, body: null }
