/** Failures as a sentence and an exit code. */
import {
  ConnectionError,
  InsufficientBalanceError,
  InvalidRequestError,
  InvalidUrlError,
  NotFoundError,
  RateLimitedError,
  ScriptoriumError,
  ServerBusyError,
  UnauthorizedError,
} from '../../typescript/src/index.ts'
import { EXIT, type ExitCode, Failure } from './failure.ts'
import { askedBy } from './order-options.ts'
import { loginHint } from './settings.ts'

/** Returns null for an error that should not happen: its stack is worth more than a sentence. */
export function explainError(error: unknown, asked: Asked): Failure | null {
  if (error instanceof Failure) return error
  if (error instanceof NotFoundError) return explainMissing(error, asked)
  if (error instanceof ScriptoriumError) return explainRefusal(error, asked.server)
  const { code, message, path } = error as NodeJS.ErrnoException
  // The file system's own errors: no space, no permission, no such folder.
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) {
    // A folder that is read as a file is an error without a path; the file is the command's last word.
    const file = path ?? asked.words.at(-1)
    const why = FILE_ERRORS[code]
    const sentence = why === undefined || file === undefined ? message : `${file}: ${why}`
    return new Failure(sentence, { exit: EXIT.error, code: 'files' })
  }
  return null
}

/** The command with its words, and the service that it asked. */
type Asked = { command: string; words: readonly string[]; server: string | null }

/** Names what is missing by the word that was typed: the service speaks of an address. */
function explainMissing(error: NotFoundError, { command, words, server }: Asked): Failure {
  const missing = MISSING[command]
  if (missing === undefined) return explainRefusal(error, server)
  const word = command === 'receipt' ? words.at(-1) : words[0]
  const [what, hint] = missing
  const { code } = error
  return new Failure(`${what} "${word}"`, { exit: EXIT.error, code, hint })
}

const JOBS_HINT = 'scriptorium jobs lists your jobs with their IDs'
const NO_JOB = ['you have no job or batch', JOBS_HINT] as const

/** What is missing where the service knows nothing at an ID, and where to look, by command. */
const MISSING: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  cancel: NO_JOB,
  download: NO_JOB,
  job: NO_JOB,
  library: [
    'the library has no channel, playlist or project',
    'scriptorium library lists all of them',
  ],
  receipt: ['there is no receipt yet, or no job', JOBS_HINT],
  rename: NO_JOB,
  results: NO_JOB,
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
  // The service begins with the name of its field, which users of the command never type.
  const option = askedBy(error.field ?? '')
  const rest = error.message.startsWith(`${error.field} `) ? error.message.split(' ').slice(1) : []
  return option === undefined || rest.length === 0 ? error.message : [option, ...rest].join(' ')
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
