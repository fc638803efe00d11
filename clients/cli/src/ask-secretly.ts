/** Asks on the terminal for a secret, which is not shown while it is typed. */
import { EXIT, Failure } from './failure.ts'

export function askSecretly(stdin: NodeJS.ReadStream, question: string): Promise<string> {
  // Raw mode begins before the question: a user who answers at once would otherwise see the pasted secret.
  stdin.setRawMode(true)
  process.stderr.write(question)
  stdin.setEncoding('utf8')
  return new Promise((resolve, reject) => {
    let typed = ''
    const end = (settle: () => void): void => {
      stdin.setRawMode(false)
      stdin.pause()
      stdin.off('data', take)
      process.stderr.write('\n')
      settle()
    }
    const take = (text: string): void => {
      for (const character of text) {
        if (character === '\r' || character === '\n') return end(() => resolve(typed))
        // Ctrl-C and Ctrl-D arrive as letters in this mode.
        if (character === '\u0003' || character === '\u0004') {
          const left = new Failure('Interrupted', { exit: EXIT.interrupted, code: 'interrupted' })
          return end(() => reject(left))
        }
        typed =
          character === '\u007f' || character === '\b' ? typed.slice(0, -1) : typed + character
      }
    }
    stdin.on('data', take)
    stdin.resume()
  })
}
