/** One InnerTube call as one client, with the session identity that it is given, and its reply read as it asks. */
import { type Call, writeCall } from './innertube.ts'
import type { Obstructed } from './obstacle.ts'
import { noteVersionInReply } from './refused-version.ts'
import { readJson } from './reply.ts'
import { sendRequest, type Understood } from './send-request.ts'
import type { Session } from './session.ts'

type Sending<T extends Understood> = {
  call: Call
  /** The visitor id to call with; null for none. */
  visitorData: string | null
  /** Sees the reply before the request is counted, so that it is counted rightly. */
  understand: (value: unknown) => T
  /** Whether an obstacle that may pass is not worth another try of the same call; the default is that it is. */
  isTriedOnce?: boolean
}

export function sendCall<T extends Understood>(
  session: Session,
  { call, visitorData, understand, isTriedOnce = false }: Sending<T>,
): Promise<T | Obstructed> {
  const { context } = session
  const { replyBytesMax } = context.limits
  return sendRequest<T | Obstructed>(session, {
    request: writeCall(call, { visitorData, bytesMax: replyBytesMax }),
    tag: { call: call.name, client: call.client.name },
    textBytesMax: replyBytesMax,
    ...(isTriedOnce ? { retriesMax: 0 } : {}),
    read(body) {
      const answer = readJson(body)
      noteVersionInReply(context.clients, call, answer)
      return answer.kind === 'json' ? understand(answer.value) : answer
    },
  })
}
