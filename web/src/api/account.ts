/** The account API: what the website needs beyond the public API, behind the session cookie. */
import { Transport } from '../../../clients/typescript/src/transport.ts'

export type * from './answers.ts'

/** The browser sends the session's cookie by itself. */
const transport = new Transport({ apiKey: null, baseUrl: `${location.origin}/account` })

let takeFailure: (error: unknown) => void = () => {}

/** Names the function that is given every failed request, wherever it was made. */
export function onFailure(take: (error: unknown) => void): void {
  takeFailure = take
}

/** Sends a request under /account; throws ApiError for a refusal. Only reads are retried. */
export async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const retries = method === 'GET' ? {} : { maxRetries: 0 }
  try {
    return await transport.json<T>({ method, path, body, ...retries })
  } catch (error) {
    takeFailure(error)
    throw error
  }
}

/** Returns the link to a file over a whole collection, behind the session cookie. */
export function collectionFileLink(collectionId: string, file: string): string {
  return `/account/library/${encodeURIComponent(collectionId)}/${file}`
}

/** Returns the plain link that downloads a file of a job. */
export function batchFileLink(batchId: string, file: string): string {
  return `/account/batches/${batchId}/files/${file}`
}

/** Returns the link to a file over a selection, which its query names. */
export function selectionFileLink(file: string): string {
  return `/account/selection/${file}`
}

export function fileLink(jobId: string, file: string): string {
  return `/account/files/${jobId}/${file}`
}
