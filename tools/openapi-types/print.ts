/** Prints TypeScript types for the OpenAPI document on standard input. */
import { text } from 'node:stream/consumers'
import openapiTS, { astToString } from 'openapi-typescript'

const document = JSON.parse(await text(process.stdin))
const types = astToString(
  await openapiTS(document, { alphabetize: true, defaultNonNullable: false }),
)
const [what = 'the public API', from = 'its OpenAPI document'] = process.argv.slice(2)
process.stdout.write(
  `/** Types of ${what}, written from ${from} by test/account/web-types.test.ts. */\n\n${types}`,
)
