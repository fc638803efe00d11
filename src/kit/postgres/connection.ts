/** The first connection to a database that an operator named, and one sentence for what is wrong with it. */
import type pg from 'pg'
import { ConfigError } from '../settings.ts'
import type { DatabaseDeadlines } from '../limits.ts'
import { nameOfHost, readDatabaseUrl } from './address.ts'
import { ServedClient, type Servers } from './servers.ts'
import { endConnection } from './socket.ts'

/** Returns the database's address, name and user for the log and for messages, never its password. */
export function nameOfDatabase(url: string): string {
  const { hosts, settings } = readDatabaseUrl(url)
  const { database, user } = settings
  const name = database === undefined ? 'of that name' : JSON.stringify(database)
  return `database ${name} at ${hosts.map(nameOfHost).join(', ')}${user === undefined ? '' : ` as ${JSON.stringify(user)}`}`
}

/**
 * Returns what an operator has to change in DATABASE_URL or at the server, or the error itself where its cause is
 * unknown.
 */
export function explainRefusal(error: unknown, url: string): unknown {
  if (!(error instanceof Error)) return error
  const what = `DATABASE_URL (${nameOfDatabase(url)})`
  const code = 'code' in error ? String(error.code) : ''
  const refusal = REFUSALS.find(([said]) => said.test(code) || said.test(error.message))
  return refusal === undefined ? error : new ConfigError(`${what}: ${refusal[1]}`)
}

/** Refusals by their code or their words, with what to do. */
const REFUSALS: [said: RegExp, sentence: string][] = [
  [
    /client password must be a(?:n empty)? string/,
    'the server asks for a password and the URL has none; write it as user:password@host',
  ],
  [
    /does not support SSL/,
    'the server speaks no TLS; remove sslmode from the URL, or switch TLS on there',
  ],
  [/^28P01$/, 'the server refuses the password; percent-encode what is special in it'],
  [/^28000$/, 'the server lets this user not in from here; see its pg_hba.conf'],
  [/^3D000$/, 'the server has no such database; create it first'],
  [
    /^08P01$/,
    'what answers there takes no session settings, as a pooler does; connect to PostgreSQL itself, or let pgbouncer ' +
      'pool sessions and ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout',
  ],
]

const ROUNDS = 10

/**
 * Throws where the URL leads to a pooler that lends a server's session for one transaction: it would silently lose
 * LISTEN, session locks and prepared statements. A pooler gives the client a process id of its own making; it lends
 * sessions where two connected clients meet one server process.
 */
export async function refuseTransactionPooler(
  url: string,
  servers: Servers,
  { connectMs, silenceMs }: DatabaseDeadlines,
): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const connect = async (): Promise<pg.Client> => {
    const client = new ServedClient({
      servers,
      application_name: 'scriptorium start',
      connectionTimeoutMillis: connectMs,
      query_timeout: silenceMs,
    })
    opened.defer(() => endConnection(client))
    await client.connect()
    return client
  }
  const first = await connect()
  const its = await pidOf(first)
  if ((first as pg.Client & { processID: number | null }).processID === its) return
  const second = await connect()
  for (let round = 0; round < ROUNDS; round += 1) {
    if ((await pidOf(second)) === its || (await pidOf(first)) !== its)
      throw new ConfigError(
        `DATABASE_URL (${nameOfDatabase(url)}) leads to a pooler in transaction mode, which loses LISTEN, session locks ` +
          'and prepared statements; connect to PostgreSQL itself, or to a pool of sessions',
      )
  }
}

async function pidOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}
