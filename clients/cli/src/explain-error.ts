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
  const { code, message, path } = error as NodeJS.ErrnoException
  // The file system's own errors: no space, no permission, no such folder.
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) {
    const why = FILE_ERRORS[code]
    const sentence = why === undefined || path === undefined ? message : `${path}: ${why}`
    return new Failure(sentence, { exit: EXIT.error, code: 'files' })
  }
  return null
}

const FILE_ERRORS: Readonly<Record<string, string>> = {
  EACCES: 'you are not allowed to use it',
  EISDIR: 'it is a folder, and a file is needed',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of this path is a file, not a folder',
  EPERM: 'you are not allowed to use it',
  EROFS: 'this disk cannot be written to',
}

function explainRefusal(error: ScriptoriumError, server: string | null): Failure {
  const { code, retryAfter } = error
  const wait = retryAfter === null ? null : `try again in ${Math.ceil(retryAfter)} s`
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
  if (error instanceof ConnectionError) return `${server}: ${error.message}`
  // The service begins with the name of its field, which users of the command never type.
  const option = OPTIONS[error.field ?? '']
  const rest = error.message.startsWith(`${error.field} `) ? error.message.split(' ').slice(1) : []
  return option === undefined || rest.length === 0 ? error.message : [option, ...rest].join(' ')
}

/** Options by the field of the API that they fill. */
const OPTIONS: Readonly<Record<string, string>> = {
  after: '--since',
  backlog: '--last',
  before: '--until',
  everyHours: '--every',
  language: '--language',
  maxVideos: '--max',
  monthlyCap: '--cap',
  publishedAfter: '--since',
  publishedBefore: '--until',
  q: 'The search',
  urls: 'The list',
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
