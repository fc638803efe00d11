/** Runs one command with what it needs: settings, terminal, Ctrl-C. Every error leaves as a failure. */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { explainError } from './explain-error.ts'
import type { ExitCode } from './failure.ts'
import type { Invocation } from './parse-words.ts'
import { placesFor } from './places.ts'
import { readSettings } from './settings.ts'
import type { Command, Shell } from './shell.ts'
import { openTerminal } from './terminal.ts'

const PROGRAM_FOLDER = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

export const COMMAND_FILES: Record<string, () => Promise<Command>> = {
  get: async () => (await import('./commands/get.ts')).get,
  download: async () => (await import('./commands/download.ts')).download,
  jobs: async () => (await import('./commands/jobs.ts')).jobs,
  job: async () => (await import('./commands/jobs.ts')).job,
  results: async () => (await import('./commands/jobs.ts')).results,
  search: async () => (await import('./commands/search.ts')).search,
  library: async () => (await import('./commands/library.ts')).library,
  project: async () => (await import('./commands/project.ts')).project,
  follow: async () => (await import('./commands/follow.ts')).follow,
  'delete-texts': async () => (await import('./commands/delete-texts.ts')).deleteTexts,
  rename: async () => (await import('./commands/jobs.ts')).rename,
  cancel: async () => (await import('./commands/jobs.ts')).cancel,
  balance: async () => (await import('./commands/account.ts')).balance,
  login: async () => (await import('./commands/account.ts')).login,
  logout: async () => (await import('./commands/account.ts')).logout,
  config: async () => (await import('./commands/account.ts')).config,
  receipt: async () => (await import('./commands/receipt.ts')).receipt,
  webhook: async () => (await import('./commands/webhook.ts')).webhook,
  mcp: async () => (await import('./commands/mcp.ts')).mcp,
  completion: async () => (await import('./commands/completion.ts')).completion,
}

export async function runCommand(
  invocation: Extract<Invocation, { kind: 'command' }>,
): Promise<ExitCode> {
  const shell = openShell(invocation)
  const run = await COMMAND_FILES[invocation.command.name]?.()
  if (run === undefined) throw new Error(`${invocation.command.name} has no file`)
  try {
    return await withNews(shell, run)
  } catch (error) {
    shell.terminal.status(null)
    const { command, words } = invocation
    const server = shell.settings.server?.value ?? null
    throw explainError(error, { command: command.name, words, server }) ?? error
  }
}

function openShell({ options, words }: Extract<Invocation, { kind: 'command' }>): Shell {
  const { env, platform, stdin } = process
  const places = placesFor(env, platform)
  const server = typeof options['server'] === 'string' ? options['server'] : undefined
  const { configFile } = places
  const isJson = options['json'] === true
  const settings = readSettings({ server, env, configFile, programFolder: PROGRAM_FOLDER })
  const terminal = openTerminal(process, { isQuiet: isJson || options['quiet'] === true })
  const onInterrupt = interruptible(terminal)
  return { terminal, options, words, settings, places, isJson, stdin, onInterrupt }
}

/** Prints on Ctrl-C how to go on; a second Ctrl-C ends the program at once. */
function interruptible(terminal: Shell['terminal']): Shell['onInterrupt'] {
  let lines: readonly string[] | null = null
  const signals = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const
  for (const [signal, code] of signals) {
    process.once(signal, () => {
      terminal.status(null)
      for (const line of lines ?? []) terminal.say(line)
      process.exit(code)
    })
  }
  return (next) => {
    lines = next
  }
}

/** Looks for a newer version while the command runs, and prints it after the command's output. */
async function withNews(shell: Shell, run: Command): Promise<ExitCode> {
  if (!shell.terminal.isLive) return run(shell)
  const { lookForNewer } = await import('./newer-version.ts')
  const looking = lookForNewer(shell)
  const exit = await run(shell)
  looking.tell()
  return exit
}
