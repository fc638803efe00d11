/**
 * The configured framework: limits of arrival, answers to what the HTTP parser refuses, validation and proxies; and
 * how serving ends.
 */
import { randomUUID } from 'node:crypto'
import {
  fastify,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import { KIT_LIMITS } from '../limits.ts'
import { type ConnectionSettings, guardConnections } from './connections.ts'
import { answerError } from './errors.ts'
import { readableUrl } from './every-answer.ts'
import { traceIdOf, traceparentOf } from '../trace-context.ts'
import { parserErrorAnswer, watchConnections } from './parser-errors.ts'
import { compileValidator } from './validation.ts'
import { escapedJson } from '../text/controls.ts'

/**
 * Drains the server when it closes: no new connections are accepted, answers under way end and close theirs, and none
 * is waited for without limit. `onStop` must release requests that wait for something that may never come.
 */
export function drainOnClose(
  app: FastifyInstance,
  { graceMs, onStop }: { graceMs: number; onStop: () => void },
): void {
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
    onStop()
    // A download over a slow line could delay the stop for hours.
    setTimeout(() => app.server.closeAllConnections(), graceMs).unref()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isStopping) reply.header('Connection', 'close')
    done()
  })
}

export const HEADER_BYTES = 16 * 1024
/** How often Node looks for requests that take too long to arrive. */
const ARRIVAL_CHECK_MS = 1_000
const KEEP_ALIVE_MS = 65_000

/** How long a request may take to arrive; tests use shorter times. */
export type ArrivalLimits = { headersMs: number; bodyMs: number; drainMs: number }

/** Returns the log of a request, whose lines name the caller's trace where there is one. */
const ofTrace: NonNullable<FastifyServerOptions['childLoggerFactory']> = (
  log,
  bindings,
  options,
  request,
) => {
  const traceparent = traceparentOf(request.headers)
  const trace = traceparent === null ? {} : { traceId: traceIdOf(traceparent) }
  return log.child({ ...bindings, ...trace }, options)
}

/**
 * Returns an application without routes that does not listen yet. `security` are the headers of every answer, also
 * where no request could be read.
 */
export function bareApp(
  { log, config }: { log: Logger; config: ConnectionSettings },
  { arrival, security }: { arrival: ArrivalLimits; security: Record<string, string> },
): FastifyInstance {
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    childLoggerFactory: ofTrace,
    bodyLimit: KIT_LIMITS.bodyBytes,
    exposeHeadRoutes: true,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Bodies have their own deadline, which is answered like any refusal; this one is the last resort.
    requestTimeout: arrival.headersMs + arrival.bodyMs + ARRIVAL_CHECK_MS,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    http: {
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: arrival.headersMs,
      connectionsCheckingInterval: Math.min(ARRIVAL_CHECK_MS, arrival.headersMs),
      requireHostHeader: false, // Node's own answer does not have the form of Error; see requireHost
    },
    rewriteUrl: readableUrl,
    trustProxy: config.TRUSTED_PROXIES ?? false,
    // An id of any length must be answered as unknown, not as an address that is too long.
    routerOptions: { maxParamLength: HEADER_BYTES },
    clientErrorHandler: parserErrorAnswer(security),
    frameworkErrors: answerError,
  })
  guardConnections(app, config)
  watchConnections(app)
  app.setErrorHandler(answerError)
  app.setValidatorCompiler(compileValidator)
  // What a terminal that shows an answer of curl would obey is escaped.
  app.setSerializerCompiler(() => (value) => escapedJson(JSON.stringify(value)))
  return app
}
