/** Bytes sent to the attacked service as they are, which no client of HTTP would send. */
import net from 'node:net'

export type RawAnswer = {
  text: string
  /** Status and body of each answer, in order. */
  answers: { status: number; head: string; body: string }[]
}

const PATIENCE_MS = 3_000
/** No answer has this long a pause within it. */
const SILENCE_MS = 300

/** Resolves when the server closes, or says nothing more. */
export function sendRaw(address: string, bytes: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    const socket = net.connect(Number(port), hostname, () =>
      socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes),
    )
    const end = (): void => {
      clearTimeout(late)
      socket.destroy()
      const text = Buffer.concat(pieces).toString('latin1')
      resolve({ text, answers: answersIn(text) })
    }
    const late = setTimeout(end, PATIENCE_MS)
    socket.on('data', (piece) => {
      pieces.push(piece)
      socket.setTimeout(SILENCE_MS, end)
    })
    socket.on('error', () => undefined)
    socket.on('close', end)
  })
}

function answersIn(text: string): RawAnswer['answers'] {
  const answers: RawAnswer['answers'] = []
  for (let rest = text; rest.startsWith('HTTP/1.1 ');) {
    const headEnd = rest.indexOf('\r\n\r\n')
    if (headEnd < 0) break
    const head = rest.slice(0, headEnd)
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
    const body = rest.slice(headEnd + 4, headEnd + 4 + length)
    answers.push({ status: Number(head.slice(9, 12)), head, body })
    rest = rest.slice(headEnd + 4 + length)
  }
  return answers
}
