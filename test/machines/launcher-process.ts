/** Launches the service as tests do, prints its process id, and stays, to be killed itself. */
import { launch } from '../support/service-process.ts'

const [url = '', how = ''] = process.argv.slice(2)
const { pid } = launch({ DATABASE_URL: url, ROLES: 'worker' }, { isGroup: how === 'group' })
process.stdout.write(`${pid}\n`)
setInterval(() => undefined, 1_000)
