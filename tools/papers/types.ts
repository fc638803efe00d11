/** TypeScript types of the two interfaces, by a public generator that is installed apart with its own compiler. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { REPLIES } from '../../src/api/account-api/replies.ts'

const GENERATOR = path.resolve(import.meta.dirname, '../openapi-types/print.ts')

/** Returns the types of the TypeScript client from the OpenAPI document. */
export function typesOfClient(openapi: object): string {
  return typesOf(openapi, ['the public API', 'its OpenAPI document'])
}

/** Returns the types that the website has of the account API, from the schemas of its replies. */
export function typesOfAccountApi(): string {
  const info = { title: 'Account API', version: '1' }
  const schemas: unknown = JSON.parse(JSON.stringify(REPLIES))
  return typesOf({ openapi: '3.1.0', info, paths: {}, components: { schemas } }, [
    'what the account API answers',
    'src/api/account-api/replies.ts',
  ])
}

/** `head` names the API whose types they are, and their source. */
function typesOf(document: object, head: [what: string, source: string]): string {
  const input = JSON.stringify(document)
  const printed = spawnSync(process.execPath, [GENERATOR, ...head], { input, encoding: 'utf8' })
  if (printed.status !== 0) throw new Error(`${GENERATOR} failed: ${printed.stderr}`)
  return printed.stdout
}
