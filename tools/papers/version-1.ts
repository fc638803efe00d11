/**
 * Version 1.0.0 of the interface, as its specification fixed it: the operations with their parameters, the headers of
 * answers, and the fields that its schemas got since. What is beyond it is marked `x-extension` in the document.
 */

/** Parameters by operation. */
export const VERSION_1_PARAMETERS: Record<string, readonly string[]> = {
  getOpenApi: [],
  createJob: ['Idempotency-Key'],
  listJobs: ['offset', 'limit'],
  getJob: ['id'],
  getResults: ['id', 'offset', 'limit'],
  getFile: ['id', 'file'],
  getBalance: [],
}

/** Fields beyond version 1, by component. Others of its components have none. */
export const FIELDS_BEYOND: Record<string, readonly string[]> = {
  Job: ['title', 'name', 'note', 'track', 'batch', 'deletedTexts'],
  Video: ['textRow', 'owned'],
}

export const VERSION_1_HEADERS: readonly string[] = [
  'RateLimitLimit',
  'RateLimitRemaining',
  'RequestId',
  'RetryAfter',
  'IdempotentReplayed',
  'Location',
  'ETag',
  'ContentDisposition',
  'WwwAuthenticate',
]

type Mark = { 'x-extension'?: true }
const EXTENSION: Mark = { 'x-extension': true }

/** Returns the mark of an operation; none for one of version 1. */
export function markOfOperation(operationId: string): Mark {
  return operationId in VERSION_1_PARAMETERS ? {} : EXTENSION
}

/** Returns the mark of a parameter; those of an extension need none beside that of their operation. */
export function markOfParameter(operationId: string, name: string): Mark {
  return VERSION_1_PARAMETERS[operationId]?.includes(name) === false ? EXTENSION : {}
}

/** Returns the mark of a field of a component. */
export function markOfField(component: string, name: string): Mark {
  return FIELDS_BEYOND[component]?.includes(name) === true ? EXTENSION : {}
}

/** Returns the mark of a header by the name of its component. */
export function markOfHeader(name: string): Mark {
  return VERSION_1_HEADERS.includes(name) ? {} : EXTENSION
}
