/** The emulator's own addresses under /emulator: the truth, the faults, the knobs and the log. */
import type { JsonObject } from './call.ts'
import { ACTIONS, type FaultRule } from './faults.ts'
import type { Settings } from './settings.ts'
import { TRUTH_LIMIT, truthOf } from './truth.ts'
import type { World } from './world.ts'
import type { RequestLog } from './request-log.ts'
import { providerAnswer } from './wire/proof.ts'

const RECENT = 200

/** What the control addresses reach; `apply` throws a sentence where the script is invalid. */
export type Controlled = {
  world: World
  log: RequestLog
  exits(): JsonObject
  state(): { faults: readonly FaultRule[]; knobs: Settings }
  apply(script: { faults?: readonly FaultRule[]; knobs?: Readonly<Record<string, unknown>> }): void
  clear(): void
}

export type ControlAnswer = { status: number; body: JsonObject }

export function controlAnswer(
  controlled: Controlled,
  {
    method,
    path,
    query,
    body,
  }: { method: string; path: string; query: URLSearchParams; body: JsonObject },
): ControlAnswer {
  const { world, log } = controlled
  switch (path) {
    case '/emulator/world':
      return worldAnswer(world, query)
    case '/emulator/requests':
      if (method === 'DELETE') log.reset()
      return ok({ ...log.counts(), recent: log.recent(whole(query.get('limit'), RECENT)) })
    case '/emulator/faults':
      try {
        if (method === 'DELETE') controlled.clear()
        if (method === 'POST')
          controlled.apply(Array.isArray(body) ? { faults: body as FaultRule[] } : body)
      } catch (error) {
        return { status: 400, body: { error: (error as Error).message } }
      }
      return ok({ ...controlled.state(), actions: ACTIONS })
    case '/emulator/exits':
      return ok(controlled.exits())
    case '/emulator/get_pot': {
      const answer = providerAnswer(world.seed, body)
      return answer === null
        ? { status: 400, body: { error: 'content_binding is missing' } }
        : ok(answer)
    }
    case '/emulator':
      return ok({
        addresses: ['world', 'faults', 'requests', 'exits', 'get_pot'].map(
          (name) => `/emulator/${name}`,
        ),
      })
    default:
      return { status: 404, body: { error: `nothing is at ${path}` } }
  }
}

function worldAnswer(world: World, query: URLSearchParams): ControlAnswer {
  const offset = whole(query.get('offset'), 0)
  const limit = Math.min(whole(query.get('limit'), TRUTH_LIMIT.usual), TRUTH_LIMIT.max)
  const filters = {
    video: query.get('video'),
    channel: query.get('channel'),
    playlist: query.get('playlist'),
  }
  return ok(truthOf(world, { offset, limit, ...filters }))
}

function ok(body: JsonObject): ControlAnswer {
  return { status: 200, body }
}

function whole(text: string | null, otherwise: number): number {
  return text !== null && /^\d+$/.test(text) ? Number(text) : otherwise
}
