/** Failures as a sentence and an exit code. */
import {
  ConnectionError,
  InsufficientBalanceError,
  InvalidRequestError,
  InvalidUrlError,
  RateLimitedError,
  ScriptoriumError,
  ServerBusyError,
  UnauthorizedError,
} from '../../typescript/src/index.ts'
import { EXIT, type ExitCode, Failure } from './failure.ts'
import { loginHint } from './settings.ts'

/** Returns null for an error that should not happen: its stack is worth more than a sentence. */
export function explainError(error: unknown, server: string | null): Failure | null {
  if (error instanceof Failure) return error
  if (error instanceof ScriptoriumError) return explainRefusal(error, server)
  const { code, message } = error as NodeJS.ErrnoException
  // The file system's own errors: no space, no permission, no such folder.
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) {
    return new Failure(message, { exit: EXIT.error, code: 'files' })
  }
  return null
}

function explainRefusal(error: ScriptoriumError, server: string | null): Failure {
  const { code, retryAfter } = error
  const wait = retryAfter === null ? null : `again in ${Math.ceil(retryAfter)} s`
  return new Failure(sentenceOf(error, server), {
    exit: exitOf(error),
    code,
    hint: error instanceof UnauthorizedError ? loginHint(server) : wait,
  })
}

function sentenceOf(error: ScriptoriumError, server: string | null): string {
  // The service's sentence speaks of headers, which users of the command never type.
  if (error instanceof UnauthorizedError && error.status === 401)
    return `${server} does not know this API key or sign-in, or it was revoked`
  return error instanceof ConnectionError ? `${server}: ${error.message}` : error.message
}

function exitOf(error: ScriptoriumError): ExitCode {
  if (error instanceof UnauthorizedError) return EXIT.login
  if (error instanceof InsufficientBalanceError) return EXIT.money
  if (error instanceof InvalidRequestError || error instanceof InvalidUrlError) return EXIT.usage
  const isPassing =
    error instanceof ConnectionError ||
    error instanceof ServerBusyError ||
    error instanceof RateLimitedError
  return isPassing ? EXIT.busy : EXIT.error
}
