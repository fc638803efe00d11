/** Prints TypeScript types for the OpenAPI document on standard input. */
import { text } from 'node:stream/consumers'
import openapiTS, { astToString } from 'openapi-typescript'

const document = JSON.parse(await text(process.stdin))
const types = astToString(
  await openapiTS(document, { alphabetize: true, defaultNonNullable: false }),
)
process.stdout.write(
  `/** Types of the public API, written from its OpenAPI document by test/account/web-types.test.ts. */\n\n${types}`,
)
