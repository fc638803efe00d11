/** Connecting to the server: whether it listens, and whether it answers. */
import net from 'node:net'
import pg from 'pg'
import { DataFolderError } from './errors.ts'
import { DATABASE_NAME, DATABASE_ROLE, type Site } from './site.ts'

const EMBEDDED_CONNECT_MS = 5_000
/** The deadline of a statement; making the database takes longest, on a slow disk. */
const EMBEDDED_ANSWER_MS = 30_000

/** `absent` means that no server listens; `busy` that one is starting, stopping or overcrowded, and to ask again. */
type ServerState = 'ready' | 'absent' | 'busy'

/** Error codes of a connection where no server listens. */
const ABSENT = /^(ENOENT|ECONNREFUSED)$/

/**
 * Asks the server for its database, which is made where it is missing. Throws where the socket may not be used at all.
 * Call it in one's turn.
 */
export async function askServer(site: Site): Promise<ServerState> {
  const client = new pg.Client({
    host: site.host,
    port: site.port,
    user: DATABASE_ROLE,
    password: site.password,
    database: 'postgres',
    ssl: false,
    application_name: 'scriptorium-supervisor',
    connectionTimeoutMillis: EMBEDDED_CONNECT_MS,
    query_timeout: EMBEDDED_ANSWER_MS,
  })
  client.on('error', () => undefined) // the statement under way fails and says why
  try {
    await client.connect()
    const databases = `select from pg_database where datname = '${DATABASE_NAME}'`
    if ((await client.query(databases)).rowCount === 0)
      await client.query(`create database ${DATABASE_NAME}`)
    return 'ready'
  } catch (error) {
    return readRefusal(error, site)
  } finally {
    client.end().catch(() => undefined)
  }
}

/** Whether a server accepts connections at the socket, even if it then says that it is not ready. */
export function isListening({ host, port }: Site): Promise<boolean> {
  const isTcp = process.platform === 'win32'
  const socket = isTcp ? net.connect(port, host) : net.connect(`${host}/.s.PGSQL.${port}`)
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('error', (error) => resolve(!ABSENT.test(codeOf(error))))
  }).finally(() => socket.destroy())
}

/** Returns why the server gave no answer; throws an error that trying again would not change. */
function readRefusal(error: unknown, site: Site): ServerState {
  if (!(error instanceof Error)) throw error
  const code = codeOf(error)
  if (ABSENT.test(code)) return 'absent'
  if (code === 'EACCES' || code === 'EPERM') {
    throw new DataFolderError(
      `the database's socket in ${site.host} may not be used by uid ${process.geteuid?.()}: ` +
        'start as the user who owns that folder or as root, or set DATA_DIR',
    )
  }
  if (code === '28P01') {
    throw new DataFolderError(
      `the running database in ${site.dataDir} does not accept the password in its file postgres-password: ` +
        'stop every process of the service and start again',
    )
  }
  // The codes 57P mean starting up, shutting down or crashed; 53300 means too many connections.
  if (/^(57P0|53300|ECONN|EPIPE|ETIMEDOUT|EAGAIN)/.test(code)) return 'busy'
  if (/Connection terminated|not queryable|timeout/i.test(error.message)) return 'busy'
  throw new Error(`while connecting to the embedded PostgreSQL in ${site.host}`, { cause: error })
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : ''
}
