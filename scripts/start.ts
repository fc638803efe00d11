/** `npm start`: builds the website where it is missing or outdated, then serves. */
import { buildWeb } from './build-web.ts'

buildWeb()
process.argv.splice(2, 0, 'serve')
await import('../src/main.ts')
