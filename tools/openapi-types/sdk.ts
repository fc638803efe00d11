/** Writes a whole client for the OpenAPI document on standard input into a folder, as callers of the API may do. */
import { text } from 'node:stream/consumers'
import { createClient, type UserConfig } from '@hey-api/openapi-ts'

await createClient({
  input: JSON.parse(await text(process.stdin)) as UserConfig['input'],
  output: { path: process.argv[2] ?? '', header: [], importFileExtension: '.ts' },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  logs: { level: 'silent', file: false },
})
