/** `receipt get ID` and `receipt verify FILE`: the signed proof of what a job delivered and cost. */
import { counted } from '../delivery-output.ts'
import { readFileSync } from 'node:fs'
import {
  type PublishedKey,
  type Receipt,
  ReceiptError,
  type Video,
  verifyReceipt,
} from '../../../typescript/src/index.ts'
import { EXIT, type ExitCode, Failure, usageFailure } from '../failure.ts'
import { printable, safeJson } from '../printable.ts'
import { neededServer } from '../settings.ts'
import { type Command, connect, printJson, type Shell, textOption } from '../shell.ts'
import { dollars } from '../usd.ts'
import { wrapped } from '../wrap.ts'

export const receipt: Command = async (shell) => {
  const [action, subject = ''] = shell.words
  if (action === 'get') return save(shell, subject)
  if (action === 'verify') return check(shell, subject)
  throw usageFailure(`receipt takes get ID or verify FILE, not "${action}"`)
}

async function save(shell: Shell, jobId: string): Promise<ExitCode> {
  const found = await connect(shell).jobs.receipt(jobId)
  await shell.terminal.data(`${safeJson(JSON.stringify(found, null, 2))}\n`)
  return EXIT.ok
}

/** Checks a receipt against the keys of the configured service, not of the one that the receipt names. */
async function check(shell: Shell, file: string): Promise<ExitCode> {
  const found = readJson(file) as Receipt
  const keysFile = textOption(shell.options, 'keys')
  const trusted =
    keysFile === undefined ? { issuer: neededServer(shell.settings) } : { keys: readKeys(keysFile) }
  const hasTexts = shell.options['texts'] === true
  // Node 20 would warn on standard error that Ed25519 is experimental there.
  process.emitWarning = () => undefined
  let problems = await problemsOf(() => verifyReceipt(found, trusted))
  // Texts are read only for a receipt that holds so far: any other may name any job.
  if (problems.length === 0 && hasTexts) {
    const videos = await readTexts(shell, found)
    problems = await problemsOf(() => verifyReceipt(found, { ...trusted, videos }))
  }
  if (shell.isJson) await printJson(shell, { isValid: problems.length === 0, problems })
  else await report(shell, found, problems, hasTexts)
  return problems.length === 0 ? EXIT.ok : EXIT.error
}

async function report(
  { terminal }: Shell,
  { jobId, transcripts, charged, issuer }: Receipt,
  problems: readonly string[],
  hasTexts: boolean,
): Promise<void> {
  for (const problem of problems) terminal.warn(`The receipt is not valid: ${problem}`)
  if (problems.length > 0) return
  const checked = hasTexts ? 'signature, sums, ledger and texts' : 'signature, sums and ledger'
  const line =
    `Receipt verified (${checked}): job ${jobId} delivered ` +
    `${counted(transcripts, 'transcript')} for ${dollars(charged)}, signed by ${issuer}`
  await terminal.data(`${wrapped(printable(line, terminal), terminal.columns)}\n`)
}

async function readTexts(shell: Shell, { jobId }: Receipt): Promise<Video[]> {
  const videos: Video[] = []
  for await (const video of connect(shell).jobs.results(jobId)) {
    if (video.status === 'success') videos.push(video)
  }
  return videos
}

async function problemsOf(verify: () => Promise<void>): Promise<readonly string[]> {
  try {
    await verify()
    return []
  } catch (error) {
    if (error instanceof ReceiptError) return error.problems
    throw error
  }
}

/** Returns the keys of a file, as published; their fields are checked where they are used. */
function readKeys(file: string): PublishedKey[] {
  const published = readJson(file) as { keys: PublishedKey[] } | null
  if (Array.isArray(published?.keys)) return published.keys
  throw new Failure(`${file} lists no keys`, { exit: EXIT.error, code: 'keys_unreadable' })
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Failure(`${file} is not JSON`, { exit: EXIT.error, code: 'files' })
  }
}
