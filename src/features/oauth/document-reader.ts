/**
 * Reads the document in which an app describes itself, at the address that is its id: over connections that lead
 * to public addresses only, without redirects, up to a size and within a deadline.
 */
import { request } from 'undici'
import { type AgentRules, openGuardedAgent } from '../../kit/outbound/guarded-agent.ts'
import { readUpTo } from '../../kit/outbound/read-up-to.ts'
import { readTarget } from '../../kit/outbound/target.ts'
import { OAUTH_LIMITS } from '../../model/oauth/authorization.ts'

export type DocumentReader = ReturnType<typeof openDocumentReader>

/** Opens the reader; `deadlineMs` is for the whole exchange. */
export function openDocumentReader({ deadlineMs, ...rules }: AgentRules & { deadlineMs: number }) {
  const dispatcher = openGuardedAgent({ ...rules, timeoutMs: deadlineMs })
  return {
    /** Returns the document; null where there is none that can be read. */
    async read(url: string): Promise<unknown> {
      if (readTarget(url, rules).kind === 'refused') return null
      try {
        const reply = await request(url, {
          dispatcher,
          headers: { accept: 'application/json', 'user-agent': 'Scriptorium-OAuth/1' },
          signal: AbortSignal.timeout(deadlineMs),
        })
        const type = String(reply.headers['content-type'] ?? '')
        const isJson = /^application\/(?:[\w.-]{1,64}\+)?json\b/i.test(type)
        if (reply.statusCode !== 200 || !isJson) {
          // A body that is cut short fails, and a failure without a listener ends the process.
          reply.body.on('error', () => undefined).destroy()
          return null
        }
        return JSON.parse(await readUpTo(reply.body, OAUTH_LIMITS.documentBytes)) as unknown
      } catch {
        return null // the reader gets one sentence for every failure: details would describe our network
      }
    },
    close: () => dispatcher.destroy(),
  }
}
