/** `npm start`: builds the website and packs the clients where they are missing or outdated, then serves. */
import { buildWeb } from './build-web.ts'
import { packClients } from './pack-clients.ts'

buildWeb()
await packClients()
process.argv.splice(2, 0, 'serve', '--greet')
await import('../../src/main.ts')
