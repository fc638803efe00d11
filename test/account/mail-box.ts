/** A mail server that keeps what it is sent: the little of SMTP (RFC 5321) that a sender needs. */
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import type { TestScope } from '../support/database.ts'

export type Mailed = { to: string; subject: string; text: string; link: string | null }

export type MailBox = {
  /** Settings of a service that mails here. */
  env: Record<string, string>
  mails: Mailed[]
  /** The newest mail to an address; fails where there is none. */
  newestTo(address: string): Mailed
}

export async function startMailBox(scope: TestScope): Promise<MailBox> {
  const mails: Mailed[] = []
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    receive(socket, mails)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  scope.after(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    env: { SMTP_URL: `smtp://127.0.0.1:${port}` },
    mails,
    newestTo(address) {
      const found = mails.findLast((mail) => mail.to === address)
      if (found === undefined) throw new Error(`no mail to ${address}; there are ${JSON.stringify(mails.map((mail) => mail.to))}`)
      return found
    },
  }
}

function receive(socket: net.Socket, mails: Mailed[]): void {
  let to = ''
  let data: string | null = null
  let rest = ''
  const say = (line: string) => socket.write(`${line}\r\n`)
  const take = (line: string) => {
    if (data !== null) {
      if (line !== '.') return void (data += `${line}\n`)
      mails.push(readMail(to, data))
      data = null
      return say('250 kept')
    }
    if (/^RCPT TO:/i.test(line)) to = /<([^>]*)>/.exec(line)?.[1] ?? ''
    if (/^DATA/i.test(line)) {
      data = ''
      return say('354 go on')
    }
    if (/^QUIT/i.test(line)) return void socket.end('221 bye\r\n')
    return say('250 ok')
  }
  say('220 mail box')
  socket.setEncoding('utf8').on('error', () => undefined).on('data', (chunk) => {
    const lines = (rest + String(chunk)).split('\r\n')
    rest = lines.pop() ?? ''
    lines.forEach(take)
  })
}

function readMail(to: string, data: string): Mailed {
  const [head = '', ...body] = data.split('\n\n')
  const text = body.join('\n\n').replace(/=\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return { to, subject: /^Subject: (.*)$/m.exec(head)?.[1] ?? '', text, link: /https?:\/\/\S+/.exec(text)?.[0] ?? null }
}
