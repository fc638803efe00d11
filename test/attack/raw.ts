/** Sends bytes to the attacked service as they are, which no HTTP client would send. */
import net from 'node:net'

export type RawAnswer = {
  text: string
  /** Status and body of each answer, in order. */
  answers: { status: number; head: string; body: string }[]
}

/** Longest wait: a service that has neither answered nor closed by then never would. */
const PATIENCE_MS = 60_000
/** Request sent last where the connection is kept: answers come in order, so that none comes after this one's. */
const LAST = 'GET /healthz HTTP/1.1\r\nHost: last\r\nConnection: close\r\n\r\n'

/** Resolves when the server closes, by itself or on the last request; fails where it never does. */
export function sendRaw(address: string, bytes: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    const read = (): string => Buffer.concat(pieces).toString('latin1')
    let isLastAsked = false
    const socket = net.connect(Number(port), hostname, () =>
      socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes),
    )
    const late = setTimeout(() => {
      socket.destroy()
      reject(new Error(`neither answered nor closed: ${String(bytes).slice(0, 200)}`))
    }, PATIENCE_MS)
    socket.on('data', (piece) => {
      pieces.push(piece)
      if (isLastAsked || answersIn(read()).length === 0) return
      isLastAsked = true
      socket.write(LAST)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(late)
      const text = read()
      const answers = answersIn(text)
      if (answers.length > 1 && isOfLast(answers.at(-1))) answers.pop()
      resolve({ text, answers })
    })
  })
}

function isOfLast(answer: RawAnswer['answers'][number] | undefined): boolean {
  return answer?.status === 200 && /^connection: close$/im.test(answer.head)
}

/** Returns the answers that are whole. */
function answersIn(text: string): RawAnswer['answers'] {
  const answers: RawAnswer['answers'] = []
  for (let rest = text; rest.startsWith('HTTP/1.1 ');) {
    const headEnd = rest.indexOf('\r\n\r\n')
    if (headEnd < 0) break
    const head = rest.slice(0, headEnd)
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
    const bodyEnd = headEnd + 4 + length
    if (rest.length < bodyEnd) break
    answers.push({
      status: Number(head.slice(9, 12)),
      head,
      body: rest.slice(headEnd + 4, bodyEnd),
    })
    rest = rest.slice(bodyEnd)
  }
  return answers
}
