/** How the services of tests store transcripts: TRANSCRIPT_STORAGE=body npm test -- WORD runs tests on bodies. */
import { readConfig } from '../../src/config.ts'

export const { TRANSCRIPT_STORAGE } = readConfig({
  TRANSCRIPT_STORAGE: process.env['TRANSCRIPT_STORAGE'],
})
