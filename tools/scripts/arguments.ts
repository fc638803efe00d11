/**
 * Reads the words that one of our programs was started with; a wrong one ends the program with a sentence, not with a
 * stack.
 */
import { parseArgs, type ParseArgsConfig } from 'node:util'

export function readArguments<const Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config)
  } catch (error) {
    process.stderr.write(`${whatIsWrong(error)}; see CONTRIBUTING.md for what there is\n`)
    process.exit(2)
  }
}

/** Returns the first sentence: the rest is about Node's own rules. */
function whatIsWrong(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.split(/[.\n]/, 1)[0] ?? message
}
