/** A gate before a database: connections pass, are cut off, or fall silent as behind a broken cable. */
import { once } from 'node:events'
import net from 'node:net'

export type Gate = {
  /** Address of the database by way of the gate. */
  url: string
  /** Breaks every connection and refuses new ones. */
  cut(): void
  /** Cuts after this many more answers of the database, so that requests at that moment are in the middle. */
  cutAfter(answers: number): void
  /** Returns how many connections were refused so far. */
  refused(): number
  /** Lets nothing pass any more, though every connection stays and new ones are accepted. */
  silence(): void
  /** Lets everything pass again. A silenced connection stays silent, since its place in the protocol is lost. */
  open(): void
  /** Breaks every connection, and lets new ones pass to another server, as an address that moves does. */
  leadTo(databaseUrl: string): void
  close(): Promise<void>
}

/** Returns where the server of a URL listens. */
function placeOf(databaseUrl: string): net.NetConnectOpts {
  const target = new URL(databaseUrl)
  const host = target.searchParams.get('host') ?? target.hostname
  const port = Number(target.searchParams.get('port') ?? (target.port || 5432))
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
}

/** `databaseUrl` is as libpq reads it, with the folder of a socket or a host and a port. */
export async function openGate(databaseUrl: string): Promise<Gate> {
  let behind = placeOf(databaseUrl)
  const pairs = new Set<net.Socket>()
  let state: 'open' | 'cut' | 'silent' = 'open'
  let [refused, answersLeft] = [0, Infinity]
  const server = net.createServer((near) => {
    if (state === 'cut') {
      refused += 1
      return void near.destroy()
    }
    pairs.add(near)
    near.on('error', () => undefined).on('close', () => pairs.delete(near))
    if (state === 'silent') return
    const far = net.connect(behind)
    far.on('error', () => near.destroy()).on('close', () => near.destroy())
    near.on('close', () => far.destroy())
    far.on('data', () => {
      answersLeft -= 1
      if (answersLeft < 0) cut()
    })
    near.pipe(far).pipe(near)
    near.once('silence', () => {
      near.unpipe(far)
      far.unpipe(near)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): void => {
    state = 'cut'
    answersLeft = Infinity
    for (const near of pairs) near.destroy()
  }
  const url = new URL(databaseUrl)
  url.searchParams.set('host', '127.0.0.1')
  url.searchParams.set('port', String((server.address() as net.AddressInfo).port))
  return {
    url: url.href,
    cut,
    cutAfter(answers) {
      answersLeft = answers
    },
    refused: () => refused,
    silence() {
      state = 'silent'
      for (const near of pairs) near.emit('silence')
    },
    open() {
      state = 'open'
    },
    leadTo(other) {
      for (const near of pairs) near.destroy()
      behind = placeOf(other)
    },
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
