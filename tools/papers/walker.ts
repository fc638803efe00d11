/** The customer who walks through the API for the recorded examples: asks as operations say, keeps what is shown. */
import type { Customer } from '../conformance/customer.ts'
import type { Json } from '../conformance/http.ts'
import { API_BASE } from '../../src/api/links.ts'
import type { TestService } from '../../test/support/service.ts'
import type { Receiver } from '../../test/webhooks/receiver.ts'
import { readRoutes } from './contract.ts'
import type { Examples } from './examples.ts'
import type { Steady } from './steady.ts'

/** What an example is called, and what is to be seen in it: `name: summary`, or the summary of an only one. */
type Shown = string

/** What is asked: the parameters of the path by their names, and what is kept as an example. */
type Asking = Record<string, unknown> & {
  query?: string
  headers?: Record<string, string>
  body?: Json
  asked?: Shown
  told?: Shown
}

export type Walker = {
  service: TestService
  customer: Customer
  receiver: Receiver
  /** Asks as an operation says, as a step of its own; returns the answer, and throws where it is a refusal. */
  ask(operationId: string, asking: Asking): Promise<Json>
  keep(key: string, shown: Shown, value: unknown): void
  /** Begins a step: what happens before and after it is not at the same instant. */
  step(): Promise<void>
  /** Begins a step, and lets whoever waits for the platform go on. */
  goesOn(): Promise<void>
}

type Parts = Pick<Walker, 'service' | 'customer' | 'receiver'> & {
  steady: Steady
  /** Gets what is kept. */
  examples: Examples
}

export async function walkerOf({ steady, examples, ...parts }: Parts): Promise<Walker> {
  const { service, customer } = parts
  const { step, text } = steady
  const routes = (await readRoutes()).filter(({ method }) => method !== 'HEAD')
  const keep: Walker['keep'] = (key, shown, value) => {
    const [, name = 'example', summary = ''] = /^(?:(\w+): )?(.+)$/.exec(shown) ?? []
    const kept = JSON.parse(text(JSON.stringify(value))) as unknown
    examples[key] = { ...examples[key], [name]: { summary, value: kept } }
  }
  const ask: Walker['ask'] = async (operationId, asking) => {
    const { query = '', headers = {}, body, asked, told } = asking
    const route = routes.find(({ schema }) => schema?.operationId === operationId)
    if (route === undefined) throw new Error(`there is no operation ${operationId}`)
    const path = route.url
      .slice(API_BASE.length)
      .replace(/:(\w+)/g, (_, name) => String(asking[name]))
    await step()
    const sent = body === undefined ? { headers } : { headers, body }
    const reply = await customer.asks(route.method, path + query, sent)
    const { status, bytes, body: answer } = reply
    if (status >= 400) throw new Error(`${operationId}: ${status} ${bytes.toString()}`)
    if (asked !== undefined) keep(operationId, asked, body)
    const isText = status === 206 || !/json/.test(reply.headers.get('content-type') ?? '')
    if (told !== undefined) keep(`${operationId} ${status}`, told, isText ? String(bytes) : answer)
    return answer
  }
  const goesOn = async (): Promise<void> => {
    await step()
    service.platform.clear()
  }
  return { ...parts, ask, keep, step, goesOn }
}
