/** A mail server that keeps what it is sent: the little of SMTP (RFC 5321) that a sender needs. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import path from 'node:path'
import type { TestScope } from '../support/database.ts'
import { until } from '../support/until.ts'

export type Mailed = { to: string; subject: string; text: string; link: string | null }

export type MailBox = {
  /** Settings of a service that mails here. */
  env: Record<string, string>
  mails: Mailed[]
  /** Returns the newest mail to an address once there are `countMin`; mails leave after the answer that caused them. */
  newestTo(address: string, countMin?: number): Promise<Mailed>
}

export async function startMailBox(scope: TestScope): Promise<MailBox> {
  const mails: Mailed[] = []
  const sockets = new Set<net.Socket>()
  const server = net
    .createServer((socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      receive(socket, mails)
    })
    .listen(0, '127.0.0.1')
  await once(server, 'listening')
  scope.after(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    env: { SMTP_URL: `smtp://127.0.0.1:${port}` },
    mails,
    newestTo: (address, countMin) => newest(() => mails, address, countMin),
  }
}

/** Returns the newest mail to an address once there are `countMin`; fails where they do not come. */
async function newest(read: () => Mailed[], address: string, countMin = 1): Promise<Mailed> {
  let mails: Mailed[] = []
  await until(`${countMin} mails to ${address}`, () => {
    mails = read().filter((mail) => mail.to === address)
    return mails.length >= Math.max(countMin, 1)
  })
  const found = mails.at(-1)
  assert.ok(found !== undefined)
  return found
}

/** Reads the folder to which a service without a mail server writes its mails. */
export function mailFolder(folder: string): Pick<MailBox, 'mails' | 'newestTo'> {
  const read = (): Mailed[] => {
    const files = fs.existsSync(folder)
      ? fs
          .readdirSync(folder)
          .filter((name) => name.endsWith('.txt'))
          .map((name) => path.join(folder, name))
      : []
    return files
      .map((file) => ({ file, at: fs.statSync(file, { bigint: true }).mtimeNs }))
      .sort((one, other) => (one.at < other.at ? -1 : 1))
      .map(({ file }) => {
        const text = fs.readFileSync(file, 'utf8')
        return readMail(/^To: (.*)$/m.exec(text)?.[1] ?? '', text)
      })
  }
  return {
    get mails() {
      return read()
    },
    newestTo: (address, countMin) => newest(read, address, countMin),
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
  socket
    .setEncoding('utf8')
    .on('error', () => undefined)
    .on('data', (chunk) => {
      const lines = (rest + String(chunk)).split('\r\n')
      rest = lines.pop() ?? ''
      lines.forEach(take)
    })
}

function readMail(to: string, data: string): Mailed {
  const [head = '', ...body] = data.split('\n\n')
  const sent = body.join('\n\n')
  // Only an encoded mail is decoded: a link such as `?token=4C…` in another one must stay as it is.
  const isEncoded = /^Content-Transfer-Encoding: quoted-printable$/im.test(head)
  const text = isEncoded ? decodeQuotedPrintable(sent) : sent
  return {
    to,
    subject: /^Subject: (.*)$/m.exec(head)?.[1] ?? '',
    text,
    link: /https?:\/\/\S+/.exec(text)?.[0] ?? null,
  }
}

function decodeQuotedPrintable(text: string): string {
  return text
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
