/** The program: `serve`, `health` and the operator's commands. */
import { ConfigError, sentenceOf } from './kit/settings.ts'
import { terminalText } from './kit/text/controls.ts'

const NODE_MAJOR_MIN = 24

/** Runs a command; its failure is one sentence on standard error and exit code 1. */
async function main(words: string[]): Promise<number> {
  const [command = 'serve', ...rest] = words
  const { readConfig } = await import('./config/config.ts')
  if (command === 'serve') {
    const { serve } = await import('./serve.ts')
    return serve(readConfig(), { greets: rest.includes('--greet') })
  }
  if (command === 'admin') {
    const config = readConfig()
    const { admin } = await import('./admin/admin.ts')
    const { openCommandContext } = await import('./open-context.ts')
    return admin(rest, {
      open: (how) => openCommandContext(config, how),
      print: (text) => void process.stdout.write(text),
    })
  }
  if (command === 'health') {
    const { askHealth } = await import('./ask-health.ts')
    return askHealth(readConfig(), rest, (text) => void process.stderr.write(`${text}\n`))
  }
  throw new ConfigError(
    `there is no command ${JSON.stringify(command)}; try serve, health or admin`,
  )
}

if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR_MIN) {
  process.stderr.write(
    `scriptorium: this needs Node ${NODE_MAJOR_MIN} and runs on ${process.versions.node}: start it with \`npm start\`\n`,
  )
  process.exit(1)
}
// A reader that leaves before the end, as `head` does, has what it wanted; the command is done all the same.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    process.stderr.write(`scriptorium: ${terminalText(sentenceOf(error))}\n`)
    process.exit(1)
  },
)
