/** One connection to a database of the tests. */
import pg from 'pg'

/** The server may end the connection while it is idle: without a listener for the error, that would end the process. */
export async function connectTo(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  return client
}
