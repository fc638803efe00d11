/** Sends an operation from the reference's form and describes the answer as it comes. */
import type { Operation } from './openapi.ts'

const SHOWN_CHARS_MAX = 20_000

/** Calls go to the page's own origin, whatever the public address says: its policy allows no other. */
const BASE = '/api/v1'

type Filled = {
  /** Values by parameter name; empty ones are left out. */
  values: Record<string, string>
  body: string | null
  apiKey: string
}

/** Calls `show` with everything known so far; rejects where nothing could be sent. */
export async function tryCall(
  operation: Operation,
  filled: Filled,
  show: (text: string) => void,
): Promise<void> {
  const { address, headers: sent } = addressed(operation, filled)
  const response = await fetch(address, {
    method: operation.method,
    headers: sent,
    credentials: 'omit',
    ...(filled.body === null ? {} : { body: filled.body }),
  })
  const head = `${operation.method} ${address}\n${response.status} ${response.statusText}`
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
  await describe(response, (text) => show(`${head}\n\n${cut(text)}\n\n${headers}`))
}

function addressed(operation: Operation, { values, body, apiKey }: Filled) {
  let path = operation.path
  const query = new URLSearchParams()
  const headers: Record<string, string> =
    body === null ? {} : { 'Content-Type': 'application/json' }
  for (const parameter of operation.parameters) {
    const value = values[parameter.name] ?? ''
    if (parameter.in === 'path')
      path = path.replace(`{${parameter.name}}`, encodeURIComponent(value))
    else if (value !== '' && parameter.in === 'query') query.append(parameter.name, value)
    else if (value !== '') headers[parameter.name] = value
  }
  if (apiKey !== '') headers['Authorization'] = `Bearer ${apiKey}`
  return { address: `${BASE}${path}${query.size === 0 ? '' : `?${query}`}`, headers }
}

async function describe(response: Response, show: (text: string) => void): Promise<void> {
  const type = response.headers.get('content-type') ?? ''
  if (type.includes('zip')) return show(`(${(await response.blob()).size} bytes)`)
  if (type.includes('event-stream')) return follow(response, show)
  const text = await response.text()
  show(type.includes('json') && text !== '' ? JSON.stringify(JSON.parse(text), null, 2) : text)
}

/** Shows events as they come, up to a length that people still read. */
async function follow({ body }: Response, show: (text: string) => void): Promise<void> {
  if (body === null) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += read.value
    show(text)
    if (text.length > SHOWN_CHARS_MAX) return reader.cancel()
  }
}

function cut(text: string): string {
  return text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}…` : text
}
