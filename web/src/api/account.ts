/** The account API: what the website needs beyond the public one, behind the session cookie. */
import { Transport } from '../../../clients/typescript/src/transport.ts'

import type { Apps } from './account-schema.d.ts'

export type {
  Access,
  AfterReset,
  ApiKey,
  ApiKeys,
  AppQuestion,
  Apps,
  Bearer,
  AddressKept,
  Booked,
  Checkout,
  Decided,
  Funds,
  Invoices,
  JobMail,
  NewKey,
  SignInMethods,
  SourcesPreview,
  Spending,
  Statement,
  StatementEntry,
  TopUpOffer,
  Verified,
  Visit,
} from './account-schema.d.ts'

export type App = Apps['apps'][number]

/** The session's cookie goes along by itself. */
const transport = new Transport({ apiKey: null, baseUrl: `${location.origin}/account` })

let takeFailure: (error: unknown) => void = () => {}

/** Names who is told of every request that failed, whoever made it. */
export function onFailure(take: (error: unknown) => void): void {
  takeFailure = take
}

/** A request under /account; throws ApiError for a refusal. Only reading is repeated by itself. */
export async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const retries = method === 'GET' ? {} : { maxRetries: 0 }
  try {
    return await transport.json<T>({ method, path, body, ...retries })
  } catch (error) {
    takeFailure(error)
    throw error
  }
}

/** A file over a whole collection, behind the session cookie. */
export function collectionFileLink(collectionId: string, file: string): string {
  return `/account/library/${encodeURIComponent(collectionId)}/${file}`
}

/** Where a file of a job is downloaded by a plain link. */
export function fileLink(jobId: string, file: string): string {
  return `/account/files/${jobId}/${file}`
}
